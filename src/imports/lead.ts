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
  type Stage,
} from '../contacts/index.ts';
import {
  createListedFinder,
  toEmailKey,
  isBlank,
  parseEmail,
  toLabelKey,
  countCharacters,
  normalizeLabel,
} from '../platform/text/index.ts';
import { ContactImport } from './schemas.ts';

/** How a lead came in. */
export type Channel = 'single' | 'batch' | 'file';

/** An import request after reading. A value that is absent, null, empty or blank is null here. */
export interface Lead {
  email: string;
  emailKey: string;
  /** Values for empty fields of the contact, except the source, its label, the stage and the time. */
  fields: Partial<Pick<Contact, FillableField>>;
  source: Source;
  /** Whether the request gives a source. */
  hasSource: boolean;
  /** The label of the source. It is written only together with the source. */
  sourceLabel: string | null;
  /** The label that was sent. It also fills the empty label of a contact that has a source. */
  sentLabel: string | null;
  /** The notes, in the order in which they become activities. */
  notes: string[];
  /** A lead of a file adds no note whose text the contact already has. Other leads compare only with the latest activity. */
  isOfFile: boolean;
  /** Whether the lead is refused when a contact has its email. */
  mustBeNew: boolean;
  tags: Label[];
  projectId: string | null;
  unitId: string | null;
  assignedAccountUserId: string | null;
  /** The texts that are not listed, and so became Other. */
  unlisted: UnlistedValue[];
  /** null for a lead over HTTP. */
  history: LeadHistory | null;
}

/** The past of a contact, which only a file can have. */
export interface LeadHistory {
  /** When the other system first knew the contact. */
  createdAt: string | null;
  /** When the note was written. */
  noteDate: string | null;
  stage: Stage | null;
  isArchived: boolean;
}

/** A text that is not one of the listed values of its field. */
export interface UnlistedValue {
  field: 'source' | 'buyerType';
  text: string;
}

const findSource = createListedFinder(SOURCES);
export const findBuyerType = createListedFinder(BUYER_TYPES);

const OMITTED_SOURCE_LABEL = 'API Import';

/** The fields of an import that are not among the `fields` of a lead. */
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

/** Converts the body of an import that has no faults to a lead. */
export function toLead(body: ContactImport): Lead {
  const email = parseEmail(body.email) ?? '';
  return {
    email,
    emailKey: toEmailKey(email),
    fields: readFields(body),
    ...readSource(body),
    notes: isBlank(body.notes) ? [] : [body.notes],
    isOfFile: false,
    mustBeNew: false,
    tags: joinLabels(readLabels(body)),
    projectId: readId(body.projectId),
    unitId: readId(body.unitId),
    assignedAccountUserId: readId(body.assignedAccountUserId),
    unlisted: findUnlistedValues(body),
    history: null,
  };
}

/** Finds the texts of a body that are not listed values of their fields. */
function findUnlistedValues({ source, buyerType }: ContactImport): UnlistedValue[] {
  const unlisted: UnlistedValue[] = [];
  if (!isBlank(source) && findSource(source) === undefined)
    unlisted.push({ field: 'source', text: source });
  if (!isBlank(buyerType) && findBuyerType(buyerType) === undefined)
    unlisted.push({ field: 'buyerType', text: buyerType });
  return unlisted;
}

function readText(text: string | null | undefined): string | null {
  return isBlank(text) ? null : text;
}

// PostgreSQL writes a UUID in lower case. No row has an id that is not a UUID.
function readId(text: string | null | undefined): string | null {
  return readText(text)?.toLowerCase() ?? null;
}

function readFields(body: ContactImport): Lead['fields'] {
  const supplied = PLAIN_FIELDS.filter((field) => !isEmpty(body[field] ?? null));
  const fields: Lead['fields'] = Object.fromEntries(supplied.map((field) => [field, body[field]]));
  const { buyerType } = fields;
  return buyerType ? { ...fields, buyerType: findBuyerType(buyerType) ?? 'Other' } : fields;
}

function readSource(
  body: ContactImport,
): Pick<Lead, 'source' | 'hasSource' | 'sourceLabel' | 'sentLabel'> {
  const source = readText(body.source);
  const sentLabel = readText(body.sourceExternalOriginalName);
  if (source === null)
    return {
      source: 'Other',
      hasSource: false,
      sourceLabel: sentLabel ?? OMITTED_SOURCE_LABEL,
      sentLabel,
    };
  const listed = findSource(source);
  const hasSource = true;
  if (listed !== undefined) return { source: listed, hasSource, sourceLabel: sentLabel, sentLabel };
  return { source: 'Other', hasSource, sourceLabel: source, sentLabel };
}

type Labels = Record<'tag' | 'tags', Label[]>;

export function readLabels(body: ContactImport): Labels {
  return { tag: toLabels([body.tag ?? '']), tags: toLabels(splitTags(body.tags)) };
}

/** Joins `tag` and `tags` without repeating `tag`. */
export function joinLabels({ tag, tags }: Labels): Label[] {
  return [...tag, ...tags.filter(({ key }) => key !== tag[0]?.key)];
}

/** Makes one label for each tag in the texts, in the first spelling. Stops after a label that is too long. */
function toLabels(texts: string[]): Label[] {
  const byKey = new Map<string, Label>();
  for (const text of texts) {
    if (text === '') continue;
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
