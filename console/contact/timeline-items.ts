import type { Activity, Change } from '../api.ts';

/** Something that happened: an activity, or what one request changed. */
export type TimelineItem =
  | { kind: 'activity'; id: string; at: string; activity: Activity }
  | { kind: 'changes'; id: string; at: string; changes: Change[] };

/** A list that was read from its newest row on, and may go on behind what is here. */
interface ReadList<T> {
  rows: readonly T[];
  hasMore: boolean;
}

/**
 * Puts activities and changes in one order, the newest first. Rows older than the end of a list that goes on are left out:
 * others may belong before them.
 */
export function mergeItems(
  activities: ReadList<Activity>,
  changes: ReadList<Change>,
): TimelineItem[] {
  const groups = groupChanges(changes.rows);
  const items: TimelineItem[] = [
    ...activities.rows.map((activity) => ({
      kind: 'activity' as const,
      id: activity.id,
      at: activity.occurredAt,
      activity,
    })),
    ...groups,
  ];
  const ends = [
    activities.hasMore ? activities.rows.at(-1)?.occurredAt : undefined,
    changes.hasMore ? groups.at(-1)?.at : undefined,
  ].filter((end) => end !== undefined);
  const end = ends.toSorted().at(-1) ?? '';
  return items
    .filter(({ at }) => at >= end)
    .toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
}

/** The changes of one request are one item. */
function groupChanges(changes: readonly Change[]): TimelineItem[] {
  const groups: Extract<TimelineItem, { kind: 'changes' }>[] = [];
  for (const change of changes) {
    const last = groups.at(-1);
    const first = last?.changes[0];
    if (last !== undefined && first?.at === change.at && first.actor.id === change.actor.id)
      last.changes.push(change);
    else groups.push({ kind: 'changes', id: change.id, at: change.at, changes: [change] });
  }
  return groups;
}

/** Puts items under the days on which they happened. `dayOf` names a day in the account's zone. */
export function groupByDay(
  items: readonly TimelineItem[],
  dayOf: (at: string) => string,
): { day: string; items: TimelineItem[] }[] {
  const days: { day: string; items: TimelineItem[] }[] = [];
  for (const item of items) {
    const day = dayOf(item.at);
    const last = days.at(-1);
    if (last?.day === day) last.items.push(item);
    else days.push({ day, items: [item] });
  }
  return days;
}
