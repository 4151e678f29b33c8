import type { QueryKey } from '@tanstack/react-query';

export interface ShownList {
  key: QueryKey;
  /** Loads the rows after the last loaded one. */
  readNext: () => Promise<void>;
}

/** The list that was on the screen last, by the noun of its rows. */
const shownLists = new Map<string, ShownList>();

/** Notes that a list is on the screen, for the page of a row with "previous" and "next". */
export function noteShownList(noun: string, list: ShownList): void {
  shownLists.set(noun, list);
}

export const findShownList = (noun: string): ShownList | undefined => shownLists.get(noun);
