import sql from 'sql-template-tag';
import { query, type Queryable } from '../../platform/database/index.ts';
import { quote, type TableHeader } from './format.ts';

/** A table of the schema, with its columns in order and the tables that its foreign keys refer to. */
interface Table extends TableHeader {
  parents: string[];
}

/** The header of a backup has the rows of this table. */
const MIGRATIONS = 'schema_migrations';

/**
 * Lists the tables of the schema, each after those that it refers to. It leaves out tables of another owner and of extensions:
 * the schema may also have tables of other programs.
 */
export async function listTables(db: Queryable): Promise<TableHeader[]> {
  const tables = await query<Table>(
    db,
    'backup_tables',
    sql`select class.relname as table,
        array(select attname::text from pg_attribute
          where attrelid = class.oid and attnum > 0 and not attisdropped and attgenerated = ''
          order by attnum) as columns,
        array(select parent.relname::text from pg_constraint
          join pg_class parent on parent.oid = confrelid
          where conrelid = class.oid and contype = 'f') as parents
      from pg_class class join pg_class own on own.oid = 'schema_migrations'::regclass
      where class.relkind = 'r' and class.relnamespace = own.relnamespace
        and class.relowner = own.relowner and class.oid <> own.oid
        and not exists (select from pg_depend
          where classid = 'pg_class'::regclass and objid = class.oid and deptype = 'e')
      order by class.relname collate "C"`,
  );
  return orderByParents(tables).map(({ table, columns }) => ({ table, columns }));
}

function orderByParents(tables: Table[]): Table[] {
  const ordered = new Set<Table>();
  const path = new Set<Table>();
  function add(each: Table): void {
    if (ordered.has(each) || path.has(each)) return;
    path.add(each);
    for (const parent of tables) if (each.parents.includes(parent.table)) add(parent);
    ordered.add(each);
  }
  for (const each of tables) add(each);
  return [...ordered];
}

/** Formats the statement that locks these tables and the migrations in this mode until the transaction ends. */
export function formatLock(tables: TableHeader[], mode: string): string {
  const names = [...tables.map(({ table }) => table), MIGRATIONS].map(quote);
  return `lock table ${names.join(', ')} in ${mode} mode`;
}

/** Finds a table that has rows of this account, or of any. */
export async function findFilledTable(
  db: Queryable,
  tables: TableHeader[],
  accountId?: string,
): Promise<string | undefined> {
  for (const { table } of tables.filter(isOfAccounts)) {
    const where = accountId === undefined ? '' : 'where account_id = $1';
    const text = `select from ${quote(table)} ${where} limit 1`;
    const values = accountId === undefined ? [] : [accountId];
    const { rows } = await db.query({ name: '', text, values });
    if (rows.length > 0) return table;
  }
  return undefined;
}

/** Whether a table has rows of accounts. The other tables have rows of the service itself, which it may write at its start. */
export function isOfAccounts({ columns }: TableHeader): boolean {
  return columns.includes('account_id');
}

/** Counts the rows of an account in a table. */
export async function countRowsOfAccount(
  db: Queryable,
  accountId: string,
  table: string,
): Promise<number> {
  const text = `select count(*)::int as count from ${quote(table)} where account_id = $1`;
  const { rows } = await db.query<{ count: number }>({ name: '', text, values: [accountId] });
  return rows[0]?.count ?? 0;
}
