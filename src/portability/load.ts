import {
  clearStockClockCache,
  insertAccount,
  lockRevision,
  raiseRevision,
  startRevision,
} from '../accounts/index.ts';
import { ensureStatistics, ensureTags, findTags } from '../contacts/index.ts';
import { appendEvents, SYSTEM } from '../events/index.ts';
import {
  isForeignKeyViolation,
  retryOnConflict,
  runInTransaction,
  type Pool,
  type Queryable,
} from '../platform/database/index.ts';
import { endFormerAccess, writeUsers } from '../users/index.ts';
import { planContactChanges, type ContactChunk, type ContactPlan } from './contact-changes.ts';
import { applyLoadRules, chooseLoadRules, type LoadOptions } from './load-rules.ts';
import { readAccountFile, type CheckedFile } from './read-account-file.ts';
import { planLoad, type LoadPlan } from './plan-load.ts';
import { selectChanged } from './plan-rows.ts';
import { hasChanges, makeReport, type LoadReport } from './report.ts';
import { reportStaleRows } from './stale-rows.ts';
import { listLoadEvents } from './load-events.ts';
import {
  countContactEvents,
  countChangedContacts,
  writeContacts,
  type OnProgress,
} from './write-contacts.ts';
import { writeOrganizationAndStock } from './write-stock.ts';

/**
 * Creates or updates one account from its file (a JSON text or its parsed value) in one transaction. Throws an
 * AccountFileError with all faults of the file.
 */
export async function loadAccount(
  db: Pool,
  source: unknown,
  { onProgress = () => {}, ...options }: LoadOptions & { onProgress?: OnProgress } = {},
): Promise<LoadReport> {
  const checked = readAccountFile(source);
  if (options.dryRun)
    return runInTransaction(
      db,
      async (tx) => (await planInTransaction(tx, checked, options)).report,
      'repeatable read, read only',
    );

  const load = () =>
    retryOnConflict(() =>
      runInTransaction(db, async (tx) => {
        const { plan, contacts, report } = await planInTransaction(tx, checked, options);
        const writing = { onProgress, now: new Date() };
        if (hasChanges(report)) await writePlan(tx, checked.file, plan, contacts.chunks, writing);
        return report;
      }),
    );
  const report = await load()
    .catch((error: unknown) => {
      // Another transaction has linked a contact to a unit that this load removes. The second attempt reports it as a fault.
      if (isForeignKeyViolation(error)) return load();
      throw error;
    })
    .finally(() => clearStockClockCache(db));
  await ensureStatistics(db, report.contacts.created);
  return report;
}

interface WriteOptions {
  onProgress: OnProgress;
  /** The time of the events. */
  now: Date;
}

interface PlannedLoad {
  plan: LoadPlan;
  contacts: ContactPlan;
  report: LoadReport;
}

/** Plans everything before the first write, so that other writers of the account wait only while the load writes. */
async function planInTransaction(
  tx: Queryable,
  { file, faults: fileFaults }: CheckedFile,
  options: LoadOptions,
): Promise<PlannedLoad> {
  const faults = fileFaults.copy();
  const rules = chooseLoadRules(file, options);
  const plan = await planLoad(tx, applyLoadRules(file, rules), rules, options, faults);
  faults.throwIfAny();
  const { accountId, isNew } = plan.account;
  const contacts = await planContactChanges(tx, accountId, plan);
  if (rules.revision !== null && !isNew)
    await reportStaleRows(tx, plan, contacts, rules.revision, faults);
  faults.throwIfAny();
  const keys = new Set([...plan.labels.values()].map(({ key }) => key));
  const knownTags = await findTags(tx, accountId, [...plan.labels.values()]);
  const report = makeReport(file.account.slug, plan, contacts, keys.size - knownTags.size);
  return { plan, contacts, report };
}

/**
 * Writes what `planLoad` has planned. Takes locks in the same order as an import: emails (in `planLoad`), the revision, tags,
 * projects, units, users. It writes the contacts last, since they take the longest: if PostgreSQL aborts the load for a deadlock,
 * there is little to repeat.
 */
export async function writePlan(
  tx: Queryable,
  { revision }: { revision?: string },
  plan: LoadPlan,
  chunks: ContactChunk[],
  { onProgress, now }: WriteOptions,
): Promise<void> {
  const { account, organization, labels, users, stock } = plan;
  const { accountId, isNew } = account;
  if (isNew) await insertAccount(tx, accountId, organization.row, now);
  else await lockRevision(tx, accountId);
  const tagIds = await ensureTags(tx, accountId, [...labels.values()]);
  const stockEvents = listLoadEvents(plan);
  const eventCount = countContactEvents(chunks, tagIds);
  const events = stockEvents.length + eventCount;
  const first = revision === undefined ? now : new Date(revision);
  const rows = Math.max(countChangedContacts(chunks), 1);
  const raised = isNew
    ? await startRevision(tx, accountId, first, events)
    : await raiseRevision(tx, accountId, now, { rows, events });
  await appendEvents(tx, accountId, [{ author: SYSTEM, events: stockEvents }], {
    at: now,
    sequence: raised.sequence,
    laterCount: eventCount,
  });
  await writeOrganizationAndStock(tx, accountId, organization, stock, now);
  const changedUsers = selectChanged(users);
  await writeUsers(
    tx,
    accountId,
    changedUsers.map(({ row }) => row),
    now,
  );
  for (const { stored, row } of changedUsers)
    if (stored !== undefined) await endFormerAccess(tx, accountId, stored, row);
  await writeContacts(tx, accountId, chunks, { tagIds, now, raised, eventCount }, onProgress);
}
