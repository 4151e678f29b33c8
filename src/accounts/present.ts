import { formatEtag } from '../platform/http/index.ts';
import { imageUrl, type ImageBases } from '../platform/text/index.ts';
import type { Organization, ShownOrganization } from './schemas.ts';

/** The account of an organization, and the base URLs of its logo. */
interface OwnAccount {
  accountId: string;
  slug: string;
  version: number;
  imageBases: ImageBases;
}

/** Presents an organization, and the settings of its account, as the management API shows them. */
export function presentOrganization(
  { accountId, slug, version, imageBases }: OwnAccount,
  { logoImage: key, ...fields }: Organization,
): ShownOrganization {
  return {
    id: accountId,
    slug,
    ...fields,
    logoImage: key === null ? null : { key, url: imageUrl(imageBases, key) },
    etag: formatEtag(version),
  };
}
