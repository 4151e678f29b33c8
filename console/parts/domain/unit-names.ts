import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { api, type Unit } from '../../api.ts';
import { findName, useProjects } from './names.ts';

const AT_ONCE_MAX = 100;

/** The key of a unit in the cache that lists share. */
const unitKey = (id: string) => ['unit', 'named', id] as const;

/** Reads units by their ids. It requests only units that are not cached, or were invalidated. */
export async function readUnits(
  queries: QueryClient,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, Unit | undefined>> {
  const wanted = [...new Set(ids)];
  // An event of any unit invalidates all cached units, but does not remove them.
  const missing = wanted.filter(
    (id) => queries.getQueryState(unitKey(id))?.isInvalidated !== false,
  );
  for (let from = 0; from < missing.length; from += AT_ONCE_MAX) {
    const query = { unit: missing.slice(from, from + AT_ONCE_MAX).join(), limit: AT_ONCE_MAX };
    const page = await api.GET('/stock/units', { params: { query }, ...(signal && { signal }) });
    for (const unit of page.data.data) queries.setQueryData(unitKey(unit.id), unit);
  }
  return new Map(wanted.map((id) => [id, queries.getQueryData<Unit>(unitKey(id))] as const));
}

/**
 * Reads the units that a page of contacts links to, 100 a request, and caches each. Returns a function that finds a unit; it
 * returns undefined until the unit has arrived.
 */
export function useUnits(ids: readonly string[]): (id: string) => Unit | undefined {
  const queries = useQueryClient();
  const wanted = [...new Set(ids)].toSorted();
  const { data } = useQuery({
    queryKey: ['unit', 'names', wanted],
    queryFn: async ({ signal }) => await readUnits(queries, wanted, signal),
    enabled: wanted.length > 0,
    placeholderData: (before) => before,
  });
  return (id) => data?.get(id);
}

/** Returns a function that names a link of a contact: "Lakefold, Lot 12", or only the project. */
export function useLinkNames(
  contacts: readonly { links?: { projectId: string; unitId?: string | null }[] }[],
): (link: { projectId: string; unitId?: string | null }) => string {
  const projects = useProjects();
  const links = contacts.flatMap((contact) => contact.links ?? []);
  const findUnit = useUnits(links.flatMap(({ unitId }) => unitId ?? []));
  return ({ projectId, unitId }) => {
    const unit = unitId == null ? undefined : findUnit(unitId);
    return [findName(projects, projectId, ''), unit?.name].filter(Boolean).join(', ');
  };
}
