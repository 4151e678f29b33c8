import type { Principal } from '../../access/index.ts';
import { lockAccount, raiseRevision } from '../../accounts/index.ts';
import { SYSTEM, type Author } from '../../events/index.ts';
import { runInTransaction, type Pool, type Queryable } from '../../platform/database/index.ts';
import { invalidRequest, Problem, type Fault } from '../../platform/http/index.ts';
import { answerOnce, type IdempotencyClaim } from '../../platform/idempotency/index.ts';
import { isBlank, isUuid, newId } from '../../platform/text/index.ts';
import { setValues } from '../files/leads/file-leads.ts';
import { readLead } from '../files/leads/read-lead.ts';
import { planInTransaction } from '../dry-run.ts';
import { findNextSequence, recordRunEnd } from '../log/run-events.ts';
import {
  planContinue,
  planStart,
  planStop,
  planUndo,
  presentFile,
  readFileName,
  replaceAuthor,
  requireIdle,
  type FileChanges,
  type NamedFile,
  type RunOptions,
  type StoredFile,
} from './rules.ts';
import type { ContactFile, StartContactFile } from './schemas.ts';
import { deleteChunks, insertChunk } from './chunk-store.ts';
import {
  countFilesWithBytes,
  deleteFile,
  endUpload,
  findFile,
  insertFile,
  lockFile,
  updateFile,
} from './store.ts';
import type { RowValues } from '../files/rows/file-shape.ts';

export const FILE_MAX_BYTES = 64 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;
/** The most files of an account whose bytes are stored. */
const FILES_MAX = 20;

export type Upload = Pick<StoredFile, 'mediaFormat' | 'encoding'> & {
  name: string | undefined;
  body: AsyncIterable<Buffer>;
  /** Throws when the caller may no longer make the upload. */
  checkAgain: () => void | Promise<void>;
};

/** Stores the bytes of a file, a chunk at a time, and queues its check. */
export async function uploadFile(
  db: Pool,
  { accountId, actor }: Pick<Principal, 'accountId' | 'actor'>,
  { body, checkAgain, ...about }: Upload,
): Promise<ContactFile> {
  const id = newId();
  const name = readFileName(about.name, about.mediaFormat);
  await runInTransaction(db, async (tx) => {
    await lockAccount(tx, accountId);
    if ((await countFilesWithBytes(tx, accountId)) >= FILES_MAX)
      throw new Problem(
        'limit_reached',
        `An account has at most ${FILES_MAX} files whose rows are not imported; delete one first.`,
      );
    await insertFile(tx, accountId, { ...about, id, name, createdAt: new Date() }, actor);
  });
  try {
    const bytes = await storeBody(db, accountId, id, body);
    await checkAgain();
    // The upload ends and the file is read in one transaction, so that nobody can delete the file between the two.
    return await runInTransaction(db, async (tx) => {
      if (!(await endUpload(tx, accountId, id, bytes))) await deleteChunks(tx, accountId, id);
      return presentFile(await requireFile(tx, accountId, id));
    });
  } catch (error) {
    // If the file cannot be deleted now, the sweep deletes it.
    await deleteFile(db, accountId, id).catch(() => undefined);
    throw error;
  }
}

async function storeBody(
  db: Pool,
  accountId: string,
  fileId: string,
  body: AsyncIterable<Buffer>,
): Promise<number> {
  // All chunks share one buffer: when a statement has ended, the driver no longer needs its chunk.
  const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  let [length, total, position] = [0, 0, 0];

  async function store(): Promise<void> {
    await insertChunk(db, accountId, fileId, { position, bytes: chunk.subarray(0, length) });
    position += 1;
    length = 0;
  }

  for await (const part of body) {
    total += part.length;
    if (total > FILE_MAX_BYTES) throw fileTooLarge();
    for (let at = 0; at < part.length;) {
      const copied = part.copy(chunk, length, at);
      at += copied;
      length += copied;
      if (length === CHUNK_BYTES) await store();
    }
  }
  if (length > 0) await store();
  return total;
}

export function fileTooLarge(): Problem {
  const detail = `The body may have at most ${FILE_MAX_BYTES / 2 ** 20} MiB.`;
  return new Problem('body_too_large', detail, { headers: { connection: 'close' } });
}

