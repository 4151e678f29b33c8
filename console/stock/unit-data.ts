import { useQuery, type QueryClient } from '@tanstack/react-query';
import { api, ifMatch, listItems, type Unit } from '../api.ts';
import { createEdits } from '../parts/edit.ts';
import { patchGridRows } from '../parts/grid/index.ts';
import { toAuthor } from '../parts/conflict.ts';
import { describeUnitValue } from './describe.ts';
import { stockTexts as texts } from './stock-texts.ts';

export type UnitChange = Partial<Unit>;

/** The most units that the API adds or changes at once. */
export const UNITS_MAX_COUNT = 1_000;

const unitKey = (id: string) => ['unit', 'one', id] as const;

/** Reads a unit. */
export function useUnit(id: string) {
  return useQuery({ queryKey: unitKey(id), queryFn: () => readUnit(id) });
}

export async function readUnit(id: string): Promise<Unit> {
  const params = { path: { unitId: id } };
  return (await api.GET('/stock/units/{unitId}', { params })).data;
}

const IDS_MAX_COUNT = 100;

/** Reads units by their ids. Deleted ones are left out. */
export async function readUnits(ids: readonly string[]): Promise<Map<string, Unit>> {
  const units = new Map<string, Unit>();
  for (let from = 0; from < ids.length; from += IDS_MAX_COUNT) {
    const query = { unit: ids.slice(from, from + IDS_MAX_COUNT).join(','), limit: IDS_MAX_COUNT };
    const { data } = await api.GET('/stock/units', { params: { query } });
    for (const unit of data.data) units.set(unit.id, unit);
  }
  return units;
}

/** Reads all units of a project in their order. */
export function useProjectUnits(projectId: string | null) {
  return useQuery({
    queryKey: ['unit', 'of-project', projectId],
    queryFn: () => readProjectUnits(projectId ?? ''),
    enabled: projectId !== null,
  });
}

export async function readProjectUnits(projectId: string): Promise<Unit[]> {
  const params = { path: { projectId }, query: { limit: 500 } };
  return Array.fromAsync(listItems(api, '/stock/projects/{projectId}/units', { params }));
}

async function findLastUnitChange(id: string, change: UnitChange) {
  const query = { limit: 1, field: Object.keys(change).join(',') };
  const params = { path: { unitId: id }, query };
  const { data } = await api.GET('/stock/units/{unitId}/changes', { params });
  return toAuthor(data.data[0]);
}

/** Shows a changed unit in every list. */
function showUnit(queries: QueryClient, unit: Unit): void {
  queries.setQueryData(unitKey(unit.id), unit);
  patchGridRows<Unit>(queries, 'unit', (row) => (row.id === unit.id ? unit : row));
  queries.setQueriesData<Unit[]>({ queryKey: ['unit', 'of-project', unit.projectId] }, (units) =>
    units?.map((each) => (each.id === unit.id ? unit : each)),
  );
}

/** Saves a change of a unit with the version of `seen`, as `createEdits` does. All lists show it at once. */
export function saveUnit(queries: QueryClient, seen: Unit, change: UnitChange): Promise<void> {
  const { id } = seen;
  queries.setQueryData(unitKey(id), (cached: Unit | undefined) => cached ?? seen);
  const save = createEdits<Unit, UnitChange>(queries, {
    queryKey: unitKey(id),
    send: async (body, etag) => {
      const params = { path: { unitId: id }, header: ifMatch(etag) };
      return (await api.PATCH('/stock/units/{unitId}', { params, body })).data;
    },
    subject: seen.name ?? '',
    explain: (body, current) =>
      (Object.keys(body) as (keyof Unit)[]).map((name) => ({
        label: texts.fields[name] ?? name,
        theirs: describeUnitValue(name, current[name], current),
        mine: describeUnitValue(name, body[name], current),
      })),
    findLastChange: (body) => findLastUnitChange(id, body),
    onChange: (unit) => showUnit(queries, unit),
  });
  return save(change, seen);
}

/** Reloads the lists of units after the person added or ordered units. After changes by others, the rows keep their places until the person asks. */
export function showOwnChange(queries: QueryClient): void {
  void queries.invalidateQueries({ queryKey: ['unit'] });
  void queries.resetQueries({ queryKey: ['rows', 'unit'] });
}
