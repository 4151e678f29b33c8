import {
  findContactVersions,
  lockContactEmails,
  removeContacts,
  type ContactVersion,
} from '../../contacts/index.ts';
import { SYSTEM, type Author } from '../../events/index.ts';
import {
  retryOnConflict,
  runInTransaction,
  type Pool,
  type Queryable,
} from '../../platform/database/index.ts';
import { ID_SLACK_MS } from './record.ts';
import { findNextSequence, recordRunEnd } from './run-events.ts';
import {
  findContactsOfLeads,
  findRunContacts,
  findRunStart,
  markUndone,
  type RunContact,
} from './runs.ts';

/** A contact that a run created and that its undo leaves. */
interface RemainingContact {
  contactId: string;
  email: string;
  reason: 'it was changed since' | 'a lead found it since';
}

/** The report of an undo. */
export interface UndoReport {
  /** How many contacts were removed. */
  removed: number;
  /** How many contacts were gone already, as they were merged into another one, for example. */
  gone: number;
  /** How many contacts the run found; they keep what it filled in. */
  merged: number;
  remaining: RemainingContact[];
}

interface Undo {
  dryRun: boolean;
  now: () => Date;
  /** The one who asks for it. */
  author?: Author;
}

const CHUNK_MAX_CONTACTS = 500;

/**
 * Removes the contacts that a run created, in chunks of a transaction each, and returns what it did; undefined when the log
 * has no such run. A contact that was changed since, or that a lead found, remains. The log remains, too. After an error a
 * repeat removes the others.
 */
export async function undoRun(
  db: Pool,
  accountId: string,
  runId: string,
  { dryRun, now, author = SYSTEM }: Undo,
): Promise<UndoReport | undefined> {
  const startedAt = await findRunStart(db, accountId, runId);
  if (startedAt === undefined) return undefined;
  // Subtract the slack, since an import may have an id that is a little older than its run. Leads that are committed while the
  // undo runs have ids after `latest`; each chunk looks for these again.
  const since = new Date(startedAt.getTime() - ID_SLACK_MS);
  const latest = new Date(now().getTime() - ID_SLACK_MS);
  const foundBefore = await findContactsOfLeads(db, accountId, since);
  const contacts = await findRunContacts(db, accountId, runId);
  const created = contacts.filter(({ isCreated }) => isCreated);
  const report: UndoReport = {
    removed: 0,
    gone: 0,
    merged: contacts.length - created.length,
    remaining: [],
  };

  const firstSequence = await findNextSequence(db, accountId);

  /** Records the undo together with its last chunk, unless no contact was removed. */
  async function recordUndo(tx: Queryable, { removed, remaining }: Chunk): Promise<void> {
    const data = {
      removed: report.removed + removed.length,
      kept: report.remaining.length + remaining.length,
    };
    if (data.removed === 0) return;
    const event = { type: 'contact_file.undone', subject: runId, data } as const;
    await recordRunEnd(tx, accountId, event, { firstSequence, now: now(), author });
  }

  async function undoChunk(chunk: RunContact[], isLast: boolean): Promise<Chunk> {
    return retryOnConflict(() =>
      runInTransaction(db, async (tx) => {
        const ids = chunk.map(({ contactId }) => contactId);
        if (!dryRun) await lockContactEmails(tx, accountId, ids);
        const stored = await findContactVersions(tx, accountId, ids);
        const foundSince = await findContactsOfLeads(tx, accountId, latest);
        const sorted = sortChunk(chunk, stored, foundBefore.union(foundSince));
        if (dryRun) return sorted;
        const removedIds = sorted.removed.map(({ contactId }) => contactId);
        if (removedIds.length > 0) {
          await removeContacts(tx, accountId, removedIds, { now: now(), author });
          const recordIds = sorted.removed.flatMap((each) => each.recordIds);
          await markUndone(tx, accountId, recordIds, { now: now(), since });
        }
        if (isLast) await recordUndo(tx, sorted);
        return sorted;
      }),
    );
  }

  for (let at = 0; at < created.length; at += CHUNK_MAX_CONTACTS) {
    const chunk = created.slice(at, at + CHUNK_MAX_CONTACTS);
    const isLast = at + CHUNK_MAX_CONTACTS >= created.length;
    const { removed, remaining } = await undoChunk(chunk, isLast);
    report.removed += removed.length;
    report.gone += chunk.length - removed.length - remaining.length;
    report.remaining.push(...remaining);
  }
  return report;
}

interface Chunk {
  removed: RunContact[];
  remaining: RemainingContact[];
}

/** Decides which contacts of a chunk go. A contact that is in neither list is gone already. */
function sortChunk(chunk: RunContact[], stored: ContactVersion[], found: Set<string>): Chunk {
  const storedOf = new Map(stored.map((each) => [each.id, each]));
  const removed: RunContact[] = [];
  const remaining: RemainingContact[] = [];
  for (const contact of chunk) {
    const { contactId } = contact;
    const now = storedOf.get(contactId);
    if (now === undefined) continue;
    const isChanged = now.version !== contact.version;
    if (!isChanged && !found.has(contactId)) removed.push(contact);
    else
      remaining.push({
        contactId,
        email: now.email,
        reason: isChanged ? 'it was changed since' : 'a lead found it since',
      });
  }
  return { removed, remaining };
}
