import type { Change, Key, Role, Scope } from '../api.ts';
import { describeLimits } from '../keys/limits.ts';
import { describeScopes } from '../keys/scopes.ts';
import { listOptions, type SettingName } from '../organization/fields.ts';
import { formatNumber, formatTime } from '../parts/text/format.ts';
import { texts as peopleTexts } from '../people/texts.ts';
import { describeTypes } from '../webhooks/types.ts';
import { texts } from './texts.ts';

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const SHOWN_MAX_CHARACTERS = 200;

/** Finds the name of a person, a project, a unit or a contact by its id. */
export type FindName = (id: string) => string | undefined;

/** Formats a value before or after a change for a person. */
export function describeValue(value: unknown, findName: FindName): string {
  if (value === null || value === undefined || value === '') return texts.nothing;
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value === 'string')
    return INSTANT.test(value) ? formatTime(value) : shorten(findName(value) ?? value);
  if (Array.isArray(value))
    return shorten(value.map((each) => describeValue(each, findName)).join(', '));
  return shorten(describeObject(value as Record<string, unknown>, findName));
}

/** Describes a value that the settings show in words of their own; undefined for any other value. */
export function describeSetting(
  { subjectType, field }: Pick<Change, 'subjectType' | 'field'>,
  value: unknown,
): string | undefined {
  if (value === null) return undefined;
  if (subjectType === 'webhook') return describeWebhookValue(field, value);
  if (subjectType === 'key') return describeKeyValue(field, value);
  if (subjectType === 'user' && field === 'role') return peopleTexts.roles[value as Role];
  if (subjectType !== 'organization') return undefined;
  return listOptions(field as SettingName).find(([option]) => option === value)?.[1];
}

function describeKeyValue(field: string, value: unknown): string | undefined {
  if (field === 'scopes') return describeScopes(value as Scope[]);
  if (field !== 'rateLimits') return undefined;
  return describeLimits(value as Key['rateLimits']) || texts.nothing;
}

function describeWebhookValue(field: string, value: unknown): string | undefined {
  if (field === 'types') return describeTypes(value as Parameters<typeof describeTypes>[0]);
  if (field === 'bulk') return value === 'each' ? texts.yes : texts.no;
  return field === 'include' ? texts.yes : undefined;
}

/** Describes an object: a tag by its label, a link by its project and unit, a picture by its key. */
function describeObject(value: Record<string, unknown>, findName: FindName): string {
  const { label, projectId, unitId, key } = value;
  if (typeof label === 'string') return label;
  if (typeof projectId === 'string')
    return [projectId, unitId]
      .filter((id) => typeof id === 'string')
      .map((id) => findName(id) ?? id)
      .join(', ');
  if (typeof key === 'string') return key.split('/').at(-1) ?? key;
  return Object.entries(value)
    .filter(([, each]) => each !== null)
    .map(([name, each]) => `${name} ${describeValue(each, findName)}`)
    .join(', ');
}

const shorten = (text: string): string =>
  text.length > SHOWN_MAX_CHARACTERS ? `${text.slice(0, SHOWN_MAX_CHARACTERS)}…` : text;

/** Finds the address of the page of a changed row; undefined when the row has no page. */
export function findAddress({ subjectType, subject }: Change): string | undefined {
  if (subjectType === 'contact') return `/contacts/${subject}`;
  if (subjectType === 'project') return `/stock/projects/${subject}`;
  if (subjectType === 'unit') return `/stock?unit=${subject}`;
  if (subjectType === 'user') return '/settings/people';
  if (subjectType === 'key') return '/settings/keys';
  if (subjectType === 'webhook') return '/settings/webhooks';
  return subjectType === 'organization' ? '/settings/account' : undefined;
}
