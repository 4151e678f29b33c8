import { InvalidArgumentError } from 'commander';
import { SCOPES, type Access, type Scope } from '../access/index.ts';
import {
  createKey as makeKey,
  findKeyByText,
  listKeys,
  revokeKey,
  type ApiKey,
} from '../keys/index.ts';
import { OPERATOR } from '../events/index.ts';
import type { Queryable } from '../platform/database/index.ts';
import { CommandError } from './command-error.ts';
import { explainProblem } from './explain-problem.ts';
import { withAccount, withDatabase } from './database.ts';
import { readLine } from './input.ts';
import { printSecret, printJson, printTable, say, formatTime } from './output.ts';

interface KeyOptions {
  access?: Access;
  scopes?: string;
  name: string;
  expires?: Date;
}

export async function createKey(
  slug: string,
  { access, scopes, name, expires }: KeyOptions,
): Promise<void> {
  const rights = access === undefined ? { scopes: parseScopes(scopes) } : { access };
  const { resource } = await withAccount(slug, ({ lookups }, accountId) => {
    const creation = { accountId, claim: null, path: '' };
    const body = { name, ...rights, expiresAt: expires?.toISOString() ?? null };
    return makeKey(lookups, OPERATOR, creation, body).catch(explainProblem);
  });
  const remedy = `Nobody has seen the key: offplan keys revoke ${slug} ${resource.id}, and make another`;
  await printSecret(resource.key, remedy);
}

/** Parses `--scopes`: the names of scopes, between blanks or commas. */
function parseScopes(text = ''): Scope[] {
  const names = text.split(/[\s,]+/).filter((name) => name !== '');
  if (names.length === 0)
    throw new InvalidArgumentError('Give the key --access read, --access read-write or --scopes.');
  const unknown = names.find((name) => !SCOPES.some((scope) => scope === name));
  if (unknown !== undefined)
    throw new InvalidArgumentError(
      `There is no scope "${unknown}". The scopes are: ${SCOPES.join(', ')}.`,
    );
  return SCOPES.filter((scope) => names.includes(scope));
}

export async function printKeys(slug: string, { json }: { json?: true }): Promise<void> {
  const keys = await withAccount(slug, ({ lists }, accountId) => listKeys(lists, accountId));
  if (json) return printJson(keys.map(toJson));
  await printTable(
    ['ID', 'KEY', 'NAME', 'ACCESS', 'CREATED', 'LAST USED', 'EXPIRES', 'REVOKED'],
    keys.map(({ id, name, access, scopes, lastFour, ...times }) => [
      id,
      lastFour === null ? '–' : `…${lastFour}`,
      name,
      access ?? scopes?.join(' ') ?? '',
      ...listTimes(times),
    ]),
  );
}

/** Leaves out newer members of a key, so that its JSON stays as scripts expect it. */
function toJson<Key extends ApiKey>({ lastFour: _lastFour, scopes, ...key }: Key) {
  return { ...key, ...(scopes && { scopes }) };
}

type Times = Record<'createdAt' | 'lastUsedAt' | 'expiresAt' | 'revokedAt', Date | null>;

function listTimes({ createdAt, lastUsedAt, expiresAt, revokedAt }: Times): string[] {
  return [createdAt, lastUsedAt, expiresAt, revokedAt].map(formatTime);
}

/** Runs `offplan keys find`: finds the API key whose text comes on stdin, and shows it with its account. */
export async function findKey({ json }: { json?: true }): Promise<void> {
  const text = await readKey();
  const key = await withDatabase(({ lookups }) => findStoredKey(lookups, text));
  const { account, id, name, access, scopes, lastFour: _lastFour, ...times } = key;
  if (json) return printJson(toJson(key));
  await printTable(
    ['ACCOUNT', 'ID', 'NAME', 'ACCESS', 'CREATED', 'LAST USED', 'EXPIRES', 'REVOKED'],
    [[account, id, name, access ?? scopes?.join(' ') ?? '', ...listTimes(times)]],
  );
}

/** Reads an API key from the first line of stdin, where neither the shell's history nor a list of processes shows it. */
function readKey(): Promise<string> {
  if (process.stdin.isTTY) say('Paste the API key, then press Enter:');
  return readLine();
}

async function findStoredKey(db: Queryable, text: string) {
  const key = await findKeyByText(db, text);
  if (key === null)
    throw new CommandError(
      'the text on stdin is not an API key; a part may be missing or mistyped',
    );
  if (key === undefined) throw new CommandError('no account of this installation has this key');
  return key;
}

export async function revokeKeyOfAccount(slug: string, idOrDash: string): Promise<void> {
  const text = idOrDash === '-' ? await readKey() : null;
  const id = await withAccount(slug, async ({ lookups }, accountId) => {
    const keyId = text === null ? idOrDash : await findIdOfKey(lookups, text, slug);
    const isRevoked = await revokeKey(lookups, accountId, keyId);
    if (isRevoked) return keyId;
    // The error does not repeat the id: a user may have given the secret key, and the logs of a job may be public.
    throw new CommandError(
      `account "${slug}" has no key with this id; offplan keys list ${slug} shows them, and offplan keys revoke ${slug} - takes the key itself on stdin`,
    );
  });
  say(`Revoked key ${id}.`);
}

async function findIdOfKey(db: Queryable, text: string, slug: string): Promise<string> {
  const { id, account } = await findStoredKey(db, text);
  if (account === slug) return id;
  throw new CommandError(`the key on stdin is of account "${account}", not of "${slug}"`);
}
