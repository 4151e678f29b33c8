import { listOrganizationEvents } from '../accounts/index.ts';
import { listContactEvents } from '../contacts/index.ts';
import { SYSTEM, type Author, type AuthoredEvents, type NewEvent } from '../events/index.ts';
import { listStockEvents } from '../projects/index.ts';
import { listUserEvents } from '../users/index.ts';
import type { ContactChunk } from './contact-changes.ts';
import type { LoadPlan } from './plan-load.ts';
import { selectChanged } from './plan-rows.ts';
import { selectStockChanges } from './write-stock.ts';

/** Lists the events of a load, except those of contacts. */
export function listLoadEvents({
  account: { accountId },
  organization,
  storedOrganization,
  stock,
  users,
}: LoadPlan): NewEvent[] {
  return [
    ...listOrganizationEvents(accountId, storedOrganization, organization.row),
    ...listStockEvents(selectStockChanges(stock)),
    ...selectChanged(users).flatMap(({ stored, row }) => listUserEvents(stored, row)),
  ];
}

/** The author of a contact, and the time of its creation. */
export interface ContactOrigin {
  author: Author;
  at: Date;
}

/**
 * Lists the events of the contacts of a chunk. `tagIds` has the ids of all tags by their keys. The author of a contact without an
 * origin is SYSTEM.
 */
export function listChunkEvents(
  { steps }: ContactChunk,
  tagIds: Map<string, string>,
  origins?: ReadonlyMap<string, ContactOrigin>,
): AuthoredEvents[] {
  return steps.map((step) => {
    const tags = step.tags.map(({ tag: { key, label } }) => ({ id: tagIds.get(key) ?? '', label }));
    const events = listContactEvents({ ...step, tags });
    return { author: SYSTEM, ...origins?.get(step.contactId), events };
  });
}
