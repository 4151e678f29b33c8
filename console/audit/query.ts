import type { Change } from '../api.ts';
import { texts as keyTexts } from '../keys/texts.ts';
import { texts as accountTexts } from '../organization/texts.ts';
import type { Option } from '../parts/form/filter-choice.tsx';
import { contactFields, nameField } from '../parts/domain/contact-texts.ts';
import { texts } from './texts.ts';
import { toBounds } from '../parts/time/days.ts';

/** The filters of the page, as they are in the address. A day begins and ends in the account's time zone. */
export interface AuditFilter {
  type: string;
  field: string;
  actor: string;
  subject: string;
  from: string;
  to: string;
}

export const FILTER_NAMES = ['type', 'field', 'actor', 'subject', 'from', 'to'] as const;

/** Reads the filter from the address, and leaves out a type that does not exist. */
export function readFilter(query: URLSearchParams): AuditFilter {
  const pairs = FILTER_NAMES.map((name) => [name, query.get(name) ?? '']);
  const filter = Object.fromEntries(pairs) as unknown as AuditFilter;
  return { ...filter, type: Object.hasOwn(FIELDS, filter.type) ? filter.type : '' };
}

/** Makes the parameters of GET /changes for a filter. */
export function makeQuery(
  { type, field, actor, subject, from, to }: AuditFilter,
  timeZone: string,
) {
  const { after, before } = toBounds(from, to, timeZone);
  return {
    ...(type !== '' && { subjectType: type }),
    ...(field !== '' && { field }),
    ...(actor !== '' && { actor }),
    ...(subject !== '' && { subject }),
    ...(after && { after }),
    ...(before && { before }),
  };
}

/** The fields that the filter offers for each type of row. */
const FIELDS: Record<Change['subjectType'], readonly string[]> = {
  contact: Object.keys(contactFields),
  unit: ['status', 'price', 'priceDisplay', 'name', 'lotNumber', 'level', 'bedrooms', 'position'],
  project: ['publication', 'status', 'name', 'slug', 'galleryImages', 'heroImage'],
  user: ['role', 'active', 'email', 'name'],
  key: ['name', 'scopes', 'expiresAt', 'revokedAt', 'rateLimits'],
  organization: [
    'displayName',
    'timeZone',
    'agentsSee',
    'secondStepFor',
    'defaultCurrency',
    'logoImage',
  ],
  webhook: ['enabled', 'url', 'types', 'description', 'include', 'bulk', 'ordered'],
};

/** Lists the choices of the field filter: each wire name with its label. */
export const listFields = (type: string): Option[] =>
  (FIELDS[type as Change['subjectType']] ?? []).map((field) => ({
    id: field,
    name: describeField({ subjectType: type as Change['subjectType'], field }),
  }));

/** The names of fields, as the pages of the settings call them. */
const SETTING_NAMES: Partial<Record<Change['subjectType'], Record<string, string>>> = {
  webhook: texts.webhookFields,
  organization: accountTexts.labels,
  key: {
    name: keyTexts.name,
    scopes: keyTexts.allows,
    expiresAt: keyTexts.expires,
    rateLimits: keyTexts.limits,
  },
};

/** Makes the label of a field. Some have a label of their own; otherwise `logoImage` becomes "Logo image". */
export function describeField({
  subjectType,
  field,
}: Pick<Change, 'subjectType' | 'field'>): string {
  const own = SETTING_NAMES[subjectType]?.[field];
  const word = subjectType === 'contact' ? nameField(field) : (own ?? field);
  if (word !== field) return word;
  const words = field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