/** Finds a file; throws a 404 when the account has none with this id. */
export async function requireFile(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<NamedFile> {
  const file = isUuid(id) ? await findFile(db, accountId, id) : undefined;
  return file ?? throwNotFound();
}

async function requireLocked(tx: Queryable, accountId: string, id: string): Promise<NamedFile> {
  const file = isUuid(id) ? await lockFile(tx, accountId, id) : undefined;
  return file ?? throwNotFound();
}

function throwNotFound(): never {
  throw new Problem(
    'contact_file_not_found',
    'fileId must be the id of a contact file of this account.',
  );
}

interface Start {
  principal: Pick<Principal, 'accountId'>;
  author: Author;
  fileId: string;
  claim: IdempotencyClaim | null;
}

/** Queues a run of a file, at most once for an Idempotency-Key. */
export async function startRun(
  db: Pool,
  { principal: { accountId }, author, fileId, claim }: Start,
  { set, ...body }: StartContactFile,
): Promise<{ result: ContactFile; isRepeat: boolean }> {
  const values = readValues(set);
  const options: RunOptions = { ...body, ...(values && { set: values }), author };
  return answerOnce(db, { accountId, claim, status: 202 }, async (tx) => {
    const file = await requireLocked(tx, accountId, fileId);
    if (values !== undefined) await checkValues(tx, accountId, values);
    return storeChanges(tx, accountId, file, planStart(file, options));
  });
}

/** Takes out the values that are blank: they count as not supplied. */
function readValues(set: StartContactFile['set']): RowValues | undefined {
  const entries = Object.entries(set ?? {}).filter(([, value]) =>
    typeof value === 'string' ? !isBlank(value) : value.length > 0,
  );
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Throws the problem that would refuse each row with these values. */
async function checkValues(tx: Queryable, accountId: string, set: RowValues): Promise<void> {
  const value = setValues({ email: 'nobody@example.com' }, set);
  const lead = readLead({ value, extra: {}, others: [] }, 'file');
  if (lead instanceof Problem) throw placeInSet(lead);
  const origin = { channel: 'file', apiKeyId: null, requestId: null, position: null } as const;
  const [outcome] = await planInTransaction(tx, accountId, [
    {
      id: newId(),
      receivedAt: new Date(),
      origin: { ...origin, file: null, runId: null },
      author: SYSTEM,
      payload: '',
      lead,
    },
  ]);
  if (outcome instanceof Problem) throw placeInSet(outcome);
}

function placeInSet({ code, message, members: { errors = [] } }: Problem): Problem {
  const placed = errors.map((fault): Fault => {
    if (fault.pointer === undefined) return fault;
    return { ...fault, pointer: `/set${fault.pointer}`, detail: `set.${fault.detail}` };
  });
  if (code === 'invalid_request') return invalidRequest(placed);
  return new Problem(code, `set.${message}`, { errors: placed });
}

type Plan = (file: StoredFile) => FileChanges | null;

/**
 * Stops the run of a file. A queued run ends at once, and that of an import then has its event. Without a run, nothing changes.
 */
export function stopRun(
  db: Pool,
  { accountId }: Principal,
  author: Author,
  id: string,
): Promise<ContactFile> {
  return runInTransaction(db, async (tx) => {
    const now = new Date();
    // Lock the revision before the file, as imports and erasures do.
    await raiseRevision(tx, accountId, now, { rows: 0 });
    const file = await requireLocked(tx, accountId, id);
    const changes = planStop(file, now);
    if (changes === null) return presentFile(file);
    if (changes.status === 'stopped') await recordStop(tx, accountId, file, { now, author });
    return storeChanges(tx, accountId, file, changes);
  });
}

/** Appends the event of a run that ends while it is queued. */
async function recordStop(
  tx: Queryable,
  accountId: string,
  { id, created, merged, refused, firstSequence }: StoredFile,
  { now, author }: { now: Date; author: Author },
): Promise<void> {
  const data = { created, merged, refused };
  await recordRunEnd(
    tx,
    accountId,
    { type: 'contact_file.stopped', subject: id, data },
    { firstSequence: firstSequence ?? (await findNextSequence(tx, accountId)), now, author },
  );
}

/** Queues a stopped run again. */
export const continueRun = (db: Pool, principal: Principal, id: string) =>
  changeFile(db, principal, id, planContinue);

/** Queues the undo of a run. */
export const undoFile = (db: Pool, principal: Principal, author: Author, id: string) =>
  changeFile(db, principal, id, (file) => {
    const changes = planUndo(file);
    const options = file.options && replaceAuthor(file.options, author);
    return changes && { ...changes, ...(options && { options }) };
  });

function changeFile(
  db: Pool,
  { accountId }: Principal,
  id: string,
  plan: Plan,
): Promise<ContactFile> {
  return runInTransaction(db, async (tx) => {
    const file = await requireLocked(tx, accountId, id);
    const changes = plan(file);
    return changes === null ? presentFile(file) : storeChanges(tx, accountId, file, changes);
  });
}

/** Stores the changes of a locked file. Returns it as the API shows it. */
async function storeChanges(
  tx: Queryable,
  accountId: string,
  file: NamedFile,
  changes: FileChanges,
): Promise<ContactFile> {
  await updateFile(tx, accountId, file.id, changes);
  return presentFile({ ...file, ...changes, version: file.version + 1 });
}

/** Deletes a file with its bytes. Contacts and the import log stay. */
export function removeFile(db: Pool, { accountId }: Principal, id: string): Promise<void> {
  return runInTransaction(db, async (tx) => {
    const file = await requireLocked(tx, accountId, id);
    requireIdle(file);
    await deleteFile(tx, accountId, file.id);
  });
}
