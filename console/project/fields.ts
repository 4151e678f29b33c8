import type { Project } from '../api.ts';

export type DetailName =
  | 'name'
  | 'slug'
  | 'status'
  | 'developmentDescription'
  | 'estimatedCompletionDate'
  | 'projectWebsiteUrl'
  | 'addressLine1'
  | 'addressLine2'
  | 'suburbName'
  | 'cityName'
  | 'postalCode'
  | 'regionName'
  | 'regionSlug'
  | 'latitude'
  | 'longitude';

type Kind = 'text' | 'area' | 'number' | 'date' | 'url' | 'status';

interface DetailField {
  name: DetailName;
  kind: Kind;
  /** Whether a live project must have it. */
  isNeeded?: boolean;
}

/** The fields of the details, in the order of the page. */
export const SECTIONS: readonly { id: 'about' | 'place'; fields: readonly DetailField[] }[] = [
  {
    id: 'about',
    fields: [
      { name: 'name', kind: 'text' },
      { name: 'slug', kind: 'text' },
      { name: 'status', kind: 'status' },
      { name: 'estimatedCompletionDate', kind: 'date', isNeeded: true },
      { name: 'projectWebsiteUrl', kind: 'url', isNeeded: true },
      { name: 'developmentDescription', kind: 'area', isNeeded: true },
    ],
  },
  {
    id: 'place',
    fields: [
      { name: 'addressLine1', kind: 'text', isNeeded: true },
      { name: 'addressLine2', kind: 'text' },
      { name: 'suburbName', kind: 'text', isNeeded: true },
      { name: 'cityName', kind: 'text', isNeeded: true },
      { name: 'postalCode', kind: 'text', isNeeded: true },
      { name: 'regionName', kind: 'text', isNeeded: true },
      { name: 'regionSlug', kind: 'text', isNeeded: true },
      { name: 'latitude', kind: 'number', isNeeded: true },
      { name: 'longitude', kind: 'number', isNeeded: true },
    ],
  },
];

export const PROJECT_STATUSES = [
  'Coming Soon',
  'Available',
  'Sold Out',
  'On Hold',
  'Completed',
] as const;

const KINDS = new Map(
  SECTIONS.flatMap(({ fields }) => fields.map(({ name, kind }) => [name, kind] as const)),
);

/** Formats a field of a project for its control. */
export function fieldText(project: Project, name: DetailName): string {
  const value = project[name];
  if (value == null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return KINDS.get(name) === 'date' ? text.slice(0, 10) : text;
}

/** Converts the text of a control to the value for the API. */
export function fieldValue(name: DetailName, text: string): string | number | null {
  const value = text.trim();
  if (value === '') return null;
  return KINDS.get(name) === 'number' ? Number(value) : value;
}
