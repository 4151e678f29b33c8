import { api, type Unit } from '../api.ts';
import type { GridPage, PageRequest } from '../parts/grid/index.ts';

/** The parameters of the unit filter. The address and the API have the same names. */
const NAMES = [
  'project',
  'status',
  'unitType',
  'bedrooms',
  'level',
  'priceMin',
  'priceMax',
  'q',
] as const;
export type FilterName = (typeof NAMES)[number];
/** The filters that a person types. */
export const TYPED_FILTERS: readonly FilterName[] = ['bedrooms', 'level', 'priceMin', 'priceMax'];

export type UnitQuery = Partial<Record<FilterName, string>>;

const SORTS = [
  'position',
  '-position',
  'project',
  '-project',
  'price',
  '-price',
  'name',
  '-name',
  'updatedAt',
  '-updatedAt',
] as const;
export type UnitSort = (typeof SORTS)[number];

/** Reads the filter from the address. `projectId` limits it to the project of the page. */
export function readFilter(query: URLSearchParams, projectId?: string): UnitQuery {
  const filter: UnitQuery = {};
  for (const name of NAMES) {
    const value = query.get(name)?.trim() ?? '';
    if (value !== '') filter[name] = value;
  }
  return projectId === undefined ? filter : { ...filter, project: projectId };
}

/** Reads the order from the address. Without one, the units of several projects stand project by project. */
export const readSort = (query: URLSearchParams, { project }: UnitQuery): UnitSort =>
  SORTS.find((sort) => sort === query.get('sort')) ??
  (project === undefined || project.includes(',') ? 'project' : 'position');

/** Converts a filter to JSON for bulk changes and saved views: lists become arrays, amounts become numbers. */
export function toFilterObject(filter: UnitQuery): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(filter).map(([name, value]) => {
      if (name === 'q') return [name, value];
      if (name === 'priceMin' || name === 'priceMax') return [name, Number(value)];
      return [name, value.split(',').map((each) => each.trim())];
    }),
  );
}

/** Converts the filter of a saved view to parameters of the address. */
export function toQuery(filter: Record<string, unknown>): Record<FilterName, string | null> {
  const entries = NAMES.map((name) => {
    const values = [filter[name] ?? []].flat() as (string | number)[];
    return [name, values.length === 0 ? null : values.join(',')] as const;
  });
  return Object.fromEntries(entries) as Record<FilterName, string | null>;
}

/** Reads a page of units. */
export async function readPage(
  filter: UnitQuery,
  sort: UnitSort,
  { cursor, limit, count }: PageRequest,
): Promise<GridPage<Unit>> {
  const { priceMin, priceMax, ...texts } = filter;
  const amounts = {
    ...(priceMin !== undefined && { priceMin: Number(priceMin) }),
    ...(priceMax !== undefined && { priceMax: Number(priceMax) }),
  };
  const place = { ...(cursor !== undefined && { cursor }), ...(count && { count }) };
  const query = { ...texts, ...amounts, ...place, sort, limit };
  const { data } = await api.GET('/stock/units', { params: { query } });
  const { nextCursor, totalCount, totalCountIsExact } = data.pagination;
  return { rows: data.data, next: nextCursor, totalCount, isTotalExact: totalCountIsExact };
}

/** Reads the values of a filter that accepts any of several values. */
export const readChosen = (query: URLSearchParams, name: string): string[] =>
  (query.get(name) ?? '').split(',').filter((each) => each !== '');
