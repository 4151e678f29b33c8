import { tabStorage } from '../browser/tab-storage.ts';
import type { CellPosition } from './types.ts';

/** The scroll position and the focused cell of a list. */
export interface Place extends CellPosition {
  top: number;
  /** Whether the focus was in the grid. */
  hadFocus: boolean;
}

const PREFIX = 'offplan-place:';
const AT_START: Place = { top: 0, row: 0, column: 0, hadFocus: false };

/** Reads the stored position of a list. It is the start when none is stored. */
export function readPlace(name: string): Place {
  try {
    const text = tabStorage.read(PREFIX + name);
    return text === null ? AT_START : { ...AT_START, ...(JSON.parse(text) as Partial<Place>) };
  } catch {
    return AT_START;
  }
}

export function savePlace(name: string, place: Place): void {
  tabStorage.write(PREFIX + name, JSON.stringify(place));
}

/** Forgets the position, so that the list begins at its first row. Call it before the filter or the order changes. */
export function forgetPlace(name: string): void {
  tabStorage.remove(PREFIX + name);
}
