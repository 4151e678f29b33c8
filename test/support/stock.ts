import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import sql, { join, raw } from 'sql-template-tag';
import { uuidv7 } from 'uuidv7';
import { runInTransaction, type Pool, type Queryable } from '../../src/platform/database/index.ts';
import { clearStockClockCache, tickStockClock } from '../../src/accounts/index.ts';
import { fold, formatSearchText, toSortKey } from '../../src/platform/text/index.ts';

// Tests insert rows directly, so that they can try how the stock endpoints show any row.
export type Columns = Record<string, unknown> & { id?: string; slug?: string };

export interface Account {
  id: string;
  slug: string;
}

/** Changes stock in one transaction, and makes this process see the change at once, as every writer does. */
export function writeStock<T>(db: Pool, work: (tx: Queryable) => Promise<T>): Promise<T> {
  return runInTransaction(db, work).finally(() => clearStockClockCache(db));
}

async function insert(tx: Queryable, table: string, columns: Columns): Promise<void> {
  const names = raw(Object.keys(columns).join(', '));
  const { text, values } =
    sql`insert into ${raw(table)} (${names}) values (${join(Object.values(columns))})`;
  await tx.query({ name: '', text, values });
}

/** Adds an account with an organization. `columns` are columns of `accounts`. */
export async function addAccount(db: Pool, columns: Columns = {}): Promise<Account> {
  const id = uuidv7();
  const slug = `account-${randomBytes(6).toString('hex')}`;
  await insert(db, 'account_slugs', { slug, account_id: id });
  await insert(db, 'accounts', {
    account_id: id,
    stock_clock: new Date('2026-01-01T00:00:00Z'),
    company_name: 'Tōtara Living Limited',
    display_name: 'Tōtara Living',
    email: 'sales@totara-living.example',
    location: 'Auckland, New Zealand',
    website_url: 'https://totara-living.example',
    created_at: new Date(),
    ...columns,
  });
  return { id, slug };
}

export interface Project {
  id: string;
  slug: string;
  updatedAt: string;
}

/** Adds a live project, with one tick of the stock clock, and its units. */
export function addProject(
  db: Pool,
  account: Account,
  columns: Columns = {},
  units: Columns[] = [],
): Promise<Project> {
  return writeStock(db, async (tx) => {
    const updatedAt = await tick(tx, account, new Date());
    const project = { id: uuidv7(), slug: `project-${randomBytes(6).toString('hex')}`, ...columns };
    const { id, slug } = project;
    await insert(tx, 'projects', projectColumns(account, { ...project, updated_at: updatedAt }));
    for (const [position, unit] of units.entries()) await addUnit(tx, account, id, position, unit);
    return { id, slug, updatedAt: updatedAt.toISOString() };
  });
}

function projectColumns(account: Account, given: Columns): Columns {
  const columns: Columns = {
    account_id: account.id,
    name: 'Harakeke Rise',
    publication: 'live',
    status: 'Available',
    development_description: 'Apartments above the river.',
    estimated_completion_date: new Date('2027-11-29T11:00:00Z'),
    address_line_1: '18 Harakeke Street',
    postal_code: '0112',
    latitude: -35.7168,
    longitude: 174.3214,
    city_name: 'Whangārei',
    region_name: 'Northland',
    region_slug: 'northland',
    suburb_name: 'Regent',
    project_website_url: 'https://harakeke-rise.example',
    gallery_images: '[]',
    created_at: new Date(),
    ...given,
  };
  return {
    ...columns,
    name_key: fold(String(columns['name'])).slice(0, 200),
    search_text: ` ${fold(String(columns['name']))}`,
    city_key: fold(String(columns['city_name'])),
    region_key: fold(String(columns['region_name'])),
    region_slug_key: fold(String(columns['region_slug'])),
    suburb_key: fold(String(columns['suburb_name'])),
  };
}

export async function addUnit(
  tx: Queryable,
  account: Account,
  projectId: string,
  position: number,
  columns: Columns = {},
): Promise<void> {
  const unit = { name: `Unit ${position + 1}`, ...columns };
  await insert(tx, 'units', {
    account_id: account.id,
    id: uuidv7(),
    project_id: projectId,
    position,
    status: 'Available',
    created_at: new Date(),
    updated_at: new Date(),
    name_key: toSortKey(unit.name),
    search_text: formatSearchText({ texts: [unit.name], phones: [] }),
    ...unit,
  });
}

async function tick(tx: Queryable, account: Account, now: Date): Promise<Date> {
  const [updatedAt] = await tickStockClock(tx, account.id, 1, now);
  assert(updatedAt);
  return updatedAt;
}

/** Changes a project as every writer does: the clock first, in one transaction. Returns its updatedAt. */
export function changeProject(
  db: Pool,
  account: Account,
  id: string,
  columns: Columns,
  { now = new Date() }: { now?: Date } = {},
): Promise<string> {
  return writeStock(db, async (tx) => {
    const updatedAt = await tick(tx, account, now);
    await update(
      tx,
      'projects',
      { account_id: account.id, id },
      { ...columns, updated_at: updatedAt },
    );
    return updatedAt.toISOString();
  });
}

export function changeOrganization(db: Pool, account: Account, columns: Columns): Promise<void> {
  return writeStock(db, async (tx) => {
    await tickStockClock(tx, account.id, 0, new Date());
    await update(tx, 'accounts', { account_id: account.id }, columns);
  });
}

/** Relates projects to another one, in this order. */
export function relateProjects(
  db: Pool,
  account: Account,
  id: string,
  related: string[],
): Promise<void> {
  return writeStock(db, async (tx) => {
    await tickStockClock(tx, account.id, 0, new Date());
    for (const [position, other] of related.entries())
      await insert(tx, 'related_projects', {
        account_id: account.id,
        project_id: id,
        related_project_id: other,
        position,
      });
  });
}

async function update(
  tx: Queryable,
  table: string,
  where: Columns,
  columns: Columns,
): Promise<void> {
  const equals = (all: Columns) =>
    Object.entries(all).map(([name, value]) => sql`${raw(name)} = ${value}`);
  const { text, values } = sql`update ${raw(table)} set ${join(equals(columns))}
    where ${join(equals(where), ' and ')}`;
  await tx.query({ name: '', text, values });
}
