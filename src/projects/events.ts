import { compareRows, listFields, type NewEvent } from '../events/index.ts';
import { PROJECT, UNIT } from './rules.ts';
import type { Project, Unit } from './schemas.ts';

/** The event for each publication that a project changes to. */
const PUBLICATION_EVENTS = {
  live: 'project.published',
  draft: 'project.unpublished',
  archived: 'project.archived',
} as const;

/**
 * Lists the events of a created or changed project. The first event has the changes. `related` has the ids of the related
 * projects when these change.
 */
export function listProjectEvents(
  stored: Project | undefined,
  row: Project,
  related: { before: string[]; after: string[] } | null,
): NewEvent[] {
  const { id: subject, slug } = row;
  const change = compareRows(PROJECT, stored, row);
  if (related !== null && related.before.length > 0)
    change.before['relatedProjectIds'] = related.before;
  if (related !== null && related.after.length > 0)
    change.after['relatedProjectIds'] = related.after;
  const events: NewEvent[] = [];
  const all = listFields(change);
  const changed = all.filter((field) => stored === undefined || field !== 'publication');
  if (stored === undefined)
    events.push({ type: 'project.created', subject, data: { slug, changed } });
  else if (changed.length > 0)
    events.push({ type: 'project.updated', subject, data: { slug, changed } });
  if ((stored?.publication ?? 'draft') !== row.publication)
    events.push({ type: PUBLICATION_EVENTS[row.publication], subject, data: { slug } });
  const [first] = events;
  if (first !== undefined) first.change = change;
  return events;
}

/** Lists the events of a created or changed unit. The first event has the changes. */
export function listUnitEvents(stored: Unit | undefined, row: Unit): NewEvent[] {
  const { id: subject, projectId } = row;
  const change = compareRows(UNIT, stored, row);
  if (stored?.position !== row.position) {
    if (stored !== undefined) change.before['position'] = stored.position;
    change.after['position'] = row.position;
  }
  const changed = listFields(change);
  if (stored === undefined)
    return [{ type: 'unit.created', subject, data: { projectId, changed }, change }];
  if (changed.length === 0) return [];
  const events: NewEvent[] = [
    { type: 'unit.updated', subject, data: { projectId, changed }, change },
  ];
  if (stored.status !== row.status) {
    const data = { projectId, from: stored.status, to: row.status };
    events.push({ type: 'unit.status_changed', subject, data });
  }
  if (stored.price !== row.price) {
    const data = { projectId, from: stored.price, to: row.price };
    events.push({ type: 'unit.price_changed', subject, data });
  }
  return events;
}

/** Lists the event of a unit that is deleted. */
export function listUnitDeletion({ id: subject, projectId }: Unit): NewEvent[] {
  return [{ type: 'unit.deleted', subject, data: { projectId } }];
}

/** Lists the event of a project that is deleted. */
export function listProjectDeletion({ id: subject, slug }: Project): NewEvent[] {
  return [{ type: 'project.deleted', subject, data: { slug } }];
}
