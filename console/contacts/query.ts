/** The filters with several values, as the address and the API name them. */
const LIST_FILTERS = [
  'stage',
  'source',
  'buyerType',
  'tag',
  'assignedTo',
  'project',
  'unit',
] as const;
export type ListFilter = (typeof LIST_FILTERS)[number];

/** The filters by time, each with the two parameters of the API for its range of days. */
export const DAY_FILTERS = {
  created: ['createdAfter', 'createdBefore'],
  lastActivity: ['lastActivityAfter', 'lastActivityBefore'],
  updated: ['updated_since', undefined],
} as const;
export type DayFilter = keyof typeof DAY_FILTERS;

export type FilterName = ListFilter | DayFilter | 'archived' | 'hasPhone';
export const FILTER_NAMES: readonly FilterName[] = [
  ...LIST_FILTERS,
  'created',
  'lastActivity',
  'updated',
  'hasPhone',
  'archived',
];

const PARAMETERS = [
  'q',
  ...LIST_FILTERS,
  'archived',
  'hasPhone',
  'createdAfter',
  'createdBefore',
  'lastActivityAfter',
  'lastActivityBefore',
  'updated_since',
] as const;
type Parameter = (typeof PARAMETERS)[number];

/** The filter of a list as query parameters, whose values are texts. */
export type FilterQuery = Partial<Record<Parameter, string>>;

/** Sets parameters of the address. Null removes a parameter. */
export type ChangeAddress = (changes: Record<string, string | null>) => void;

export const DEFAULT_SORT = '-createdAt';
const SORTS = new Set(['createdAt', 'updatedAt', 'lastActivityAt', 'name']);
const LEAST_SEARCH = 2;
const TIMES: ReadonlySet<string | undefined> = new Set(Object.values(DAY_FILTERS).flat());

/** Reads the filter from the address, and leaves out what the API would refuse. */
export function readFilter(address: URLSearchParams): FilterQuery {
  const filter: FilterQuery = {};
  for (const name of PARAMETERS) {
    const value = address.get(name)?.trim() ?? '';
    const isSent = name === 'q' ? value.length >= LEAST_SEARCH : value !== '';
    // A link that a mail program has cut may end within a time.
    const isTime = !TIMES.has(name) || !Number.isNaN(Date.parse(value));
    if (isSent && isTime) filter[name] = value;
  }
  return filter;
}

/** Reads the sort of the address. An unknown one counts as the default. */
export function readSort(address: URLSearchParams): string {
  const sort = address.get('sort') ?? DEFAULT_SORT;
  return SORTS.has(sort.replace(/^-/, '')) ? sort : DEFAULT_SORT;
}

/** Lists the parameters that a filter sets. */
function parametersOf(name: FilterName): readonly Parameter[] {
  return name in DAY_FILTERS
    ? DAY_FILTERS[name as DayFilter].filter((each) => each !== undefined)
    : [name as Parameter];
}

/** Whether the address sets a filter, which may have several parameters. */
export const isSet = (filter: FilterQuery, name: FilterName): boolean =>
  parametersOf(name).some((parameter) => filter[parameter] !== undefined);

/** Makes the change of the address that removes filters. */
export const withoutFilters = (names: readonly FilterName[]): Record<string, null> =>
  Object.fromEntries(names.flatMap(parametersOf).map((parameter) => [parameter, null]));

export const splitValues = (text: string | undefined): string[] =>
  text === undefined ? [] : text.split(',').filter((value) => value !== '');

/** Converts the filter of a saved view to parameters of the address. */
export function fromViewFilter(filter: Readonly<Record<string, unknown>>): FilterQuery {
  const values = filter as Record<string, string | boolean | string[] | null>;
  const entries = PARAMETERS.flatMap((name) => {
    const value = values[name];
    return value == null ? [] : [[name, Array.isArray(value) ? value.join() : String(value)]];
  });
  return Object.fromEntries(entries) as FilterQuery;
}

/** Converts the filter of the address to that of a view. */
export function toViewFilter(filter: FilterQuery): Record<string, unknown> {
  const entries = Object.entries(filter).map(([name, value]): [string, unknown] => {
    if ((LIST_FILTERS as readonly string[]).includes(name)) return [name, splitValues(value)];
    if (name === 'hasPhone') return [name, value === 'true'];
    if (name === 'archived') return [name, value === 'any' ? 'any' : value === 'true'];
    return [name, value];
  });
  return Object.fromEntries(entries);
}

/** Returns whether two filters are the same. The order of their values does not matter. */
export function isSameFilter(one: FilterQuery, other: FilterQuery): boolean {
  const sorted = (text: string | undefined) => splitValues(text).toSorted().join();
  return PARAMETERS.every((name) => sorted(one[name]) === sorted(other[name]));
}
