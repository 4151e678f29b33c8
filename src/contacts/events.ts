import { listFields, type FieldValues, type NewEvent } from '../events/index.ts';
import type { Activity, Link, RowOfContact } from './schemas.ts';

/** A tag as it is in the changes of a contact. */
interface TagItem {
  id: string;
  label: string;
}

/** The changes that one transaction makes to a contact, from which its events are made. */
export interface ContactStep extends FieldValues {
  contactId: string;
  /** Whether the contact is created. */
  isNew: boolean;
  /** The tags that the contact gets. */
  tags: TagItem[];
  links: RowOfContact<Link>[];
  /** The tags that the contact loses; none by default. */
  removedTags?: TagItem[];
  removedLinks?: RowOfContact<Link>[];
  activities: RowOfContact<Activity>[];
  importId: string | null;
}

/** Lists the events of a contact. The first event has all changes: the fields, and the tags and links that it gets and loses. */
export function listContactEvents(step: ContactStep): NewEvent[] {
  const { contactId, activities, importId } = step;
  const events = [...listFieldEvents(step), ...listItemEvents(step)];
  const [first] = events;
  if (first !== undefined)
    first.change = {
      before: { ...step.before, ...describeItems(step.removedTags, step.removedLinks) },
      after: { ...step.after, ...describeItems(step.tags, step.links) },
      importId,
    };
  for (const { id, type } of activities)
    events.push({ type: 'activity.created', subject: id, data: { contactId, activityType: type } });
  return events;
}

function listItemEvents({
  contactId: subject,
  tags,
  links,
  removedTags = [],
  removedLinks = [],
}: ContactStep): NewEvent[] {
  const events: NewEvent[] = [];
  const tagIds = (items: TagItem[]) => ({ tagIds: items.map(({ id }) => id) });
  if (tags.length > 0) events.push({ type: 'contact.tagged', subject, data: tagIds(tags) });
  if (removedTags.length > 0)
    events.push({ type: 'contact.untagged', subject, data: tagIds(removedTags) });
  for (const { projectId, unitId } of links)
    events.push({ type: 'contact.linked', subject, data: { projectId, unitId } });
  for (const { projectId, unitId } of removedLinks)
    events.push({ type: 'contact.unlinked', subject, data: { projectId, unitId } });
  return events;
}

/** Makes the values of tags and links in a change. */
function describeItems(tags: TagItem[] = [], links: RowOfContact<Link>[] = []): object {
  return {
    ...(tags.length > 0 && { tags }),
    ...(links.length > 0 && {
      links: links.map(({ id, projectId, unitId }) => ({ id, projectId, unitId })),
    }),
  };
}

function listFieldEvents({
  contactId: subject,
  isNew,
  before,
  after,
  importId,
}: ContactStep): NewEvent[] {
  const all = listFields({ before, after });
  if (isNew) return [{ type: 'contact.created', subject, data: { changed: all, importId } }];
  const events: NewEvent[] = [];
  const changed = all.filter((field) => field !== 'archivedAt');
  const read = (values: Record<string, unknown>, field: string) =>
    (values[field] ?? null) as string | null;
  const toData = (field: string) => ({ from: read(before, field), to: read(after, field) });
  if (changed.length > 0)
    events.push({ type: 'contact.updated', subject, data: { changed, importId } });
  if (changed.includes('stage'))
    events.push({ type: 'contact.stage_changed', subject, data: toData('stage') });
  if (changed.includes('assignedAccountUserId'))
    events.push({ type: 'contact.assigned', subject, data: toData('assignedAccountUserId') });
  if (all.includes('archivedAt')) {
    const type = read(after, 'archivedAt') === null ? 'contact.restored' : 'contact.archived';
    events.push({ type, subject, data: {} });
  }
  return events;
}
