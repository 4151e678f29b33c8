import { clearStockClockCache, insertAccount } from '../accounts/index.ts';
import { ensureTags, type Label } from '../contacts/index.ts';
import {
  isForeignKeyViolation,
  retryOnConflict,
  runInTransaction,
  type Pool,
  type Queryable,
} from '../platform/database/index.ts';
import type { Change } from '../platform/fields/index.ts';
import { newId } from '../platform/text/index.ts';
import { writeUsers } from '../users/index.ts';
import { readAccountFile, type CheckedFile } from './read-account-file.ts';
import { planLoad, type LoadPlan } from './plan-load.ts';
import { countChanges, selectChangedRows, type ChangeCounts } from './plan-rows.ts';
import { writeContacts, type ContactReport, type OnProgress } from './write-contacts.ts';
import { writeStock } from './write-stock.ts';

/** For each kind of row, how many a load created, updated and left unchanged. */
export interface LoadReport extends ContactReport {
  account: 'created' | 'updated';
  slug: string;
  organization: Change;
  users: ChangeCounts;
  projects: ChangeCounts;
  units: ChangeCounts & { removed: number };
  tags: { created: number };
}

/**
 * Creates or updates one account from its file (a JSON text or its parsed value) in one transaction. Throws an
 * AccountFileError with all faults of the file.
 */
export async function loadAccount(
  db: Pool,
  source: unknown,
  { onProgress = () => {} }: { onProgress?: OnProgress } = {},
): Promise<LoadReport> {
  const checked = readAccountFile(source);
  const load = () =>
    retryOnConflict(() => runInTransaction(db, (tx) => loadInTransaction(tx, checked, onProgress)));
  return load()
    .catch((error: unknown) => {
      // Another transaction linked a contact to a unit that this load removes. The second attempt reports that fault.
      if (isForeignKeyViolation(error)) return load();
      throw error;
    })
    .finally(() => clearStockClockCache(db));
}

async function loadInTransaction(
  tx: Queryable,
  { file, faults: fileFaults }: CheckedFile,
  onProgress: OnProgress,
): Promise<LoadReport> {
  const faults = fileFaults.copy();
  const plan = await planLoad(tx, file, faults);
  faults.throwIfAny();
  return writePlan(tx, file.account.slug, plan, onProgress);
}

/*
 * Takes locks in the same order as an import: emails (in `planLoad`), tags, projects, units, users. Writes the contacts last,
 * since they take the longest: a load that PostgreSQL aborts for a deadlock then has little to repeat.
 */
async function writePlan(
  tx: Queryable,
  slug: string,
  { account: { accountId, isNew }, organization, labels, users, stock, contacts }: LoadPlan,
  onProgress: OnProgress,
): Promise<LoadReport> {
  const now = new Date();
  if (isNew) await insertAccount(tx, accountId, organization.row, now);
  const tags = await writeTags(tx, accountId, labels);
  await writeStock(tx, accountId, organization, stock, now);
  await writeUsers(tx, accountId, selectChangedRows(users));
  return {
    account: isNew ? 'created' : 'updated',
    slug,
    organization: organization.change,
    users: countChanges(users),
    projects: countChanges(stock.projects),
    units: { ...countChanges(stock.units), removed: stock.removedUnits.length },
    tags: { created: tags.created },
    ...(await writeContacts(tx, accountId, contacts, tags.idOf, onProgress)),
  };
}

/** Inserts the tags that the account lacks. Returns the tag id of each spelling in the file. */
async function writeTags(
  tx: Queryable,
  accountId: string,
  labels: Map<string, Label>,
): Promise<{ idOf: Map<string, string>; created: number }> {
  const newIds = new Set<string>();
  const ids = await ensureTags(tx, accountId, [...labels.values()], () => {
    const id = newId();
    newIds.add(id);
    return id;
  });
  const idOf = new Map([...labels].map(([text, { key }]) => [text, ids.get(key) ?? '']));
  return { idOf, created: newIds.intersection(new Set(ids.values())).size };
}
