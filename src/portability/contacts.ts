import {
  checkContact,
  checkLink,
  lockEmails,
  findContactKeys,
  findLinkedUnits,
  readLink,
  type References,
} from '../contacts/index.ts';
import type { Queryable } from '../platform/database/index.ts';
import { emailKey } from '../platform/text/index.ts';
import type { ProjectWithUnits } from '../projects/index.ts';
import { listEntries } from './entries.ts';
import { matchEntries, type ListKind, type Match, type PlanContext } from './match.ts';
import type { OpenAccount } from './open-account.ts';
import type { PlannedProject } from './plan-stock.ts';
import type { ContactEntry } from './schemas.ts';

const CONTACTS: ListKind<{ email?: string }> = {
  pointer: '/contacts',
  noun: 'contact',
  keyField: 'email',
  keyOf: ({ email }) => email && emailKey(email),
  canShareKey: true,
};

/** Finds the row of each contact of the file, with the emails locked that these contacts have now or after the load. */
export async function matchContacts(
  tx: Queryable,
  { accountId, isNew }: OpenAccount,
  entries: ContactEntry[] | undefined,
  context: PlanContext,
): Promise<Match<ContactEntry>[]> {
  // Other transactions do not see a new account, so they cannot write its contacts.
  const rows = isNew ? [] : await lockContacts(tx, accountId, entries);
  return matchEntries(entries, rows, CONTACTS, context);
}

async function lockContacts(
  tx: Queryable,
  accountId: string,
  entries: ContactEntry[] | undefined,
): Promise<{ id: string; key: string }[]> {
  const listed = listEntries(entries).map(({ entry }) => entry);
  if (listed.length === 0) return [];
  const ids = listed.flatMap(({ id }) => id?.toLowerCase() ?? []);
  const emailKeys = listed.flatMap((entry) => CONTACTS.keyOf(entry) ?? []);
  // Only loads change emails, and this one has locked the account against others.
  const before = await findContactKeys(tx, accountId, { ids });
  await lockEmails(tx, accountId, [...emailKeys, ...before.map((row) => row.emailKey)]);
  // A merge may have removed some contacts before this transaction had the locks.
  const rows = await findContactKeys(tx, accountId, { ids, emailKeys });
  return rows.map((row) => ({ id: row.id, key: row.emailKey }));
}

/** Reports the fields that contacts lack, and the users, projects and units that the account will not have. */
export function checkContacts(
  entries: ContactEntry[] | undefined,
  matches: Match<ContactEntry>[],
  references: References,
  { reportWithin }: PlanContext,
): void {
  const newOnes = new Set(matches.filter(({ isNew }) => isNew).map(({ at }) => at));
  for (const { at, entry } of listEntries(entries)) {
    const pointer = `${CONTACTS.pointer}/${at}`;
    reportWithin(pointer, checkContact(entry, newOnes.has(at), references));
    for (const { at: index, entry: link } of listEntries(entry.links))
      reportWithin(`${pointer}/links/${index}`, checkLink(readLink(link), references));
  }
}

/** Lists the users, projects and units that the account has after the load. */
export function listReferences(
  users: { id: string }[],
  stored: ProjectWithUnits[],
  planned: PlannedProject[],
): References {
  const projectOfUnit = new Map<string, string>();
  for (const { units } of stored)
    for (const { id, projectId } of units) projectOfUnit.set(id, projectId);
  for (const { units } of planned) {
    for (const { id } of units?.removed ?? []) projectOfUnit.delete(id);
    for (const { row } of units?.planned ?? []) projectOfUnit.set(row.id, row.projectId);
  }
  const projects = [...stored.map(({ project }) => project), ...planned.map(({ row }) => row)];
  return {
    userIds: new Set(users.map(({ id }) => id)),
    projectIds: new Set(projects.map(({ id }) => id)),
    projectOfUnit,
  };
}

/** Reports the units that the file leaves out although contacts are linked to them. */
export async function reportLinkedUnits(
  tx: Queryable,
  accountId: string,
  projects: PlannedProject[],
  { report, hasFaultsWithin }: PlanContext,
): Promise<void> {
  const removed = projects.flatMap(({ units }) => units?.removed ?? []);
  if (removed.length === 0) return;
  const linked = await findLinkedUnits(tx, accountId, removed);
  for (const { at, units } of projects) {
    const pointer = `/projects/${at}/units`;
    const missing = units?.removed.filter(({ id }) => linked.has(id)) ?? [];
    // An entry with a fault may stand for the unit that seems to be missing.
    if (missing.length === 0 || hasFaultsWithin(pointer)) continue;
    const names = missing.map(({ name }) => `"${name}"`).join(', ');
    report(
      pointer,
      `leaves out what contacts are linked to (${names}); keep it, with the status Withdrawn.`,
    );
  }
}
