import { recordEvents } from '../../accounts/index.ts';
import type { Author } from '../../events/index.ts';
import type { Queryable } from '../../platform/database/index.ts';
import { loadPast, type AccountFile } from '../../portability/index.ts';
import {
  findUnitsOfProject,
  listStockEvents,
  writeStockRows,
  type Unit,
} from '../../projects/index.ts';
import { findWebsiteKey, issueDemoKeys, type DemoKeys } from './keys.ts';
import { authorOf, findOrigins } from './origins.ts';
import type { StockHistory, StockStep } from './stock-history.ts';
import { DAY_MS } from './times.ts';

/**
 * Writes a new account with its past: the stock as it was a year ago, then its changes and the contacts in the order in which they
 * happened.
 */
export async function writeAccount(
  tx: Queryable,
  file: AccountFile,
  { before, steps }: StockHistory,
  now: Date,
): Promise<DemoKeys> {
  const { users = [], contacts = [], enquiries = [], projects = [], ...account } = file;
  const start = new Date(now.getTime() - 370 * DAY_MS);
  const accountId = await loadPast(
    tx,
    { ...account, users, projects: before, revision: start.toISOString() },
    { now: start },
  );
  const keys = await issueDemoKeys(tx, accountId);
  const origins = findOrigins(contacts, users, await findWebsiteKey(tx, accountId));
  const managers = users.flatMap(({ id, active, role }) =>
    id !== undefined && active && role !== 'agent' ? [authorOf(id)] : [],
  );
  const units = await readUnits(tx, accountId, projects);
  let from = 0;
  for (const [index, step] of [...steps, { at: now, changes: new Map() }].entries()) {
    const untilMs = step.at.getTime();
    const next = contacts.findIndex(({ createdAt }) => Date.parse(createdAt ?? '') > untilMs);
    const part = contacts.slice(from, next === -1 ? contacts.length : next);
    from += part.length;
    const ids = new Set(part.map(({ id }) => id));
    await loadPast(
      tx,
      {
        format: account.format,
        account: { slug: account.account.slug },
        contacts: part,
        enquiries: enquiries.filter(({ contactId }) => ids.has(contactId)),
      },
      { now: step.at, origins },
    );
    const manager = managers[index % managers.length];
    if (manager === undefined) throw new Error('The demo account has no manager.');
    await changeStock(tx, accountId, units, step, manager);
  }
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
