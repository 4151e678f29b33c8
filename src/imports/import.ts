import { merged, leadsFind } from './store.ts';
import { newId } from '../platform/text/index.ts';
import {
  isForeignKeyViolation,
  isLockTimeout,
  isRolledBack,
  isUnavailable,
  exchange,
  retrying,
  type Pool,
  query,
  type Queryable,
} from '../platform/database/index.ts';
import { Problem } from '../platform/http/index.ts';
import {
  inPieces,
  paced,
  PIECE,
  PIECE_BESIDE_OTHERS,
  type Pause,
} from '../platform/queue/index.ts';
import { answersStatement, claimsHold } from './idempotency/store.ts';
import { inUse } from './idempotency/claim.ts';
import {
  type Label,
  tagsEnsure,
  type Changes,
  emailsLock,
  inLockOrder,
  type WritableChanges,
} from '../contacts/index.ts';
import type { Lead } from './lead.ts';
import { recordsOf, refusedBy } from './log/record.ts';
import { recordsWrite } from './log/store.ts';
import { expectedOf, newcomersWrite, wereNewcomers } from './newcomers.ts';
import { createPlanner, type Found } from './plan.ts';
import { importStatement } from './write.ts';
import type { Import, Outcome, Submission } from './submission.ts';

const LOCK_PATIENCE_MS = 5_000;
/** For how long a transaction rests between its pieces, and is the longer for it: its locks are waited for 3 seconds. */
const RESTS_MAX_MS = 1_500;

interface ImportOptions {
  /** Between two pieces of many imports, in a process that shares its time with others. Without it they are one piece. */
  pause?: Pause;
  /** Whether the next piece has to wait until this one is written, and the pause counts that, too. Never by default. */
  givesWay?: () => boolean;
  /**
   * The accounts whose leads are looked up first, since the last ones were no newcomers; for this to keep. Those of all
   * others are taken for newcomers; without it nobody's are.
   */
  lookFirst?: Set<string> | undefined;
  /** Until when locks are waited for. */
  untilMs?: number;
}

/**
 * Imports any number of leads of one account, in order: the only way in. One result for each submission: the
 * outcomes of its imports, or the Error because of which none of them happened. Accepted or refused, each is in
 * the log when this returns. Submissions that arrive together share a transaction; their number and length are
 * the caller's to bound.
 */
export async function importAll(
  db: Pool,
  accountId: string,
  submissions: Submission[],
  options: ImportOptions = {},
): Promise<(Outcome[] | Error)[]> {
  const { lookFirst, untilMs = performance.now() + LOCK_PATIENCE_MS } = options;
  const attempt = () =>
    retrying(async () => {
      const mayBeNew = lookFirst?.has(accountId) === false;
      const outcomes = mayBeNew ? await importNewcomers(db, accountId, submissions, options) : null;
      return outcomes ?? importOnce(db, accountId, submissions, options);
    });
  try {
    return await attempt().catch((error: unknown) => {
      // A unit was removed after it was found: looking again refuses the lead that names it.
      if (isForeignKeyViolation(error)) return attempt();
      throw error;
    });
  } catch (error) {
    const isOver = isLockTimeout(error) ? performance.now() > untilMs : isUnavailable(error);
    if (submissions.length === 1 || isOver) return fail(db, accountId, submissions, error);
    return inHalves(submissions, (half) => importAll(db, accountId, half, { ...options, untilMs }));
  }
}

/** What importing would give, one after the other; nothing is stored. */
export async function rehearse(
  db: Queryable,
  accountId: string,
  imports: Import[],
  pause?: Pause,
): Promise<Outcome[]> {
  const plan = createPlanner(
    await leadsFind(db, accountId, leadsOf(imports), new Date()),
    givens(),
  );
  const outcomes = (piece: Import[]): Outcome[] => outcomesOf(piece, plan(leadsOf(piece)).outcomes);
  const pieces = await inPieces(imports, outcomes, pause);
  return pieces.flat();
}

/*
 * What fails is cut in two until what fails is alone: a lead that fails in a way that nobody foresaw, or whose
 * email a load holds, must not take its neighbours along. For locks that has an end, since each try waits for one.
 */
async function inHalves<T, R>(all: T[], work: (half: T[]) => Promise<R[]>): Promise<R[]> {
  const middle = all.length >> 1;
  const first = await work(all.slice(0, middle));
  return [...first, ...(await work(all.slice(middle)))];
}

/** Imports what is one piece and of newcomers alone, in one round trip; null, with nothing imported, for all else. */
async function importNewcomers(
  db: Pool,
  accountId: string,
  submissions: Submission[],
  options: ImportOptions,
): Promise<Outcome[][] | null> {
  const imports = submissions.flatMap((each) => each.imports);
  if (options.pause !== undefined && imports.length > pieceMaxOf(options)) return null;
  if (submissions.some(({ keyed }) => keyed)) return null;
  const leads = leadsOf(imports);
  const expected = expectedOf(leads);
  const plan = createPlanner({ ...expected, contacts: [], tagIds: {} }, givens());
  const { outcomes: planned, changes } = plan(leads);
  const outcomes = outcomesOf(imports, planned);
  const records = recordsOf(imports, outcomes);
  const isWritten = await newcomersWrite(db, accountId, leads, {
    expected,
    changes,
    records,
  }).catch((error: unknown) => {
    // What is wrong is found out where each import is refused, or fails, by itself.
    if (isRolledBack(error)) return false;
    throw error;
  });
  if (!isWritten) return null;
  const all = outcomes.values();
  return submissions.map((each) => take(all, each));
}

