import {
  CONTACT,
  findContacts,
  findTags,
  parseActivity,
  parseLink,
  planContact,
  toLinkKey,
  type Activity,
  type Changes,
  type Contact,
  type ContactStep,
  type FullContact,
  type Label,
  type Link,
} from '../contacts/index.ts';
import { compareRows } from '../events/index.ts';
import type { Queryable } from '../platform/database/index.ts';
import { listFieldChanges } from '../platform/fields/index.ts';
import { newId } from '../platform/text/index.ts';
import type { MatchedEntry } from './entries.ts';
import type { PlannedEnquiry } from './plan-contacts.ts';
import type { LoadPlan } from './plan-load.ts';
import {
  countChanges,
  DETAILS_MAX_COUNT,
  joinChanges,
  type ChangeCounts,
  type RowChange,
} from './plan-rows.ts';
import type { ContactEntry } from './schemas.ts';

/** The changes of a contact that the load writes, for its events. Its tags may have no ids yet. */
type LoadStep = Omit<ContactStep, 'tags'> & Pick<Changes, 'tags'>;

/** The changes of some contacts of a file. */
export interface ContactChunk {
  changes: Changes;
  steps: LoadStep[];
  size: number;
}

/** The changes of all contacts of a file. */
export interface ContactPlan {
  /** The changes of up to 2,000 contacts each, in the order of the file. */
  chunks: ContactChunk[];
  counts: ChangeCounts;
  /** The existing contacts that change. */
  updated: { pointer: string; row: Contact }[];
  /** The first changes, for the report. */
  details: RowChange[];
}

const CHUNK_MAX_CONTACTS = 2_000;

/** Plans the contacts of a file, chunk by chunk. */
export async function planContactChanges(
  tx: Queryable,
  accountId: string,
  { contacts: matches, labels, enquiries }: Pick<LoadPlan, 'contacts' | 'labels' | 'enquiries'>,
): Promise<ContactPlan> {
  const tagIds = await findTags(tx, accountId, [...labels.values()]);
  const chunks: ContactPlan['chunks'] = [];
  const planned: PlannedContact[] = [];
  while (planned.length < matches.length) {
    const chunk = matches.slice(planned.length, planned.length + CHUNK_MAX_CONTACTS);
    const ids = chunk.filter(({ isNew }) => !isNew).map(({ id }) => id);
    const found = await findContacts(tx, accountId, ids);
    const stored = new Map(found.map((each) => [each.contact.id, each]));
    const ofChunk = chunk.map((match) => {
      const own = { found: stored.get(match.id), enquiries: enquiries.get(match.id) ?? [] };
      return planOne(match, own, { labels, tagIds });
    });
    chunks.push({ ...joinContacts(ofChunk), size: chunk.length });
    planned.push(...ofChunk);
  }
  const updated = planned.filter(({ change }) => change === 'updated');
  return { chunks, counts: countChanges(planned), updated, details: selectDetails(planned) };
}

interface PlannedContact {
  pointer: string;
  row: Contact;
  stored: Contact | undefined;
  change: 'created' | 'updated' | 'unchanged';
  /** Null when the contact does not change. */
  step: LoadStep | null;
}

/** The label of each spelling, and the ids of the tags that exist by their keys. */
interface KnownTags {
  labels: Map<string, Label>;
  tagIds: Map<string, string>;
}

function planOne(
  { pointer, id: contactId, entry }: MatchedEntry<ContactEntry>,
  { found, enquiries }: { found: FullContact | undefined; enquiries: PlannedEnquiry[] },
  known: KnownTags,
): PlannedContact {
  const stored = found?.contact;
  const plan = planContact(stored, contactId, entry);
  const tags = selectNewTags(entry, found, known);
  const listed: (Activity & { id?: string })[] = [
    ...(entry.activities ?? []).map(parseActivity),
    ...enquiries,
  ];
  const activities = selectNewActivities(listed, found);
  const links = selectNewLinks(entry, found);
  const hasMore = tags.length + activities.length + links.length > 0;
  const change = joinChanges(plan.change, hasMore);
  if (change === 'unchanged') return { pointer, row: plan.row, stored, change, step: null };
  const step = {
    contactId,
    isNew: found === undefined,
    ...compareRows(CONTACT, stored, plan.row),
    tags: tags.map((tag) => ({ id: newId(), contactId, tag })),
    activities: activities.map((each) => ({ id: newId(), contactId, ...each })),
    links: links.map((each) => ({ id: newId(), contactId, ...each })),
    importId: null,
  };
  return { pointer, row: plan.row, stored, change, step };
}

/** Joins the changes of contacts. */
function joinContacts(planned: PlannedContact[]): Pick<ContactChunk, 'changes' | 'steps'> {
  const steps = planned.flatMap(({ step }) => step ?? []);
  const rowsOf = (change: PlannedContact['change']) =>
    planned.filter((each) => each.change === change).map(({ row }) => row);
  const redated = planned.filter(
    ({ stored, row }) => stored !== undefined && stored.createdAt !== row.createdAt,
  );
  const changes = {
    inserted: rowsOf('created'),
    updated: rowsOf('updated'),
    tags: steps.flatMap(({ tags }) => tags),
    activities: steps.flatMap(({ activities }) => activities),
    links: steps.flatMap(({ links }) => links),
    redated: redated.map(({ row }) => row.id),
  };
  return { changes, steps };
}

function selectNewTags(
  { tags = [] }: ContactEntry,
  found: FullContact | undefined,
  { labels, tagIds }: KnownTags,
): Label[] {
  const existingIds = new Set(found?.tags.map(({ tagId }) => tagId));
  const labelOfKey = new Map(
    tags.flatMap((text) => {
      const label = labels.get(text);
      return label === undefined ? [] : [[label.key, label] as const];
    }),
  );
  return [...labelOfKey.values()].filter(({ key }) => !existingIds.has(tagIds.get(key) ?? ''));
}

// Selects the activities that a contact lacks. A contact can have the same activity several times, so each stored activity
// matches only one of the file. The outcome does not count: a file that corrects it must not add a second activity.
function selectNewActivities<T extends Activity>(
  activities: T[],
  found: FullContact | undefined,
): T[] {
  const toKey = ({ type, occurredAt, body }: Activity) => JSON.stringify([type, occurredAt, body]);
  const unmatchedActivities = Map.groupBy(found?.activities ?? [], toKey);
  return activities.filter((each) => unmatchedActivities.get(toKey(each))?.pop() === undefined);
}

function selectNewLinks({ links = [] }: ContactEntry, found: FullContact | undefined): Link[] {
  const existingKeys = new Set(found?.links.map(toLinkKey));
  const linkOfKey = new Map(links.map(parseLink).map((link) => [toLinkKey(link), link]));
  return [...linkOfKey].filter(([key]) => !existingKeys.has(key)).map(([, link]) => link);
}

function selectDetails(planned: PlannedContact[]): RowChange[] {
  const created = planned.filter(({ change }) => change === 'created').slice(0, DETAILS_MAX_COUNT);
  const updated = planned.filter(({ change }) => change === 'updated').slice(0, DETAILS_MAX_COUNT);
  return [...created, ...updated].map(({ row, stored, change, step }) => ({
    noun: 'contact',
    name: row.email,
    change,
    fields: stored === undefined ? [] : listFieldChanges(CONTACT, stored, row),
    added: (['tags', 'activities', 'links'] as const).flatMap((part) => {
      const count = step?.[part].length ?? 0;
      return count > 0 ? `${part} +${count}` : [];
    }),
  }));
}
