import type { QueryKey } from '@tanstack/react-query';

/** The key of the list that was on the screen last, by the noun of its rows. */
const shownLists = new Map<string, QueryKey>();

export function noteShownList(noun: string, key: QueryKey): void {
  shownLists.set(noun, key);
}

export const findShownList = (noun: string): QueryKey | undefined => shownLists.get(noun);
