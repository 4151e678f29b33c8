import type { Pool } from '../platform/database/index.ts';
import { isStorable } from '../platform/text/index.ts';
import { etagOf } from './etag.ts';
import type { Built } from './pages.ts';
import { toOrganization, toProjectDetail } from './rows.ts';
import { findProject } from './store.ts';

/** The JSON of a live project and all that is shown with it, or null when there is none of this slug. */
export async function buildDetail(
  db: Pool,
  mediaBaseUrl: string,
  accountId: string,
  slug: string,
): Promise<Built | null> {
  const found = isStorable(slug) ? await findProject(db, accountId, slug) : null;
  if (found === null) return null;
  const { clockMs, organization, project } = found;
  const response = {
    organization: toOrganization(mediaBaseUrl, organization),
    project: toProjectDetail(mediaBaseUrl, project),
  };
  // Sent as a text: V8 would take 45 µs for the memory of its bytes.
  const body = JSON.stringify(response);
  return { clockMs, body: [body], etag: etagOf(body) };
}
