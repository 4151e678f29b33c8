import {
  checkContact,
  checkLink,
  checkUser,
  findContactKeys,
  findLinkedUnits,
  lockEmails,
  parseEnquiry,
  parseLink,
  type Activity,
  type References,
} from '../contacts/index.ts';
import type { Queryable } from '../platform/database/index.ts';
import { newId, toEmailKey } from '../platform/text/index.ts';
import { listEntries, matchEntries, type ListedEntry, type MatchedEntry } from './entries.ts';
import type { FaultList } from './faults.ts';
import type { LoadOptions } from './load-rules.ts';
import type { StockPlan } from './plan-stock.ts';
import type { ContactEntry, EnquiryEntry } from './schemas.ts';

const CONTACTS = {
  noun: 'contact',
  keyField: 'email',
  readKey: ({ email }: { email?: string }) => email && toEmailKey(email),
  canShareKey: true,
};

/** The account of a file. An existing account is locked; for a new one, only the slug is reserved. */
export interface Account {
  accountId: string;
  isNew: boolean;
}

/** Finds the row of each contact. Locks the emails that the contacts have before and after the load, except in a dry run. */
export async function matchContacts(
  tx: Queryable,
  { accountId, isNew }: Account,
  entries: ListedEntry<ContactEntry>[],
  { dryRun = false }: LoadOptions,
  faults: FaultList,
): Promise<MatchedEntry<ContactEntry>[]> {
  // Other transactions do not see a new account, so they cannot write its contacts.
  const rows = isNew ? [] : await findStoredKeys(tx, accountId, entries, dryRun);
  const keyOfRow = new Map(rows.map((row) => [row.id, row.emailKey]));
  return matchEntries(entries, keyOfRow, CONTACTS, faults);
}

/** Finds the contacts that the entries may identify. Locks their emails first, except in a dry run. */
async function findStoredKeys(
  tx: Queryable,
  accountId: string,
  entries: ListedEntry<ContactEntry>[],
  dryRun: boolean,
) {
  const ids = entries.flatMap(({ entry }) => entry.id?.toLowerCase() ?? []);
  const emailKeys = entries.flatMap(({ entry }) => CONTACTS.readKey(entry) ?? []);
  if (dryRun) return findContactKeys(tx, accountId, { ids, emailKeys });
  // The lock on the account keeps out all who change emails: edits and other loads.
  const storedKeys = await findContactKeys(tx, accountId, { ids });
  await lockEmails(tx, accountId, [...emailKeys, ...storedKeys.map((row) => row.emailKey)]);
  // Read them again: an import may have created some contacts before this transaction had the locks.
  return findContactKeys(tx, accountId, { ids, emailKeys });
}

/** Reports the fields that new contacts lack, and references to users, projects and units that the account lacks. */
export function checkContacts(
  entries: ListedEntry<ContactEntry>[],
  matches: MatchedEntry<ContactEntry>[],
  references: References,
  faults: FaultList,
): void {
  const newPointers = new Set(matches.filter(({ isNew }) => isNew).map(({ pointer }) => pointer));
  for (const { pointer, entry } of entries) {
    faults.reportWithin(pointer, checkContact(entry, newPointers.has(pointer), references));
    for (const { pointer: at, entry: own } of listEntries(
      entry.activities,
      `${pointer}/activities`,
    ))
      faults.reportWithin(at, checkUser('/userId', own.userId, references.userIds));
    for (const link of listEntries(entry.links, `${pointer}/links`))
      faults.reportWithin(link.pointer, checkLink(parseLink(link.entry), references));
  }
}

/** Reports the units that the file leaves out, although contacts are linked to them. */
export async function reportLinkedUnits(
  tx: Queryable,
  accountId: string,
  { projects, removedUnits }: StockPlan,
  faults: FaultList,
): Promise<void> {
  if (removedUnits.length === 0) return;
  const linkedUnitIds = await findLinkedUnits(tx, accountId, removedUnits);
  const missingUnits = removedUnits.filter(({ id }) => linkedUnitIds.has(id));
  const missingOf = Map.groupBy(missingUnits, ({ projectId }) => projectId);
  for (const { pointer, row } of projects) {
    const names = missingOf
      .get(row.id)
      ?.map(({ name }) => `"${name}"`)
      .join(', ');
    // An invalid entry may be the unit that seems to be missing.
    if (names === undefined || faults.hasWithin(`${pointer}/units`)) continue;
    faults.report(
      `${pointer}/units`,
      `leaves out what contacts are linked to (${names}); keep it, with the status Withdrawn.`,
    );
  }
}

/** An enquiry of a file, with the id that it will have. */
export type PlannedEnquiry = Activity & { id: string };

/**
 * Plans the enquiries of a file. Reports each enquiry whose contact the file does not list. Their ids are in the order of the file,
 * since an export has them in the order of their ids.
 */
export function planEnquiries(
  entries: EnquiryEntry[] | undefined,
  contacts: MatchedEntry<ContactEntry>[],
  faults: FaultList,
): Map<string, PlannedEnquiry[]> {
  const known = new Set(contacts.map(({ id }) => id));
  const byContact = new Map<string, PlannedEnquiry[]>();
  for (const { pointer, entry } of listEntries(entries, '/enquiries')) {
    const contactId = entry.contactId?.toLowerCase();
    // An invalid id has been reported.
    if (contactId === undefined || entry.values === undefined) continue;
    if (!known.has(contactId))
      faults.report(`${pointer}/contactId`, 'is the id of no contact in the list contacts.');
    const own = byContact.get(contactId) ?? [];
    byContact.set(contactId, [...own, { id: newId(), ...parseEnquiry(entry) }]);
  }
  return byContact;
}
