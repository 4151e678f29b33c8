import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, listItems, type Project, type User } from '../api.ts';

/** All people of the account, the inactive ones too: contacts may be assigned to them. */
export function useUsers(): readonly User[] {
  const { data } = useQuery({
    queryKey: ['user', 'all'],
    queryFn: async () => await Array.fromAsync(listItems(api, '/users')),
  });
  return data ?? NONE;
}

/** All projects by name: an account has a few, and filters and menus need their names. */
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

/** The name of a row by its id; `other` for one that is not there. */
export const findName = (
  rows: readonly { id: string; name?: string }[],
  id: string,
  other: string,
): string => rows.find((row) => row.id === id)?.name ?? other;
