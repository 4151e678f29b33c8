import { compareRows, listFields, type NewEvent } from '../events/index.ts';
import { ORGANIZATION } from './rules.ts';
import type { Organization } from './schemas.ts';

/** Lists the event of an organization that is created or changed, with the changes. */
export function listOrganizationEvents(
  accountId: string,
  stored: Organization | undefined,
  row: Organization,
): NewEvent[] {
  const change = compareRows(ORGANIZATION, stored, row);
  const changed = listFields(change);
  if (changed.length === 0) return [];
  const type = stored === undefined ? 'organization.created' : 'organization.updated';
  return [{ type, subject: accountId, data: { changed }, change }];
}
