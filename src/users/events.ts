import { compareRows, listFields, type NewEvent } from '../events/index.ts';
import { USER } from './rules.ts';
import type { User } from './schemas.ts';

/** Lists the events of a person who is added or changed. The first event has the changes. */
export function listUserEvents(stored: User | undefined, row: User): NewEvent[] {
  const change = compareRows(USER, stored, row);
  const subject = row.id;
  const all = listFields(change);
  if (stored === undefined)
    return [{ type: 'user.created', subject, data: { changed: all }, change }];
  const isDeactivated = stored.active && !row.active;
  const changed = all.filter((field) => !(isDeactivated && field === 'active'));
  const events: NewEvent[] = [];
  if (changed.length > 0) events.push({ type: 'user.updated', subject, data: { changed } });
  if (isDeactivated) events.push({ type: 'user.deactivated', subject, data: {} });
  const [first] = events;
  if (first !== undefined) first.change = change;
  return events;
}
