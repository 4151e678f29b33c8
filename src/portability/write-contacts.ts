import { writeChanges, findContacts } from '../contacts/index.ts';
import type { Queryable } from '../platform/database/index.ts';
import type { Match } from './match.ts';
import { planContacts, type ContactsPlan } from './plan-contacts.ts';
import { countChanges, type Counts } from './plan-rows.ts';
import type { ContactEntry } from './schemas.ts';

export interface ContactReport {
  contacts: Counts;
  activities: { created: number };
  links: { created: number };
}

/** Called with the number of contacts that have been written so far. */
export type OnProgress = (done: number, total: number) => void;

interface Options {
  tagIdOf: (label: string) => string;
  newId: () => string;
  onProgress: OnProgress;
}

/** Writes what the contacts of a file change, chunk by chunk. */
export async function writeContacts(
  tx: Queryable,
  accountId: string,
  matches: Match<ContactEntry>[],
  { tagIdOf, newId, onProgress }: Options,
): Promise<ContactReport> {
  const planned: ContactsPlan['planned'] = [];
  const activities = { created: 0 };
  const links = { created: 0 };
  for (const chunk of cutIntoChunks(matches)) {
    const ids = chunk.filter(({ isNew }) => !isNew).map(({ id }) => id);
    const found = await findContacts(tx, accountId, ids);
    const stored = new Map(found.map((each) => [each.contact.id, each]));
    const plan = planContacts(chunk, stored, tagIdOf, newId);
    if (Object.values(plan.changes).some((rows) => rows.length > 0))
      await writeChanges(tx, accountId, plan.changes);
    planned.push(...plan.planned);
    activities.created += plan.changes.noted.length;
    links.created += plan.changes.linked.length;
    onProgress(planned.length, matches.length);
  }
  return { contacts: countChanges(planned), activities, links };
}

const CHUNK_MAX_CONTACTS = 2_000;
// One parameter carries all rows of a table, and PostgreSQL limits a parameter to 1 GB.
const CHUNK_MAX_CHARACTERS = 16_000_000;

function* cutIntoChunks(matches: Match<ContactEntry>[]): Generator<Match<ContactEntry>[]> {
  let chunk: Match<ContactEntry>[] = [];
  let characters = 0;
  for (const match of matches) {
    chunk.push(match);
    characters += countCharacters(match.entry);
    if (chunk.length < CHUNK_MAX_CONTACTS && characters < CHUNK_MAX_CHARACTERS) continue;
    yield chunk;
    chunk = [];
    characters = 0;
  }
  if (chunk.length > 0) yield chunk;
}

/** Counts the characters of all texts in a value. */
function countCharacters(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, each) => sum + countCharacters(each), 0);
}
