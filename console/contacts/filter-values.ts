import { useQuery } from '@tanstack/react-query';
import { api, listItems } from '../api.ts';
import { formatShortDay } from '../parts/text/format.ts';
import { toBounds, toDay, toInstant } from '../parts/time/days.ts';
import { BUYER_TYPES, SOURCES } from '../parts/domain/contact-choices.ts';
import { findName, useProjects, useUsers } from '../parts/domain/names.ts';
import { STAGES } from '../parts/domain/status.tsx';
import { useUnits } from '../parts/domain/unit-names.ts';
import {
  DAY_FILTERS,
  splitValues,
  type DayFilter,
  type FilterName,
  type FilterQuery,
  type ListFilter,
} from './query.ts';
import { filterTexts as texts } from './texts.ts';

export interface FilterOption {
  id: string;
  label: string;
}

/** The value of a filter that means "has none". */
export const NONE = 'none';

const toOptions = (words: readonly string[]): FilterOption[] =>
  words.map((word) => ({ id: word, label: word }));

/** Reads all tags of the account, but only while they are shown: the service also counts their contacts, which takes seconds in a large account. */
export function useTags(isShown = true) {
  const { data } = useQuery({
    queryKey: ['tag', 'all'],
    queryFn: async () => await Array.fromAsync(listItems(api, '/tags')),
    enabled: isShown,
  });
  return data ?? [];
}

/** Lists the options of a filter. It is empty for units, which are found by a search. */
export function useOptions(name: ListFilter): FilterOption[] {
  const users = useUsers();
  const projects = useProjects();
  const tags = useTags(name === 'tag');
  const byName: Record<ListFilter, FilterOption[]> = {
    stage: toOptions(STAGES),
    source: toOptions(SOURCES),
    buyerType: toOptions(BUYER_TYPES),
    tag: tags.map(({ id, label }) => ({ id, label })),
    assignedTo: users.map(({ id, name, email }) => ({ id, label: name ?? email })),
    project: projects.map(({ id, name = '' }) => ({ id, label: name })),
    unit: [],
  };
  return byName[name];
}

export const nameNone = (name: FilterName): string =>
  name === 'assignedTo' ? texts.nobody : texts.none;

/** Returns a function that describes the value of a filter in words. */
export function useFilterWords(
  filter: FilterQuery,
  timeZone: string,
): (name: FilterName) => string {
  const users = useUsers();
  const projects = useProjects();
  const tags = useTags(splitValues(filter.tag).length > 0);
  const findUnit = useUnits(splitValues(filter.unit).filter((id) => id !== NONE));
  const labels = tags.map(({ id, label }) => ({ id, name: label }));
  const nameValue = (name: FilterName, value: string): string => {
    if (value === NONE) return nameNone(name);
    if (name === 'tag') return findName(labels, value, texts.gone);
    if (name === 'assignedTo') return findName(users, value, texts.gone);
    if (name === 'project') return findName(projects, value, texts.gone);
    if (name === 'unit') return findUnit(value)?.name ?? texts.gone;
    return value;
  };
  return (name) => {
    if (name === 'hasPhone') return filter.hasPhone === 'true' ? texts.yes : texts.no;
    if (name === 'archived')
      return filter.archived === 'any' ? texts.archivedToo : texts.archivedOnly;
    if (name in DAY_FILTERS)
      return nameDays(readDays(filter, name as DayFilter, timeZone), timeZone);
    const values = splitValues(filter[name as ListFilter]);
    return values.map((value) => nameValue(name, value)).join(', ');
  };
}

export interface Days {
  from: string;
  to: string;
}

function nameDays({ from, to }: Days, timeZone: string): string {
  const name = (day: string): string => formatShortDay(toInstant(`${day}T00:00`, timeZone));
  if (from !== '' && from === to) return name(from);
  if (from !== '' && to !== '') return `${name(from)} – ${name(to)}`;
  return from === '' ? texts.until(name(to)) : texts.after(name(from));
}

/** Reads the days of a filter by time, in the account's time zone. The bounds of the API are exclusive; the days are inclusive. */
export function readDays(filter: FilterQuery, name: DayFilter, timeZone: string): Days {
  const [after, before] = DAY_FILTERS[name];
  const day = (text: string | undefined, shiftMs: number): string => {
    const ms = Date.parse(text ?? '');
    return Number.isNaN(ms) ? '' : toDay(new Date(ms + shiftMs), timeZone);
  };
  return { from: day(filter[after], 1), to: before === undefined ? '' : day(filter[before], -1) };
}

/** Makes the change of the address that sets a filter by time to these days. */
export function writeDays({ from, to }: Days, name: DayFilter, timeZone: string) {
  const [after, before] = DAY_FILTERS[name];
  const bounds = toBounds(from, to, timeZone);
  return {
    [after]: bounds.after ?? null,
    ...(before !== undefined && { [before]: bounds.before ?? null }),
  };
}
