import {
  listScopesOfKey,
  requireGrantable,
  type Access,
  type Principal,
  type Scope,
} from '../access/index.ts';
import { lockAccount, recordEvents } from '../accounts/index.ts';
import { listFields, OPERATOR, type Requester } from '../events/index.ts';
import { runInTransaction, type Pool, type Queryable } from '../platform/database/index.ts';
import { invalidRequest, Problem, requireMatch, type IfMatch } from '../platform/http/index.ts';
import { createOnce, type Creation } from '../platform/idempotency/index.ts';
import { isUuid, newId, parseDay, parseInstant } from '../platform/text/index.ts';
import { createKeyText, hashKey, readAccountId } from './key-text.ts';
import { presentKey } from './present.ts';
import { compareKeys, mergeRateLimits, NO_LIMITS } from './rules.ts';
import type { Key, KeyChanges, NewKey, ShownKey } from './schemas.ts';
import {
  countUsableKeys,
  findDetailedKey,
  findDetailedKeys,
  findKeyByHash,
  insertKey,
  markKeyRevoked,
  replaceText,
  updateKey,
  type ApiKey,
  type DetailedKey,
  type HashedText,
} from './store.ts';

/** The most usable keys of an account. */
const KEYS_MAX = 100;
/**
 * How many of a key's last characters are stored, so that people can tell keys apart. They are part of its checksum, not of its
 * secret.
 */
const LAST_CHARACTERS = 4;

/** A key to make. It has either an access or scopes. */
type KeyToIssue = { name: string; expiresAt?: Date | null } & (
  | { access: Access; scopes?: null }
  | { access?: null; scopes: Scope[] }
);

function hashText(key: string): HashedText {
  return { keySha256: hashKey(key), lastFour: key.slice(-LAST_CHARACTERS) };
}

/** Inserts a key without an event, as for the demo account. Returns its text, which is shown once and stored nowhere. */
export async function issueKey(
  db: Queryable,
  accountId: string,
  { name, access = null, scopes = null, expiresAt = null }: KeyToIssue,
): Promise<string> {
  const key = createKeyText(accountId);
  await insertKey(db, accountId, {
    id: newId(),
    name,
    access,
    scopes,
    ...hashText(key),
    createdAt: new Date(),
    createdBy: { type: 'system', id: null },
    expiresAt,
    rateLimits: NO_LIMITS,
  });
  return key;
}

/** A key to create. The one of `access` and `scopes` that is not used may be null. */
type KeyToCreate = Omit<NewKey, 'access' | 'scopes'> & Partial<Pick<ApiKey, 'access' | 'scopes'>>;

/** Makes an API key. Its text is shown once, and stored nowhere. */
export function createKey(
  db: Pool,
  { caller, author }: Requester,
  { accountId, claim, path }: Creation,
  { name, access = null, scopes = null, expiresAt, rateLimits }: KeyToCreate,
): Promise<{ resource: ShownKey; isRepeat: boolean }> {
  if ((access === null) === (scopes === null))
    throw invalidRequest([{ pointer: '/scopes', detail: 'Send either scopes or access.' }]);
  const now = new Date();
  return createOnce(db, { accountId, claim, path, secret: 'key' }, async (tx) => {
    await lockAccount(tx, accountId);
    requireGrantable(caller, listScopesOfKey({ access, scopes }));
    const expiry = { expiresAt: parseTime(expiresAt ?? null) };
    if (isExpired(expiry, now))
      throw invalidRequest([{ pointer: '/expiresAt', detail: 'expiresAt must be in the future.' }]);
    await requireRoomForKey(tx, accountId, now);
    const key = createKeyText(accountId);
    const id = newId();
    const row = {
      id,
      name,
      access,
      scopes,
      ...hashText(key),
      createdAt: now,
      createdBy: author.actor,
      ...expiry,
      rateLimits: mergeRateLimits(NO_LIMITS, rateLimits),
    };
    const change = compareKeys(undefined, row);
    const events = [{ type: 'key.created', subject: id, data: {}, change }] as const;
    await recordEvents(tx, accountId, [{ author, events: [...events] }], { now, rows: 0 });
    await insertKey(tx, accountId, row);
    return { ...(await requireKey(tx, accountId, id)), key };
  });
}

/** Finds a key. Throws a 404 when the account has none with this id. */
export async function requireKey(db: Queryable, accountId: string, id: string): Promise<Key> {
  return presentKey(accountId, await requireStored(db, accountId, id));
}

/** Reads keys for their events, as the API shows them, by their ids. */
export async function readKeyObjects(
  db: Queryable,
  { accountId }: Pick<Principal, 'accountId'>,
  ids: string[],
): Promise<Map<string, Key>> {
  const found = await findDetailedKeys(db, accountId, ids);
  return new Map(found.map((key) => [key.id, presentKey(accountId, key)]));
}

async function requireStored(db: Queryable, accountId: string, id: string): Promise<DetailedKey> {
  const stored = isUuid(id) ? await findDetailedKey(db, accountId, id) : undefined;
  if (stored === undefined) throw keyNotFound();
  return stored;
}

function keyNotFound(): Problem {
  return new Problem('key_not_found', 'The account has no such API key.');
}

/** A key of an account that a request is about. */
interface Target {
  accountId: string;
  id: string;
}

