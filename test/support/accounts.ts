import { findAccountBySlug } from '../../src/accounts/index.ts';
import type { Pool } from '../../src/platform/database/index.ts';

export const PROJECT_ID = '0196a000-0000-7000-8000-000000000001';

/** The smallest account that can take a lead for a project. */
export function accountFile(slug: string) {
  return {
    format: 'offplan-account/1',
    account: {
      slug,
      organization: {
        companyName: 'Tūī Ridge Limited',
        displayName: 'Tūī Ridge',
        email: 'sales@tuiridge.example',
        location: 'Wellington',
        websiteUrl: 'https://tuiridge.example',
      },
    },
    projects: [
      {
        id: PROJECT_ID,
        slug: 'tui-ridge',
        name: 'Tūī Ridge',
        publication: 'live',
        status: 'Available',
        developmentDescription: 'Twelve townhouses.',
        estimatedCompletionDate: '2028-06-30T00:00:00.000Z',
        addressLine1: '1 Ridge Road',
        postalCode: '6011',
        latitude: -41.29,
        longitude: 174.77,
        cityName: 'Wellington',
        regionName: 'Wellington',
        regionSlug: 'wellington',
        suburbName: 'Te Aro',
        projectWebsiteUrl: 'https://tuiridge.example/tui-ridge',
        units: [{ name: 'Townhouse 1', status: 'Available' }],
      },
    ],
  };
}

/** Finds the id of an account, which must exist. */
export async function accountIdOf(db: Pool, { slug }: { slug: string }): Promise<string> {
  const id = await findAccountBySlug(db, slug);
  if (id === undefined) throw new Error(`There is no account ${slug}.`);
  return id;
}
