import {
  type Label,
  type Contact,
  type FillableField,
  BUYER_TYPES,
  FILLABLE_FIELDS,
  isEmpty,
  SOURCES,
  TAG_MAX_LENGTH,
  TAGS_MAX_COUNT,
  type Source,
} from '../contacts/index.ts';
import type { FieldFault } from '../platform/http/index.ts';
import {
  toEmailKey,
  isBlank,
  isEmail,
  isStorable,
  toLabelKey,
  countCharacters,
  normalizeLabel,
} from '../platform/text/index.ts';
import { ContactImport } from './schemas.ts';

/** An import request after reading. A value that is absent, null, empty or blank is null here. */
export interface Lead {
  email: string;
  emailKey: string;
  /** Values for empty fields of the contact, without the source, its label, the stage and the time. */
  fields: Partial<Pick<Contact, FillableField>>;
  source: Source;
  /** The label that goes with the source, written only together with it. */
  sourceLabel: string | null;
  /** The label that was sent, which also fills an empty one of a contact that has a source. */
  sentLabel: string | null;
  note: string | null;
  tags: Label[];
  projectId: string | null;
  unitId: string | null;
  assignedAccountUserId: string | null;
}

const OMITTED_SOURCE_LABEL = 'API Import';

/** Fields of an import that a lead has apart from `fields`. */
const SEPARATE_FIELDS = new Set<string>([
  'notes',
  'source',
  'sourceExternalOriginalName',
  'assignedAccountUserId',
]);
const PLAIN_FIELDS = FILLABLE_FIELDS.filter(
  (field): field is FillableField & keyof ContactImport =>
    field in ContactImport.properties && !SEPARATE_FIELDS.has(field),
);

/** Reads the body of an import that has no faults. */
export function toLead(body: ContactImport): Lead {
  const email = body.email.trim();
  return {
    email,
    emailKey: toEmailKey(email),
    fields: readFields(body),
    ...readSource(body),
    note: readText(body.notes),
    tags: joinLabels(readLabels(body)),
    projectId: readId(body.projectId),
    unitId: readId(body.unitId),
    assignedAccountUserId: readId(body.assignedAccountUserId),
  };
}

/** Finds the faults of a body whose fields have the right types. */
export function findLeadFaults(body: ContactImport): FieldFault[] {
  const labels = readLabels(body);
  return [
    ...checkStorable(body),
    ...checkEmail(body.email),
    ...checkBuyerType(body.buyerType),
    ...checkLabelCount(joinLabels(labels)),
    ...checkLabelLengths('/tag', labels.tag),
    ...checkLabelLengths('/tags', labels.tags),
  ];
}

function readText(text: string | null | undefined): string | null {
  return isBlank(text) ? null : text;
}

// PostgreSQL prints a UUID in lower case. A text that is no UUID is the id of no row.
function readId(text: string | null | undefined): string | null {
  return readText(text)?.toLowerCase() ?? null;
}

function readFields(body: ContactImport): Lead['fields'] {
  const supplied = PLAIN_FIELDS.filter((field) => !isEmpty(body[field] ?? null));
  const fields: Lead['fields'] = Object.fromEntries(supplied.map((field) => [field, body[field]]));
  const fullName = [fields.firstName, fields.lastName].filter(Boolean).join(' ');
  if (fullName !== '') fields.name ??= fullName;
  return fields;
}

function readSource(body: ContactImport): Pick<Lead, 'source' | 'sourceLabel' | 'sentLabel'> {
  const source = readText(body.source);
  const sentLabel = readText(body.sourceExternalOriginalName);
  if (source === null)
    return { source: 'Other', sourceLabel: sentLabel ?? OMITTED_SOURCE_LABEL, sentLabel };
  const listed = SOURCES.find((each) => each.toLowerCase() === source.toLowerCase());
  if (listed !== undefined) return { source: listed, sourceLabel: sentLabel, sentLabel };
  return { source: 'Other', sourceLabel: source, sentLabel };
}

type Labels = Record<'tag' | 'tags', Label[]>;

function readLabels(body: ContactImport): Labels {
  return { tag: toLabels([body.tag ?? '']), tags: toLabels(splitTags(body.tags)) };
}

function joinLabels({ tag, tags }: Labels): Label[] {
  return [...tag, ...tags.filter(({ key }) => key !== tag[0]?.key)];
}

/** Makes one label for each tag in the texts, in its first spelling. It stops after a label that is too long. */
function toLabels(texts: string[]): Label[] {
  const byKey = new Map<string, Label>();
  for (const text of texts) {
    const label = normalizeLabel(text);
    const isTooLong = countCharacters(label) > TAG_MAX_LENGTH;
    const key = isTooLong ? label : toLabelKey(label);
    if (label !== '' && !byKey.has(key)) byKey.set(key, { label, key });
    // The lead is refused, so the other labels do not matter.
    if (isTooLong || byKey.size > TAGS_MAX_COUNT) break;
  }
  return [...byKey.values()];
}

function splitTags(tags: ContactImport['tags']): string[] {
  return typeof tags === 'string' ? tags.split(',') : (tags ?? []);
}

const FIELDS = Object.keys(ContactImport.properties) as (keyof ContactImport)[];

function checkStorable(body: ContactImport): FieldFault[] {
  return FIELDS.filter((field) => !isStorableValue(body[field])).map((field) => ({
    pointer: `/${field}`,
    detail: `${field} must not hold U+0000 or half of a surrogate pair.`,
  }));
}

function isStorableValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isStorableValue);
  return typeof value !== 'string' || isStorable(value);
}

function checkEmail(email: string): FieldFault[] {
  if (isBlank(email)) return [{ pointer: '/email', detail: 'email is required.' }];
  if (isEmail(email.trim())) return [];
  const detail =
    'email must be an email address such as aroha@example.com, of at most 254 characters.';
  return [{ pointer: '/email', detail }];
}

function checkBuyerType(buyerType: string | null | undefined): FieldFault[] {
  if (isBlank(buyerType) || BUYER_TYPES.some((each) => each === buyerType)) return [];
  return [{ pointer: '/buyerType', detail: `buyerType must be one of ${BUYER_TYPES.join(', ')}.` }];
}

function checkLabelCount(labels: Label[]): FieldFault[] {
  if (labels.length <= TAGS_MAX_COUNT) return [];
  return [{ pointer: '/tags', detail: `tag and tags give more than ${TAGS_MAX_COUNT} labels.` }];
}

function checkLabelLengths(pointer: string, labels: Label[]): FieldFault[] {
  if (labels.every(({ label }) => countCharacters(label) <= TAG_MAX_LENGTH)) return [];
  const detail = `a tag's label must have at most ${TAG_MAX_LENGTH} characters.`;
  return [{ pointer, detail }];
}
