import type { Webhook } from '../api.ts';
import { EVENT_TYPES } from '../live/types.ts';
import { FieldError, readText } from '../parts/form/form.tsx';
import { texts } from './texts.ts';

type WantedType = Webhook['types'][number];

/** The groups that the form offers, with the types of each. */
const GROUPS = {
  contacts: ['contact.*'],
  activities: ['activity.*'],
  stock: ['project.*', 'unit.*'],
  imports: ['import.*', 'contact_file.*'],
  settings: ['user.*', 'key.*', 'organization.*', 'webhook.*'],
} as const satisfies Record<string, readonly WantedType[]>;
type Group = keyof typeof GROUPS;
export const GROUP_NAMES = Object.keys(GROUPS) as Group[];

const KNOWN = new Set<string>([
  ...EVENT_TYPES,
  ...EVENT_TYPES.map((type) => type.replace(/\.\w+$/, '.*')),
]);

/** Splits types into the groups of the form and the other types. */
export function sortTypes(types: readonly WantedType[]): { groups: Group[]; exact: string[] } {
  const groups = GROUP_NAMES.filter((group) => GROUPS[group].every((type) => types.includes(type)));
  const grouped = new Set<WantedType>(groups.flatMap((group) => GROUPS[group]));
  return { groups, exact: types.filter((type) => type !== '*' && !grouped.has(type)) };
}

/** Describes in words which events a webhook gets. */
export function describeTypes(types: readonly WantedType[]): string {
  if (types.includes('*')) return texts.everything;
  const { groups, exact } = sortTypes(types);
  return [...groups.map((group) => texts.groups[group]), ...exact].join(', ');
}

/** Reads the types of the form. Throws when there are none, or an unknown one. */
export function readTypes(values: FormData): WantedType[] {
  if (values.has('everything')) return ['*'];
  const groups = values.getAll('groups') as Group[];
  const exact = readExactTypes(values);
  const chosen = new Set<WantedType>([...groups.flatMap((group) => GROUPS[group]), ...exact]);
  if (chosen.size === 0) throw new FieldError('groups', texts.typesMissing);
  return [...chosen];
}

/** Reads the typed types, between blanks, commas or line breaks. Throws for an unknown one. */
export function readExactTypes(values: FormData): WantedType[] {
  const exact = (readText(values, 'types') ?? '').split(/[\s,]+/).filter((type) => type !== '');
  const unknown = exact.find((type) => !KNOWN.has(type));
  if (unknown !== undefined) throw new FieldError('types', texts.typeUnknown(unknown));
  return [...new Set(exact)] as WantedType[];
}
