import type { CellPosition } from './types.ts';

/** Where a person was in a list. */
export interface Place extends CellPosition {
  top: number;
  /** Whether the focus was in the grid. */
  hadFocus: boolean;
}

const PREFIX = 'offplan-place:';
const AT_START: Place = { top: 0, row: 0, column: 0, hadFocus: false };

export function readPlace(name: string): Place {
  try {
    const text = sessionStorage.getItem(PREFIX + name);
    return text === null ? AT_START : { ...AT_START, ...(JSON.parse(text) as Partial<Place>) };
  } catch {
    return AT_START;
  }
}

export function savePlace(name: string, place: Place): void {
  try {
    sessionStorage.setItem(PREFIX + name, JSON.stringify(place));
  } catch {
    // A browser without storage, or with a full one, only loses the place.
  }
}

/** Makes the list begin at its first row. Call it before a person chooses another filter or order. */
export function forgetPlace(name: string): void {
  try {
    sessionStorage.removeItem(PREFIX + name);
  } catch {
    // There was nothing to forget.
  }
}