/** Rests until then, and no longer: somebody may wait for a lock. */
const restingUntil =
  (untilMs: number, pause: Pause): Pause =>
  async (tookMs) =>
    performance.now() < untilMs && pause(tookMs);

const pieceMaxOf = ({ givesWay }: ImportOptions): number =>
  givesWay?.() ? PIECE_BESIDE_OTHERS : PIECE;

/** What a transaction has locked and looked up. */
interface Read {
  /** The submissions that may go on. */
  held: Set<Submission>;
  found: Found;
}

function importOnce(
  db: Pool,
  accountId: string,
  submissions: Submission[],
  options: ImportOptions,
): Promise<(Outcome[] | Error)[]> {
  const { givesWay = () => false, lookFirst } = options;
  const pause = options.pause && restingUntil(performance.now() + RESTS_MAX_MS, options.pause);
  const everyLead = leadsOf(submissions.flatMap((each) => each.imports));
  const most = pieceMaxOf(options);
  const isInPieces = givesWay() && everyLead.length > most;

  // In this order: what is read last sees what whoever held the locks before has written.
  async function read(tx: Queryable): Promise<Read> {
    const emailKeys = inLockOrder(everyLead.map(({ emailKey }) => emailKey));
    const lock = (keys: string[]) => emailsLock(tx, accountId, keys);
    const find = (leads: Lead[]) => leadsFind(tx, accountId, leads, new Date());
    const holding = claimsHold(tx, accountId, submissions);
    if (!isInPieces) {
      const [held, , found] = await Promise.all([holding, lock(emailKeys), find(everyLead)]);
      return { held, found };
    }
    const held = await holding;
    await inPieces(emailKeys, lock, pause, most);
    return { held, found: merged(await inPieces(everyLead, find, pause, most)) };
  }

  async function decide(tx: Queryable, { held, found }: Read) {
    if (wereNewcomers(everyLead, found)) lookFirst?.delete(accountId);
    else lookFirst?.add(accountId);
    const imports = submissions.filter((each) => held.has(each)).flatMap((each) => each.imports);
    const plan = createPlanner(found, givens());
    const planPiece = (piece: Import[]) => {
      const { outcomes, changes } = plan(leadsOf(piece));
      return { piece, outcomes: outcomesOf(piece, outcomes), changes };
    };
    const pieces = await inPieces(imports, planPiece, pause, most);
    const tags = pieces.flatMap(({ changes }) => changes.tagged.map(({ tag }) => tag));
    const tagIds = await tagIdsOf(tx, accountId, tags, found);
    type Planned = (typeof pieces)[number];
    const statementOf = ({ piece, outcomes, changes }: Planned) =>
      importStatement(accountId, withTagIds(changes, tagIds), recordsOf(piece, outcomes));
    const written: Promise<unknown>[] = [];
    const writePiece = async (planned: Planned) => {
      const { name, sql } = statementOf(planned);
      const writing = query(tx, name, sql);
      // What it fails with is thrown when all are waited for.
      writing.catch(() => undefined);
      written.push(writing);
      if (givesWay()) await writing;
    };
    // The last one goes with COMMIT.
    await paced(pieces.slice(0, -1), writePiece, pause);
    await Promise.all(written);
    const all = pieces.flatMap(({ outcomes }) => outcomes).values();
    const result = submissions.map((each) => (held.has(each) ? take(all, each) : inUse()));
    const statements = [
      ...pieces.slice(-1).map(statementOf),
      ...answersStatement(accountId, submissions, result),
    ];
    return { result, statements };
  }

  return exchange(db, { read, decide });
}

function take(outcomes: Iterator<Outcome>, { imports }: Submission): Outcome[] {
  return imports.map(() => outcomes.next().value as Outcome);
}

function leadsOf(imports: Import[]): Lead[] {
  return imports.flatMap(({ lead }) => (lead instanceof Problem ? [] : [lead]));
}

/** The outcomes of imports in order, those that were refused on reading among them. */
function outcomesOf(imports: Import[], planned: Outcome[]): Outcome[] {
  const next = planned.values();
  return imports.map(({ lead }) =>
    lead instanceof Problem ? lead : (next.next().value as Outcome),
  );
}

function givens(): { now: Date; newId: () => string } {
  return { now: new Date(), newId };
}

/** The ids of tags by their keys; those that the account lacks are made. */
async function tagIdsOf(
  tx: Queryable,
  accountId: string,
  tags: Label[],
  found: Found,
): Promise<Map<string, string>> {
  const known = new Map(Object.entries(found.tagIds));
  const missing = tags.filter(({ key }) => !known.has(key));
  const made = await tagsEnsure(tx, accountId, missing, newId);
  return new Map([...known, ...made]);
}

function withTagIds(changes: Changes, tagIds: Map<string, string>): WritableChanges {
  const tagged = changes.tagged.map(({ id, contactId, tag }) => {
    const tagId = tagIds.get(tag.key);
    if (tagId === undefined) throw new Error('a tag was neither found nor made');
    return { id, contactId, tagId };
  });
  return { ...changes, tagged };
}

// What failed for a reason of ours is kept as refused, so that it can be put through again once that is mended.
async function fail(
  db: Pool,
  accountId: string,
  submissions: Submission[],
  reason: unknown,
): Promise<Error[]> {
  const error = reason instanceof Error ? reason : new Error(String(reason));
  if (!isUnavailable(error)) {
    const imports = submissions.flatMap((each) => each.imports);
    const problem = new Problem(
      'internal_error',
      'The import could not be handled. It was logged.',
    );
    await recordsWrite(db, accountId, refusedBy(problem, imports)).catch((unkept: unknown) => {
      error.cause ??= unkept;
    });
  }
  return submissions.map(() => error);
}
