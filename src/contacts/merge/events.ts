import { compareRows, type NewEvent } from '../../events/index.ts';
import { listContactEvents } from '../events.ts';
import { CONTACT, isEmpty } from '../rules.ts';
import { FILLABLE_FIELDS, type Contact, type FullContact } from '../schemas.ts';
import type { MergeChanges } from './rules.ts';

/** Lists the events of a merge. `labels` has the labels of the moved tags by the ids of the tags. */
export function listMergeEvents(
  found: FullContact[],
  { remaining, movedTagIds, movedLinkIds, removedIds }: MergeChanges,
  labels: Map<string, string>,
): NewEvent[] {
  const byId = new Map(found.map((each) => [each.contact.id, each]));
  const duplicates = removedIds.flatMap((id) => byId.get(id) ?? []);
  const tags = duplicates
    .flatMap((each) => each.tags)
    .filter(({ id }) => movedTagIds.includes(id))
    .map(({ tagId: id }) => ({ id, label: labels.get(id) ?? '' }));
  const links = duplicates
    .flatMap((each) => each.links)
    .filter(({ id }) => movedLinkIds.includes(id));
  const ofRemaining = listContactEvents({
    contactId: remaining.id,
    isNew: false,
    ...compareRows(CONTACT, byId.get(remaining.id)?.contact, remaining),
    tags,
    links,
    activities: [],
    importId: null,
  });
  const intoId = remaining.id;
  const ofDuplicates = duplicates.map(({ contact }): NewEvent => {
    const event: NewEvent = { type: 'contact.merged', subject: contact.id, data: { intoId } };
    const lost = listLostValues(contact, remaining);
    return lost === null ? event : { ...event, change: { ...lost, subject: intoId } };
  });
  return [...ofRemaining, ...ofDuplicates];
}

/** The values of a duplicate that the merge loses, each before the value of the contact that remains; null when there are none. */
function listLostValues(duplicate: Contact, remaining: Contact) {
  const fields = FILLABLE_FIELDS.filter(
    (field) => !isEmpty(duplicate[field]) && duplicate[field] !== remaining[field],
  );
  const pick = (contact: Contact) =>
    Object.fromEntries(fields.map((field) => [field, contact[field]]));
  return fields.length === 0 ? null : { before: pick(duplicate), after: pick(remaining) };
}
