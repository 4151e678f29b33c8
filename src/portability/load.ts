import { newId } from '../platform/text/index.ts';
import { forgetStockClocks, insertAccount } from '../accounts/index.ts';
import { insertUsers, updateUsers } from '../users/index.ts';
import { tagsEnsure } from '../contacts/index.ts';
import {
  isForeignKeyViolation,
  retrying,
  transaction,
  type Pool,
  type Queryable,
} from '../platform/database/index.ts';
import { readAccountFile, type ReadFile } from './document.ts';
import { AccountFileError, collectFaults } from './faults.ts';
import type { Labels } from './labels.ts';
import { planLoad, type LoadPlan } from './plan-load.ts';
import { countChanges, rowsOf, type Change, type Counts } from './settle.ts';
import { writeContacts, type ContactReport } from './write-contacts.ts';
import { writeStock } from './write-stock.ts';

/** What a load did. */
export interface LoadReport extends ContactReport {
  account: 'created' | 'updated';
  slug: string;
  organization: Change;
  users: Counts;
  projects: Counts;
  units: Counts & { removed: number };
  tags: { created: number };
}

interface LoadOptions {
  /** Told how many of the contacts have been dealt with. */
  onProgress?: (done: number, total: number) => void;
}

/**
 * Creates or updates one account from its file (a JSON text or its parsed value), all or nothing. Throws an
 * AccountFileError with every fault of the file.
 */
export async function loadAccount(
  db: Pool,
  source: unknown,
  { onProgress = () => {} }: LoadOptions = {},
): Promise<LoadReport> {
  const read = readAccountFile(source);
  const load = () => retrying(() => transaction(db, (tx) => loadWithin(tx, read, onProgress)));
  return load()
    .catch((error: unknown) => {
      // A contact was linked to a unit while the unit was removed: looking again finds the fault.
      if (isForeignKeyViolation(error)) return load();
      throw error;
    })
    .finally(() => forgetStockClocks(db));
}

async function loadWithin(
  tx: Queryable,
  { file, faults: found }: ReadFile,
  onProgress: (done: number, total: number) => void,
): Promise<LoadReport> {
  const faults = collectFaults([...found]);
  const plan = await planLoad(tx, file, { ...faults, newId });
  if (faults.faults.length > 0) throw new AccountFileError(faults.faults);
  return write(tx, file.account.slug, plan, onProgress);
}

/*
 * The order of the locks is that of an import: emails (in the plan), tags, projects, units, users. All that
 * a load could wait for comes before the contacts, which take long, so that giving way costs little.
 */
async function write(
  tx: Queryable,
  slug: string,
  plan: LoadPlan,
  onProgress: (done: number, total: number) => void,
): Promise<LoadReport> {
  const { accountId, isNew } = plan.account;
  const now = new Date();
  if (isNew) await insertAccount(tx, accountId, plan.organization, now);
  const { tagIdOf, tags } = await ensureTags(tx, accountId, plan.labels);
  const units = await writeStock(tx, plan, now);
  await insertUsers(tx, accountId, rowsOf(plan.users, 'created'));
  await updateUsers(tx, accountId, rowsOf(plan.users, 'updated'));
  const contacts = await writeContacts(tx, accountId, plan.contacts, {
    tagIdOf,
    newId,
    onProgress,
  });
  return {
    account: isNew ? 'created' : 'updated',
    slug,
    organization: plan.organizationChange,
    users: countChanges(plan.users),
    projects: countChanges(plan.projects),
    units,
    tags,
    ...contacts,
  };
}

async function ensureTags(
  tx: Queryable,
  accountId: string,
  { tags, keyOf }: Labels,
): Promise<{ tagIdOf: (label: string) => string; tags: { created: number } }> {
  const made = new Set<string>();
  const ids = await tagsEnsure(tx, accountId, tags, () => {
    const id = newId();
    made.add(id);
    return id;
  });
  const created = [...ids.values()].filter((id) => made.has(id)).length;
  return { tagIdOf: (label) => ids.get(keyOf.get(label) ?? '') ?? '', tags: { created } };
}
