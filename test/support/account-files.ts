import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { Pool } from '../../src/platform/database/index.ts';
import {
  exportAccount,
  AccountFileError,
  loadAccount,
  type LoadOptions,
} from '../../src/portability/index.ts';
import { createDatabase } from './harness.ts';

let made = 0;
/** Makes a slug that no other test of this process uses. */
export const newSlug = () => `account-${(made += 1)}`;
/** Makes a UUIDv7 that ends with a number, so that failures are easy to read. */
export const id = (n: number) => `0196a000-0000-7000-8000-${String(n).padStart(12, '0')}`;
export const P1 = id(101);
export const P2 = id(102);
export const U1 = id(201);
export const U2 = id(202);
export const U3 = id(203);
export const HANA = id(301);
export const REWI = id(302);
export const C1 = id(401);
export const C2 = id(402);
export const C3 = id(403);

export const organization = {
  companyName: 'Tūī Ridge Limited',
  displayName: 'Tūī Ridge',
  email: 'sales@tuiridge.example',
  location: 'Wellington',
  websiteUrl: 'https://tuiridge.example',
};

/** An entry of a valid project, with more fields or other values. */
export function project(slug: string, more: object = {}) {
  return {
    slug,
    name: 'Ridge Road',
    developmentDescription: 'Twelve townhouses.',
    estimatedCompletionDate: '2028-06-30',
    addressLine1: '1 Ridge Road',
    postalCode: '6011',
    latitude: -41.29,
    longitude: 174.77,
    cityName: 'Wellington',
    regionName: 'Te Upoko o te Ika / Wellington',
    suburbName: 'Te Aro',
    projectWebsiteUrl: 'https://tuiridge.example/ridge-road',
    ...more,
  };
}

/** Makes an account file with only the organization, and what a test adds. */
export const withSlug = (slug: string, more: object = {}) => ({
  format: 'offplan-account/1',
  account: { slug, organization },
  ...more,
});

/** Makes an account file in which each entry has an id, and refers to others by theirs. */
export function fullFile(slug: string) {
  return withSlug(slug, {
    users: [
      { id: HANA, email: 'hana@tuiridge.example', name: 'Hana' },
      { id: REWI, email: 'rewi@tuiridge.example', name: 'Rewi', active: false },
    ],
    projects: [
      project('ridge-road', {
        id: P1,
        publication: 'live',
        status: 'Available',
        heroImage: { key: 'ridge/hero.jpg' },
        galleryImages: [{ key: 'ridge/2.jpg' }, { key: 'ridge/1.jpg' }],
        relatedProjects: ['matai-lane'],
        units: [
          { id: U2, name: '1B', lotNumber: 'Lot 27A', level: 'Ground', bedrooms: 0, price: 0.1 },
          { id: U1, name: '1A', lotNumber: 27, level: 3, status: 'Withdrawn' },
        ],
      }),
      project('matai-lane', { id: P2, publication: 'draft', units: [{ id: U3, name: '1A' }] }),
    ],
    tags: [{ label: 'VIP' }, { label: 'Āpōpō' }],
    contacts: [
      {
        id: C1,
        email: 'Aroha@Example.com',
        firstName: '  ',
        notes: '',
        name: 'Aroha\n"Ngata" \u{1F3E1}\u2028',
        budget: 1e21,
        importedAt: '2026-04-01T10:15:09.204999+13:00',
        assignedAccountUserId: REWI,
        tags: ['Zebra', ' first   home', 'vip'],
        activities: [
          { type: 'note', body: 'B', occurredAt: '2026-03-02T00:00:00Z' },
          {
            type: 'call',
            body: 'A',
            outcome: 'No answer',
            occurredAt: '2026-03-01T00:00:00Z',
            userId: REWI.toUpperCase(),
          },
          { type: 'note', body: 'B', occurredAt: '2026-03-02T00:00:00Z' },
        ],
        links: [
          { projectId: P2, unitId: U3 },
          { projectId: P1, unitId: U1 },
          { projectId: P1, unitId: null },
        ],
      },
      { id: C3, email: 'aroha@example.com', budget: '$800k', archivedAt: '0001-01-01T00:00:00Z' },
      { id: C2, email: 'mele@example.com' },
    ],
  });
}

/** Makes an account file as a person would write it: without ids. */
export function handWritten(slug: string) {
  return withSlug(slug, {
    $schema: '../docs/account-file.schema.json',
    users: [{ email: ' Hana@tuiridge.example ', name: 'Hana' }],
    projects: [
      project('b', {
        publication: 'live',
        relatedProjects: ['a'],
        units: [{ name: '2' }, { name: '1' }],
      }),
      project('a', { units: [{ name: '1' }] }),
    ],
    contacts: [
      { email: 'aroha@example.com', tags: ['b', 'a', 'B'], stage: 'New' },
      { email: ' MELE@example.com', activities: [{ body: 'x', occurredAt: '2026-03-01T00:00Z' }] },
    ],
  });
}

/** Creates a database, and functions that export accounts from it and check that it refuses a file. */
export async function portability() {
  const db = await createDatabase({ after });

  async function exportText(slug: string, from: Pool = db): Promise<string> {
    let text = '';
    assert.equal(await exportAccount(from, slug, (chunk) => void (text += chunk)), true);
    return text;
  }

  // Each test knows the shape of its own export.
  // eslint-disable-next-line typescript/no-explicit-any
  const exported = async (slug: string): Promise<any> => JSON.parse(await exportText(slug));

  const TABLES = [
    'account_slugs',
    'account_revisions',
    'accounts',
    'users',
    'projects',
    'units',
    'related_projects',
    'tags',
    'contacts',
    'contact_tags',
    'activities',
    'contact_links',
  ];

  /** Every row of every table, with the transaction that wrote it. */
  async function everything(): Promise<unknown> {
    const all = TABLES.map(
      (table) => `select '${table}' as of, xmin::text, t::text from ${table} t`,
    );
    const text = `${all.join(' union all ')} order by 1, 3`;
    return (await db.query({ name: 'everything', text, values: [] })).rows;
  }

  /** Asserts that a file is refused with faults at these pointers, and that nothing is written. */
  const refused = (file: unknown, ...pointers: string[]) => refusedWith({}, file, ...pointers);

  async function refusedWith(
    options: LoadOptions,
    file: unknown,
    ...pointers: string[]
  ): Promise<string[]> {
    const before = await everything();
    const error = await loadAccount(db, file, options).then(
      () => assert.fail('it was loaded'),
      (reason: unknown) => reason,
    );
    if (!(error instanceof AccountFileError)) throw error;
    const { faults } = error;
    assert.deepEqual(faults.map(({ pointer }) => pointer).toSorted(), pointers.toSorted());
    assert.deepEqual(await everything(), before);
    return faults.map(({ detail }) => detail);
  }

  return { db, exportText, exported, everything, refused, refusedWith };
}
