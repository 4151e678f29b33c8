import {
  type Label,
  type Contact,
  type FillableField,
  BUYER_TYPES,
  FILLABLE_FIELDS,
  SOURCES,
  TAG_MAX_LENGTH,
  TAGS_MAX_COUNT,
  type Source,
} from '../contacts/index.ts';
import type { FieldFault } from '../platform/http/index.ts';
import {
  emailKey,
  isBlank,
  isEmail,
  isStorable,
  labelKey,
  lengthOf,
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

/** The fields of a lead that are stored as they are sent. */
type PlainField = Exclude<FillableField & keyof ContactImport, (typeof JUDGED)[number]>;
const JUDGED = [
  'name',
  'notes',
  'source',
  'sourceExternalOriginalName',
  'buyerType',
  'budget',
  'assignedAccountUserId',
] as const;
const PLAIN_FIELDS = FILLABLE_FIELDS.filter(
  (field): field is PlainField =>
    field in ContactImport.properties && !JUDGED.some((each) => each === field),
);

/** Reads the body of an import that has no faults. */
export function toLead(body: ContactImport): Lead {
  const email = body.email.trim();
  return {
    email,
    emailKey: emailKey(email),
    fields: fieldsOf(body),
    ...sourceOf(body),
    note: supplied(body.notes),
    tags: together(readLabels(body)),
    projectId: suppliedId(body.projectId),
    unitId: suppliedId(body.unitId),
    assignedAccountUserId: suppliedId(body.assignedAccountUserId),
  };
}

/** The faults of a body whose fields have the right types. */
export function findLeadFaults(body: ContactImport): FieldFault[] {
  const labels = readLabels(body);
  return [
    ...unstorableFaults(body),
    ...emailFaults(body.email),
    ...buyerTypeFaults(body.buyerType),
    ...countFaults(together(labels)),
    ...lengthFaults('/tag', labels.tag),
    ...lengthFaults('/tags', labels.tags),
  ];
}

function supplied(text: string | null | undefined): string | null {
  return isBlank(text) ? null : text;
}

// PostgreSQL prints a UUID in lower case. A text that is no UUID is the id of no row.
function suppliedId(text: string | null | undefined): string | null {
  return supplied(text)?.toLowerCase() ?? null;
}

function fieldsOf(body: ContactImport): Lead['fields'] {
  const fields: Lead['fields'] = {};
  for (const field of PLAIN_FIELDS) {
    const value = supplied(body[field]);
    if (value !== null) fields[field] = value;
  }
  const name =
    supplied(body.name) ?? supplied([fields.firstName, fields.lastName].filter(Boolean).join(' '));
  if (name !== null) fields.name = name;
  const buyerType = BUYER_TYPES.find((each) => each === body.buyerType);
  if (buyerType !== undefined) fields.buyerType = buyerType;
  const budget = typeof body.budget === 'number' ? body.budget : supplied(body.budget);
  if (budget !== null) fields.budget = budget;
  return fields;
}

function sourceOf(body: ContactImport): Pick<Lead, 'source' | 'sourceLabel' | 'sentLabel'> {
  const source = supplied(body.source);
  const sentLabel = supplied(body.sourceExternalOriginalName);
  if (source === null)
    return { source: 'Other', sourceLabel: sentLabel ?? OMITTED_SOURCE_LABEL, sentLabel };
  const listed = SOURCES.find((each) => each.toLowerCase() === source.toLowerCase());
  if (listed !== undefined) return { source: listed, sourceLabel: sentLabel, sentLabel };
  return { source: 'Other', sourceLabel: source, sentLabel };
}

type Labels = Record<'tag' | 'tags', Label[]>;

function readLabels(body: ContactImport): Labels {
  return { tag: labelsOf([body.tag ?? '']), tags: labelsOf(textsOf(body.tags)) };
}

function together({ tag, tags }: Labels): Label[] {
  return [...tag, ...tags.filter(({ key }) => key !== tag[0]?.key)];
}

/** One label for each tag in the texts, in its first spelling. A label that is too long is the last one. */
function labelsOf(texts: string[]): Label[] {
  const byKey = new Map<string, Label>();
  for (const text of texts) {
    const label = normalizeLabel(text);
    const isTooLong = lengthOf(label) > TAG_MAX_LENGTH;
    const key = isTooLong ? label : labelKey(label);
    if (label !== '' && !byKey.has(key)) byKey.set(key, { label, key });
    // The lead is refused, so the other labels do not matter.
    if (isTooLong || byKey.size > TAGS_MAX_COUNT) break;
  }
  return [...byKey.values()];
}

function textsOf(tags: ContactImport['tags']): string[] {
  return typeof tags === 'string' ? tags.split(',') : (tags ?? []);
}

const FIELDS = Object.keys(ContactImport.properties) as (keyof ContactImport)[];

function unstorableFaults(body: ContactImport): FieldFault[] {
  return FIELDS.filter((field) => !isStorableValue(body[field])).map((field) => ({
    pointer: `/${field}`,
    detail: `${field} must not hold U+0000 or half of a surrogate pair.`,
  }));
}

function isStorableValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isStorableValue);
  return typeof value !== 'string' || isStorable(value);
}

function emailFaults(email: string): FieldFault[] {
  if (isBlank(email)) return [{ pointer: '/email', detail: 'email is required.' }];
  if (isEmail(email.trim())) return [];
  const detail =
    'email must be an email address such as aroha@example.com, of at most 254 characters.';
  return [{ pointer: '/email', detail }];
}

function buyerTypeFaults(buyerType: string | null | undefined): FieldFault[] {
  if (isBlank(buyerType) || BUYER_TYPES.some((each) => each === buyerType)) return [];
  return [{ pointer: '/buyerType', detail: `buyerType must be one of ${BUYER_TYPES.join(', ')}.` }];
}

function countFaults(labels: Label[]): FieldFault[] {
  if (labels.length <= TAGS_MAX_COUNT) return [];
  return [{ pointer: '/tags', detail: `tag and tags give more than ${TAGS_MAX_COUNT} labels.` }];
}

function lengthFaults(pointer: string, labels: Label[]): FieldFault[] {
  if (labels.every(({ label }) => lengthOf(label) <= TAG_MAX_LENGTH)) return [];
  const detail = `a tag's label must have at most ${TAG_MAX_LENGTH} characters.`;
  return [{ pointer, detail }];
}
