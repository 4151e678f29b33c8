import {
  checkContact,
  checkLink,
  findContactKeys,
  findLinkedUnits,
  lockEmails,
  parseLink,
  type References,
} from '../contacts/index.ts';
import type { Queryable } from '../platform/database/index.ts';
import { toEmailKey } from '../platform/text/index.ts';
import { listEntries, matchEntries, type Listed, type Match } from './entries.ts';
import type { FaultList } from './faults.ts';
import type { Account } from './plan-load.ts';
import type { StockPlan } from './plan-stock.ts';
import type { ContactEntry } from './schemas.ts';

const CONTACTS = {
  noun: 'contact',
  keyField: 'email',
  keyOf: ({ email }: { email?: string }) => email && toEmailKey(email),
  canShareKey: true,
};

/** Finds the row of each contact of the file, with the emails locked that these contacts have now or after the load. */
export async function matchContacts(
  tx: Queryable,
  { accountId, isNew }: Account,
  entries: Listed<ContactEntry>[],
  faults: FaultList,
): Promise<Match<ContactEntry>[]> {
  // Other transactions do not see a new account, so they cannot write its contacts.
  const rows = isNew ? [] : await lockContacts(tx, accountId, entries);
  const keyOfRow = new Map(rows.map((row) => [row.id, row.emailKey]));
  return matchEntries(entries, keyOfRow, CONTACTS, faults);
}

async function lockContacts(tx: Queryable, accountId: string, entries: Listed<ContactEntry>[]) {
  const ids = entries.flatMap(({ entry }) => entry.id?.toLowerCase() ?? []);
  const emailKeys = entries.flatMap(({ entry }) => CONTACTS.keyOf(entry) ?? []);
  // Only loads change emails, and this one has locked the account against others.
  const before = await findContactKeys(tx, accountId, { ids });
  await lockEmails(tx, accountId, [...emailKeys, ...before.map((row) => row.emailKey)]);
  // A merge may have removed some contacts before this transaction had the locks.
  return findContactKeys(tx, accountId, { ids, emailKeys });
}

/** Reports the fields that contacts lack, and the users, projects and units that the account will not have. */
export function checkContacts(
  entries: Listed<ContactEntry>[],
  matches: Match<ContactEntry>[],
  references: References,
  faults: FaultList,
): void {
  const newOnes = new Set(matches.filter(({ isNew }) => isNew).map(({ pointer }) => pointer));
  for (const { pointer, entry } of entries) {
    faults.reportWithin(pointer, checkContact(entry, newOnes.has(pointer), references));
    for (const link of listEntries(entry.links, `${pointer}/links`))
      faults.reportWithin(link.pointer, checkLink(parseLink(link.entry), references));
  }
}

/** Reports the units that the file leaves out although contacts are linked to them. */
export async function reportLinkedUnits(
  tx: Queryable,
  accountId: string,
  { projects, removedUnits }: StockPlan,
  faults: FaultList,
): Promise<void> {
  if (removedUnits.length === 0) return;
  const linked = await findLinkedUnits(tx, accountId, removedUnits);
  const missing = removedUnits.filter(({ id }) => linked.has(id));
  const missingOf = Map.groupBy(missing, ({ projectId }) => projectId);
  for (const { pointer, row } of projects) {
    const names = missingOf
      .get(row.id)
      ?.map(({ name }) => `"${name}"`)
      .join(', ');
    // An entry with a fault may stand for the unit that seems to be missing.
    if (names === undefined || faults.hasWithin(`${pointer}/units`)) continue;
    faults.report(
      `${pointer}/units`,
      `leaves out what contacts are linked to (${names}); keep it, with the status Withdrawn.`,
    );
  }
}
