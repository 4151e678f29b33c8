import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, listItems, type Project, type User } from '../../api.ts';

/** The query of all people of the account, also inactive ones, to whom contacts may still be assigned. */
export const USERS = queryOptions({
  queryKey: ['user', 'all'],
  queryFn: async () => await Array.fromAsync(listItems(api, '/users')),
});

export const useUsers = (): readonly User[] => useQuery(USERS).data ?? NONE;

/** The query of all projects by name. An account has few projects, and filters and menus need their names. */
export const PROJECTS = queryOptions({
  queryKey: ['project', 'all'],
  queryFn: async () =>
    await Array.fromAsync(
      listItems(api, '/stock/projects', { params: { query: { sort: 'name' } } }),
    ),
});

export function useProjects(): readonly Project[] {
  return useQuery(PROJECTS).data ?? NONE;
}

const NONE: readonly never[] = [];

/** Finds the name of a row by its id, or returns `other` when there is no such row. */
export const findName = (
  rows: readonly { id: string; name?: string }[],
  id: string,
  other: string,
): string => rows.find((row) => row.id === id)?.name ?? other;

/** Prepares a text for a comparison as the search of the service makes it: without case and accents, so that "hatea" finds Hātea. */
export const fold = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
