import { forgetStockClocks, insertAccount } from '../accounts/index.ts';
import { ensureTags } from '../contacts/index.ts';
import {
  isForeignKeyViolation,
  retrying,
  transaction,
  type Pool,
  type Queryable,
} from '../platform/database/index.ts';
import type { Change } from '../platform/fields/index.ts';
import { newId } from '../platform/text/index.ts';
import { writeUsers } from '../users/index.ts';
import { readAccountFile, type ReadFile } from './document.ts';
import { AccountFileError, gatherFaults } from './faults.ts';
import { planLoad, type LoadPlan } from './plan-load.ts';
import { countChanges, selectChangedRows, type Counts } from './plan-rows.ts';
import type { FileTags } from './tags.ts';
import { writeContacts, type ContactReport, type OnProgress } from './write-contacts.ts';
import { writeStock } from './write-stock.ts';

/** The numbers of rows that a load created, updated and left unchanged. */
export interface LoadReport extends ContactReport {
  account: 'created' | 'updated';
  slug: string;
  organization: Change;
  users: Counts;
  projects: Counts;
  units: Counts & { removed: number };
  tags: { created: number };
}

/**
 * Creates or updates one account from its file (a JSON text or its parsed value), all or nothing. Throws an
 * AccountFileError with every fault of the file.
 */
export async function loadAccount(
  db: Pool,
  source: unknown,
  { onProgress = () => {} }: { onProgress?: OnProgress } = {},
): Promise<LoadReport> {
  const read = readAccountFile(source);
  const load = () => retrying(() => transaction(db, (tx) => loadWithin(tx, read, onProgress)));
  return load()
    .catch((error: unknown) => {
      // Another transaction linked a contact to a unit that this load removes: the second attempt reports the fault.
      if (isForeignKeyViolation(error)) return load();
      throw error;
    })
    .finally(() => forgetStockClocks(db));
}

async function loadWithin(
  tx: Queryable,
  { file, faults: known }: ReadFile,
  onProgress: OnProgress,
): Promise<LoadReport> {
  const list = gatherFaults(known);
  const plan = await planLoad(tx, file, { ...list, newId });
  if (list.faults.length > 0) throw new AccountFileError(list.faults);
  return writePlan(tx, file.account.slug, plan, onProgress);
}

/*
 * The locks are taken in the order of an import: emails (in the plan), tags, projects, units, users. Contacts take the
 * longest and come last, so that a load that loses a deadlock has little to repeat.
 */
async function writePlan(
  tx: Queryable,
  slug: string,
  plan: LoadPlan,
  onProgress: OnProgress,
): Promise<LoadReport> {
  const { accountId, isNew } = plan.account;
  const now = new Date();
  if (isNew) await insertAccount(tx, accountId, plan.organization.row, now);
  const { tagIdOf, created } = await insertTags(tx, accountId, plan.tags);
  const units = await writeStock(tx, accountId, plan, now);
  await writeUsers(tx, accountId, selectChangedRows(plan.users));
  const options = { tagIdOf, newId, onProgress };
  const contacts = await writeContacts(tx, accountId, plan.contacts, options);
  return {
    account: isNew ? 'created' : 'updated',
    slug,
    organization: plan.organization.change,
    users: countChanges(plan.users),
    projects: countChanges(plan.projects),
    units,
    tags: { created },
    ...contacts,
  };
}

async function insertTags(
  tx: Queryable,
  accountId: string,
  { labels, keyOf }: FileTags,
): Promise<{ tagIdOf: (label: string) => string; created: number }> {
  const newIds = new Set<string>();
  const ids = await ensureTags(tx, accountId, labels, () => {
    const id = newId();
    newIds.add(id);
    return id;
  });
  const created = [...ids.values()].filter((id) => newIds.has(id)).length;
  return { tagIdOf: (label) => ids.get(keyOf.get(label) ?? '') ?? '', created };
}
