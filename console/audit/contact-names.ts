import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { api } from '../api.ts';
import { nameContact } from '../parts/domain/contact-name.ts';

const AT_ONCE_MAX = 100;

/** The name of a contact; null when the service does not show it. */
type Name = string | null;
const nameKey = (id: string) => ['contact', 'named', id] as const;

/** Reads the names of contacts by their ids. It requests only names that are not cached. */
async function readNames(
  queries: QueryClient,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Name>> {
  const missing = ids.filter((id) => queries.getQueryData<Name>(nameKey(id)) === undefined);
  for (let from = 0; from < missing.length; from += AT_ONCE_MAX) {
    const asked = missing.slice(from, from + AT_ONCE_MAX);
    const query = { contact: asked.join(), archived: 'any' as const, limit: AT_ONCE_MAX };
    const { data: page } = await api.GET('/contacts', { params: { query }, signal });
    const names = new Map(page.data.map((contact) => [contact.id, nameContact(contact)]));
    for (const id of asked) queries.setQueryData<Name>(nameKey(id), names.get(id) ?? null);
  }
  return new Map(ids.map((id) => [id, queries.getQueryData<Name>(nameKey(id)) ?? null]));
}

/** Reads the names of contacts, 100 a request. Returns a function that finds a name; it returns undefined until the name has arrived. */
export function useContactNames(ids: readonly string[]): (id: string) => string | undefined {
  const queries = useQueryClient();
  const wanted = [...new Set(ids)].toSorted();
  const { data } = useQuery({
    queryKey: ['contact', 'names', wanted],
    queryFn: ({ signal }) => readNames(queries, wanted, signal),
    enabled: wanted.length > 0,
    placeholderData: (before) => before,
    // The list of changes is long, and an event of one contact must not refetch all names.
    meta: { isManual: true },
  });
  return (id) => data?.get(id) ?? undefined;
}
