import { useQuery, type QueryClient } from '@tanstack/react-query';
import { api, ifMatch, type Unit } from '../api.ts';
import { createEdits } from '../parts/edit/edit.ts';
import { patchGridRows } from '../parts/grid/index.ts';
import { toAuthor } from '../parts/edit/conflict.ts';
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
    send: async ({ floorPlanImage: plan, ...others }, etag) => {
      const params = { path: { unitId: id }, header: ifMatch(etag) };
      // The API accepts only the key and the text of a picture.
      const picture = plan && { key: plan.key, alt: plan.alt ?? null };
      const body = picture === undefined ? others : { ...others, floorPlanImage: picture };
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
