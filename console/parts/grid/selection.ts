import type { Selection } from './types.ts';

export const NOTHING_SELECTED: Selection = { all: false, ids: new Set() };
export const ALL_SELECTED: Selection = { all: true, ids: new Set() };

/** Whether a row is selected. In a selection of all rows, `ids` are those that are not. */
export function isSelected({ all, ids }: Selection, id: string): boolean {
  return ids.has(id) !== all;
}

/** Adds rows to a selection, or removes them. */
export function setSelected(selection: Selection, ids: Iterable<string>, on: boolean): Selection {
  const changed = new Set(selection.ids);
  for (const id of ids) {
    if (on === selection.all) changed.delete(id);
    else changed.add(id);
  }
  return { all: selection.all, ids: changed };
}

export function toggleSelected(selection: Selection, id: string): Selection {
  return setSelected(selection, [id], !isSelected(selection, id));
}

/** Counts the selected rows. `total` is the number of rows that match the filter. */
export function countSelected({ all, ids }: Selection, total: number): number {
  return all ? Math.max(total - ids.size, 0) : ids.size;
}
