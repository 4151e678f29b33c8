import {
  findContactVersions,
  lockContactEmails,
  removeContacts,
  type ContactVersion,
} from '../../contacts/index.ts';
import { SYSTEM, type Author } from '../../events/index.ts';
import {
  readPages,
  retryOnConflict,
  runInTransaction,
  splitIntoChunks,
  type Pool,
  type Queryable,
} from '../../platform/database/index.ts';
import { ID_SLACK_MS } from './record.ts';
import { findNextSequence, recordRunEnd } from './run-events.ts';
import {
  findContactsFoundByLeads,
  findRunContacts,
  findRunStart,
  markUndone,
  type RunContact,
} from './run-store.ts';
import { NIL_ID } from '../../platform/text/index.ts';

/** A contact that a run created and its undo keeps. */
export interface RemainingContact {
  contactId: string;
  email: string;
  reason: 'it was changed since' | 'a lead found it since';
}

/** The report of an undo. */
export interface UndoReport {
  /** How many contacts were removed. */
  removed: number;
  /** How many contacts were gone before, for example because they were merged into another one. */
  gone: number;
  /** How many existing contacts the run merged into. They keep the values that it filled in. */
  merged: number;
  /** How many contacts that the run created are kept. */
  kept: number;
}

export interface Undo {
  dryRun: boolean;
  now: () => Date;
  /** The author of the undo. */
  author?: Author;
  /** Receives the contacts that are kept, some at a time. */
  onRemaining?: (remaining: RemainingContact[]) => void;
  /** The job that undoes the run. It records the end of the undo itself, since another process may have begun it. */
  job?: {
    /** Ends the undo after the present chunk. */
    stop: AbortSignal;
    /** Throws when another process has the job. Each chunk calls it in its transaction. */
    requireLease: (tx: Queryable) => Promise<void>;
  };
}

/** For each page, PostgreSQL groups all records of the run; Node.js holds one page in memory. */
const PAGE_MAX_CONTACTS = 20_000;
const CHUNK_MAX_CONTACTS = 500;

/**
 * Removes the contacts that a run created, with a transaction for each chunk, and returns a report; undefined when the log has no
 * such run. It keeps a contact that has changed since, or that a lead has merged into. The log stays. After an error, a repeat
 * removes the remaining contacts.
 */
export async function undoRun(
  db: Pool,
  accountId: string,
  runId: string,
  { dryRun, now, author = SYSTEM, onRemaining, job }: Undo,
): Promise<UndoReport | undefined> {
  const startedAt = await findRunStart(db, accountId, runId);
  if (startedAt === undefined) return undefined;
  // Subtract the slack, since the id of an import may be a little older than its run. Leads that are committed during the undo
  // have ids after `latest`, and each chunk looks for these again.
  const since = new Date(startedAt.getTime() - ID_SLACK_MS);
  const latest = new Date(now().getTime() - ID_SLACK_MS);
  const report: UndoReport = { removed: 0, gone: 0, merged: 0, kept: 0 };
  const firstSequence = await findNextSequence(db, accountId);

  /** Records the undo together with its last chunk, unless no contact was removed. */
  async function recordUndo(tx: Queryable, { removed, remaining }: Chunk): Promise<void> {
    const data = {
      removed: report.removed + removed.length,
      kept: report.kept + remaining.length,
    };
    if (data.removed === 0) return;
    const event = { type: 'contact_file.undone', subject: runId, data } as const;
    await recordRunEnd(tx, accountId, event, { firstSequence, now: now(), author });
  }

  /** Reads the contacts that the run created, and counts the others. */
  async function* readCreated(): AsyncGenerator<CreatedContact[]> {
    const pages = readPages<RunContact>((last) =>
      findRunContacts(db, accountId, runId, {
        after: last?.contactId ?? NIL_ID,
        limit: PAGE_MAX_CONTACTS,
      }),
    );
    for await (const page of pages) {
      const created = page.filter(({ isCreated }) => isCreated);
      report.merged += page.length - created.length;
      const ids = created.map(({ contactId }) => contactId);
      const found = await findContactsFoundByLeads(db, accountId, since, ids);
      for (const chunk of splitIntoChunks(created, CHUNK_MAX_CONTACTS))
        yield chunk.map((each) => ({ ...each, isFound: found.has(each.contactId) }));
    }
  }

  async function undoChunk(chunk: CreatedContact[], isLast: boolean): Promise<void> {
    const { removed, remaining } = await retryOnConflict(() =>
      runInTransaction(db, async (tx) => {
        const ids = chunk.map(({ contactId }) => contactId);
        if (!dryRun) await lockContactEmails(tx, accountId, ids);
        await job?.requireLease(tx);
        const stored = await findContactVersions(tx, accountId, ids);
        const foundSince = await findContactsFoundByLeads(tx, accountId, latest, ids);
        const split = splitChunk(chunk, stored, foundSince);
        if (dryRun) return split;
        const removedIds = split.removed.map(({ contactId }) => contactId);
        if (removedIds.length > 0) {
          await removeContacts(tx, accountId, removedIds, { now: now(), author });
          const recordIds = split.removed.flatMap((each) => each.recordIds);
          await markUndone(tx, accountId, recordIds, { now: now(), since });
        }
        if (isLast && !job) await recordUndo(tx, split);
        return split;
      }),
    );
    report.removed += removed.length;
    report.gone += chunk.length - removed.length - remaining.length;
    report.kept += remaining.length;
    onRemaining?.(remaining);
  }

  // Read one chunk ahead: the transaction of the last chunk also records the end of the undo.
  let waiting: CreatedContact[] | undefined;
  for await (const chunk of readCreated()) {
    if (job?.stop.aborted) return report;
    if (waiting) await undoChunk(waiting, false);
    waiting = chunk;
  }
  if (waiting) await undoChunk(waiting, true);
  return report;
}

/** A contact that the run created. `isFound`: a lead merged into it before the undo began. */
type CreatedContact = RunContact & { isFound: boolean };

interface Chunk {
  removed: RunContact[];
  remaining: RemainingContact[];
}

/** Decides which contacts of a chunk to remove. A contact that is in neither list is gone already. */
function splitChunk(chunk: CreatedContact[], stored: ContactVersion[], found: Set<string>): Chunk {
  const storedOf = new Map(stored.map((each) => [each.id, each]));
  const removed: RunContact[] = [];
  const remaining: RemainingContact[] = [];
  for (const contact of chunk) {
    const { contactId } = contact;
    const current = storedOf.get(contactId);
    if (current === undefined) continue;
    const isChanged = current.version !== contact.version;
    if (!isChanged && !contact.isFound && !found.has(contactId)) removed.push(contact);
    else
      remaining.push({
        contactId,
        email: current.email,
        reason: isChanged ? 'it was changed since' : 'a lead found it since',
      });
  }
  return { removed, remaining };
}
