import type { User } from '../users/index.ts';
import { emailKey } from '../platform/text/index.ts';
import { below, type Report } from './faults.ts';
import { given, items } from './given.ts';
import { matchEntries, reportTaken } from './match.ts';
import { User as UserSchema, type UserEntry } from './schema.ts';
import { settle, type Creation, type Settled } from './settle.ts';

const POINTER = '/users';
const FIELDS = Object.keys(UserSchema.properties) as (keyof User)[];

const CREATION: Creation<User> = {
  noun: 'user',
  defaults: { email: '', name: '', active: true },
  required: ['email', 'name'],
};

/** Decides what becomes of the account's users. */
export function planUsers(
  entries: UserEntry[] | undefined,
  stored: User[],
  givens: { report: Report; newId: () => string },
): Settled<User>[] {
  const changes = new Map(items(entries).map(({ at, item }) => [at, given<User>(item, FIELDS)]));
  const identified = [...changes].map(([at, { id, email }]) => ({
    at,
    id,
    key: email === undefined ? undefined : emailKey(email),
  }));
  const rows = stored.map(({ id, email }) => ({ id, key: emailKey(email) }));
  const kind = { pointer: POINTER, keyField: 'email', noun: 'user', mayShare: false };
  const byId = new Map(stored.map((user) => [user.id, user]));
  const settled = matchEntries(identified, rows, kind, givens).map((match) => {
    const place = { pointer: below(POINTER, match.at), report: givens.report };
    return settle(match, byId.get(match.id), changes.get(match.at) ?? {}, CREATION, place);
  });
  reportTakenEmails(settled, stored, givens.report);
  return settled;
}

function reportTakenEmails(settled: Settled<User>[], stored: User[], report: Report): void {
  const named = new Set(settled.map(({ row }) => row.id));
  const others = stored.filter(({ id }) => !named.has(id));
  const rows = [
    ...others.map(({ email }) => ({ pointer: null, key: emailKey(email) })),
    ...settled.map(({ at, row }) => ({
      pointer: below(POINTER, at),
      key: row.email === '' ? undefined : emailKey(row.email),
    })),
  ];
  reportTaken(rows, 'email', 'another user of the account has this email.', report);
}
