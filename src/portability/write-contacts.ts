import type { Queryable } from '../platform/database/index.ts';
import { changesWrite, findContacts } from '../contacts/index.ts';
import { planContacts } from './contact-changes.ts';
import type { MatchedContact } from './contacts.ts';
import { countChanges, type Counts } from './settle.ts';

export interface ContactReport {
  contacts: Counts;
  activities: { created: number };
  links: { created: number };
}

interface Givens {
  tagIdOf: (label: string) => string;
  newId: () => string;
  onProgress: (done: number, total: number) => void;
}

/** Writes what the contacts of a file change, part by part. */
export async function writeContacts(
  tx: Queryable,
  accountId: string,
  matched: MatchedContact[],
  { tagIdOf, newId, onProgress }: Givens,
): Promise<ContactReport> {
  const fates: ReturnType<typeof planContacts>['fates'] = [];
  const activities = { created: 0 };
  const links = { created: 0 };
  for (const part of partsOf(matched)) {
    const ids = part.filter(({ isNew }) => !isNew).map(({ id }) => id);
    const found = await findContacts(tx, accountId, ids);
    const stored = new Map(found.map((each) => [each.contact.id, each]));
    const plan = planContacts(part, stored, tagIdOf, newId);
    if (Object.values(plan.changes).some((rows) => rows.length > 0))
      await changesWrite(tx, accountId, plan.changes);
    fates.push(...plan.fates);
    activities.created += plan.changes.noted.length;
    links.created += plan.changes.linked.length;
    onProgress(fates.length, matched.length);
  }
  return { contacts: countChanges(fates), activities, links };
}

const PART_MAX = 2_000;
// A part travels as a few parameters, of which PostgreSQL limits each to 1 GB.
const PART_MAX_LENGTH = 16_000_000;

/** The contacts in parts that are neither too many nor too long to be dealt with at once. */
function* partsOf(matched: MatchedContact[]): Generator<MatchedContact[]> {
  let part: MatchedContact[] = [];
  let length = 0;
  for (const each of matched) {
    part.push(each);
    length += lengthOfTexts(each.entry);
    if (part.length < PART_MAX && length < PART_MAX_LENGTH) continue;
    yield part;
    part = [];
    length = 0;
  }
  if (part.length > 0) yield part;
}

function lengthOfTexts(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let length = 0;
  for (const member in value) length += lengthOfTexts(Reflect.get(value, member));
  return length;
}
