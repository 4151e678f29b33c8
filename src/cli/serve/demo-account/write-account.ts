import { recordEvents } from '../../../accounts/index.ts';
import type { Author } from '../../../events/index.ts';
import type { Queryable } from '../../../platform/database/index.ts';
import { loadPast, type AccountFile, type PastPart } from '../../../portability/index.ts';
import {
  findUnitsOfProject,
  listStockEvents,
  writeStockRows,
  type Unit,
} from '../../../projects/index.ts';
import { DAY_MS } from '../../../platform/text/index.ts';
import { findWebsiteKey, issueDemoKeys, type DemoKeys } from './keys.ts';
import { makeAuthor, findOrigins } from './origins.ts';
import type { StockHistory, StockStep } from './stock-history.ts';

/**
 * Writes a new account with its history: the stock as it was a year ago, then the changes of stock and the contacts, in the order
 * of their times.
 */
export async function writeAccount(
  tx: Queryable,
  file: AccountFile,
  { before, steps }: StockHistory,
  now: Date,
): Promise<DemoKeys> {
  const { users = [], contacts = [], projects = [] } = file;
  const start = new Date(now.getTime() - 370 * DAY_MS);
  const past = { ...file, projects: before, revision: start.toISOString() };
  const { accountId, loadContacts } = await loadPast(tx, past, start);
  const keys = await issueDemoKeys(tx, accountId);
  const origins = findOrigins(contacts, users, await findWebsiteKey(tx, accountId));
  const managers = users.flatMap(({ id, active, role }) =>
    id !== undefined && active && role !== 'agent' ? [makeAuthor(id)] : [],
  );
  const units = await readUnits(tx, accountId, projects);
  let from = 0;
  const parts = [...steps, { at: now, changes: new Map() }].map((step, index): PastPart => {
    const untilMs = step.at.getTime();
    const next = contacts.findIndex(({ createdAt }) => Date.parse(createdAt ?? '') > untilMs);
    const to = next === -1 ? contacts.length : next;
    const contactCount = to - from;
    from = to;
    const manager = managers[index % managers.length];
    if (manager === undefined) throw new Error('The demo account has no manager.');
    const writeNext = () => changeStock(tx, accountId, units, step, manager);
    return { contactCount, at: step.at, writeNext };
  });
  await loadContacts(parts, origins);
  return keys;
}

async function readUnits(
  tx: Queryable,
  accountId: string,
  projects: { id?: string }[],
): Promise<Map<string, Unit>> {
  const units = new Map<string, Unit>();
  for (const { id = '' } of projects)
    for (const unit of await findUnitsOfProject(tx, accountId, id)) units.set(unit.id, unit);
  return units;
}

/** Writes the changes of one day, and updates `units` to match. */
async function changeStock(
  tx: Queryable,
  accountId: string,
  units: Map<string, Unit>,
  { at, changes }: StockStep,
  author: Author,
): Promise<void> {
  const changed = [...changes].flatMap(([id, change]) => {
    const stored = units.get(id);
    return stored === undefined ? [] : { stored, row: { ...stored, ...change } };
  });
  if (changed.length === 0) return;
  const stock = { units: changed };
  await recordEvents(tx, accountId, [{ author, events: listStockEvents(stock) }], { now: at });
  await writeStockRows(tx, accountId, stock, at);
  for (const { row } of changed) units.set(row.id, row);
}
