import sql, { raw, type Sql } from 'sql-template-tag';
import type { Columns } from '../fields/index.ts';
import { query, type Queryable } from './query.ts';

/** The fields that an update does not simply replace. */
interface UpdateRules {
  /** Keeps the old value. */
  fixed?: string[];
  /** Keeps the larger value. */
  rising?: string[];
  /** Keeps the smaller value. */
  falling?: string[];
  /** Appends the new items to the old list. */
  growing?: string[];
}

/** Builds the parts of statements that read and write rows as JSON objects. Their members have the names of the fields. */
export function buildRowSql(
  columns: Columns,
  { fixed = ['id'], rising = [], falling = [], growing = [] }: UpdateRules = {},
) {
  const entries = Object.entries(columns);
  const changeable = entries.filter(([field]) => !fixed.includes(field));
  const parts = {
    fieldNames: Object.keys(columns),
    columnNames: entries.map(([, [column]]) => column),
    /** `id, city_name, …`: the columns that an insert lists. */
    columns: joinEntries(entries, (_field, column) => column),
    /** `r."id", r."cityName", …`: the values of a record, in the order of the columns. */
    recordValues: joinEntries(entries, (field) => `r."${field}"`),
    /** `"id" uuid, "cityName" text, …`: the record type that the JSON is read as. */
    recordType: joinEntries(entries, (field, _column, type) => `"${field}" ${type}`),
    /** `city_name = r."cityName", …`: the assignments of an update. */
    updateAssignments: joinEntries(changeable, (field, column) => `${column} = r."${field}"`),
  };

  /** `city_name = excluded.city_name, …`: the assignments of an upsert. */
  const assignExcluded = (table: string) =>
    joinEntries(changeable, (field, column) => {
      const [stored, written] = [`${table}.${column}`, `excluded.${column}`];
      if (rising.includes(field)) return `${column} = greatest(${stored}, ${written})`;
      if (falling.includes(field)) return `${column} = least(${stored}, ${written})`;
      return growing.includes(field)
        ? `${column} = array(select distinct each from unnest(${stored} || ${written}) each order by each)`
        : `${column} = ${written}`;
    });

  /** Selects fields: `t.id as "id", t.city_name as "cityName", …`. `table` is the name or the alias of the table. */
  function select(table: string, fields = parts.fieldNames): Sql {
    const selected = fields.flatMap((name) => entries.filter(([field]) => field === name));
    return joinEntries(selected, (field, column) => `${table}.${column} as "${field}"`);
  }

  /**
   * Builds an upsert of rows of an account. Each row gets `revision`, and an update raises `version` by 1. It is an upsert
   * because PostgreSQL plans an UPDATE with a join for a handful of rows, and takes quadratic time for thousands. `revision` is
   * SQL that may use `r.later`, an integer member of each row.
   *
   * The statement takes `account_id` from the row of the account, so that Citus runs it on the worker of the account.
   * With a parameter in its place, the rows go through the coordinator.
   */
  function upsert(table: string, accountId: string, rows: object[], revision: Sql): Sql {
    return sql`insert into ${raw(table)} (account_id, revision, ${parts.columns})
      select account.account_id, ${revision}, ${parts.recordValues}
      from accounts account
      cross join json_to_recordset(${JSON.stringify(rows)}::json) as r(${parts.recordType}, later integer)
      where account.account_id = ${accountId}
      on conflict (account_id, id) do update
        set version = ${raw(table)}.version + 1, revision = excluded.revision, ${assignExcluded(table)}`;
  }

  /** Lists the values of a row, in the order of the columns. A missing field is null. */
  function listValues(row: object): unknown[] {
    return entries.map(([field, [, type]]) => {
      const value = (row as Record<string, unknown>)[field] ?? null;
      return type.startsWith('json') && value !== null ? JSON.stringify(value) : value;
    });
  }

  return { ...parts, select, upsert, listValues };
}

function joinEntries(
  entries: [field: string, [column: string, type: string]][],
  write: (field: string, column: string, type: string) => string,
): Sql {
  return raw(entries.map(([field, [column, type]]) => write(field, column, type)).join(', '));
}

/** Runs a query for stored rows. Each time in them is a string in ISO 8601 with milliseconds, as in an entry. */
export async function queryStoredRows<Row extends object>(
  db: Queryable,
  name: string,
  statement: Sql,
): Promise<Row[]> {
  const rows = await query<Record<string, unknown>>(db, name, statement);
  for (const row of rows)
    for (const field in row) {
      const value = row[field];
      if (value instanceof Date) row[field] = value.toISOString();
    }
  return rows as Row[];
}