/** Changes the name, the end and the limits of a key. */
export function changeKey(
  db: Pool,
  { caller, author }: Requester,
  { accountId, id, ifMatch }: Target & { ifMatch: IfMatch },
  changes: KeyChanges,
): Promise<Key> {
  const now = new Date();
  return runInTransaction(db, async (tx) => {
    await lockAccount(tx, accountId);
    const stored = await requireStored(tx, accountId, id);
    const current = presentKey(accountId, stored);
    requireMatch(ifMatch, current);
    const { name = stored.name, expiresAt, rateLimits } = changes;
    const row = {
      ...stored,
      name,
      expiresAt: expiresAt === undefined ? stored.expiresAt : parseTime(expiresAt),
      rateLimits: mergeRateLimits(stored.rateLimits, rateLimits),
    };
    const change = compareKeys(stored, row);
    const changed = listFields(change);
    if (changed.length === 0) return current;
    // A later end grants the scopes of the key again, so the caller must have them, as when they create a key.
    if (isLater(row.expiresAt, stored.expiresAt)) {
      requireGrantable(caller, listScopesOfKey(stored));
      if (isExpired(stored, now)) await requireRoomForKey(tx, accountId, now);
    }
    const event = { type: 'key.updated', subject: id, data: { changed }, change } as const;
    await recordEvents(tx, accountId, [{ author, events: [event] }], { now, rows: 0 });
    await updateKey(tx, accountId, row);
    return requireKey(tx, accountId, id);
  });
}

async function requireRoomForKey(tx: Queryable, accountId: string, now: Date): Promise<void> {
  if ((await countUsableKeys(tx, accountId, now)) >= KEYS_MAX)
    throw new Problem('limit_reached', `An account has at most ${KEYS_MAX} keys that work.`);
}

function isExpired({ expiresAt }: { expiresAt: Date | null }, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now;
}

/** Whether an end is later than another one. Null means no end. */
function isLater(end: Date | null, other: Date | null): boolean {
  return other !== null && (end === null || end > other);
}

/** Gives a key a new text, and returns it; it is shown once. The former text stays valid for `overlapSeconds`. */
export function rotateKey(
  db: Pool,
  { caller, author }: Requester,
  { accountId, id }: Target,
  overlapSeconds: number,
): Promise<ShownKey> {
  const now = new Date();
  return runInTransaction(db, async (tx) => {
    await lockAccount(tx, accountId);
    const stored = await requireStored(tx, accountId, id);
    // The caller sees the new text and could use it, so they must have all scopes of the key.
    requireGrantable(caller, listScopesOfKey(stored));
    if (stored.revokedAt !== null || isExpired(stored, now))
      throw new Problem('invalid_transition', 'The API key is revoked or has expired.');
    const key = createKeyText(accountId);
    const event = { type: 'key.rotated', subject: id, data: {} } as const;
    await recordEvents(tx, accountId, [{ author, events: [event] }], { now, rows: 0 });
    const previousUntil = new Date(now.getTime() + overlapSeconds * 1_000);
    await replaceText(tx, accountId, id, hashText(key), previousUntil);
    return { ...(await requireKey(tx, accountId, id)), key };
  });
}

/**
 * Finds the API key with this text and the slug of its account, even if the key is revoked, expired or rotated. Returns null for
 * a text that cannot be a key, such as a mistyped one.
 */
export async function findKeyByText(
  db: Queryable,
  key: string,
): Promise<(ApiKey & { account: string }) | undefined | null> {
  const accountId = readAccountId(key);
  return accountId === null ? null : findKeyByHash(db, accountId, hashKey(key));
}

/** Finds the key of an account with this text. Throws a 404 for every other text. */
export async function requireKeyByText(
  db: Queryable,
  accountId: string,
  text: string,
): Promise<Key> {
  const found = await findKeyByHash(db, accountId, hashKey(text.trim()));
  if (found === undefined) throw keyNotFound();
  return requireKey(db, accountId, found.id);
}

/** Revokes an API key. Returns false when the account has no such key. */
export function revokeKey(
  db: Pool,
  accountId: string,
  id: string,
  { author }: Requester = OPERATOR,
): Promise<boolean> {
  const now = new Date();
  return runInTransaction(db, async (tx) => {
    await lockAccount(tx, accountId);
    const stored = isUuid(id) ? await findDetailedKey(tx, accountId, id) : undefined;
    if (stored === undefined) return false;
    if (stored.revokedAt !== null) return true;
    const event = { type: 'key.revoked', subject: id, data: {} } as const;
    await recordEvents(tx, accountId, [{ author, events: [event] }], { now, rows: 0 });
    return markKeyRevoked(tx, accountId, id, now);
  });
}

/** Revokes an API key and returns it. Throws a 404 when the account has none with this id. */
export async function revokeAndReadKey(
  db: Pool,
  requester: Requester,
  { accountId, id }: Target,
): Promise<Key> {
  if (!(await revokeKey(db, accountId, id, requester))) throw keyNotFound();
  return requireKey(db, accountId, id);
}

/** Parses a time that the schema has checked. */
function parseTime(text: string | null): Date | null {
  const ms = text === null ? null : (parseDay(text) ?? parseInstant(text));
  return ms === null ? null : new Date(ms);
}
