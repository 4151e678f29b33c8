import type { Activity, Change } from '../api.ts';

/** An item of the timeline: an activity, or all changes of one request. */
export type TimelineItem =
  | { kind: 'activity'; id: string; at: string; activity: Activity }
  | { kind: 'changes'; id: string; at: string; changes: Change[] };

/** A partly read list, newest row first. It may have older rows that are not read yet. */
interface ReadList<T> {
  rows: readonly T[];
  hasMore: boolean;
}

/**
 * Merges activities and changes, the newest first. While one list has unread rows, it leaves out rows that are older than the
 * last read row of that list: unread rows may belong before them.
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

/** Groups the changes of one request into one item. */
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

/** Groups items by day. `dayOf` returns the day of an instant in the account's time zone. */
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
