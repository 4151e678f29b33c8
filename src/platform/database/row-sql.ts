import sql, { raw, type Sql } from 'sql-template-tag';
import type { Columns } from '../fields/index.ts';
import { query, type Queryable } from './query.ts';

/**
 * Builds the parts of statements that read and write rows as JSON objects with the fields' names. No update changes
 * `fixedFields`.
 */
export function buildRowSql(columns: Columns, fixedFields = ['id']) {
  const entries = Object.entries(columns);
  const changeable = entries.filter(([field]) => !fixedFields.includes(field));
  const parts = {
    fieldNames: Object.keys(columns),
    /** `id, city_name, …`: the columns that an insert lists. */
    columns: join(entries, (_field, column) => column),
    /** `r."id", r."cityName", …`: the values of a record, in the order of the columns. */
    values: join(entries, (field) => `r."${field}"`),
    /** `"id" uuid, "cityName" text, …`: the record type that the JSON is read as. */
    definition: join(entries, (field, _column, type) => `"${field}" ${type}`),
    /** `city_name = r."cityName", …`: the assignments of an update. */
    assignments: join(changeable, (field, column) => `${column} = r."${field}"`),
    /** `city_name = excluded.city_name, …`: the assignments of an upsert. */
    excluded: join(changeable, (_field, column) => `${column} = excluded.${column}`),
  };

  /** `t.id as "id", t.city_name as "cityName", …`: the given fields that the table stores. `table` is its name or alias. */
  function select(table: string, fields = parts.fieldNames): Sql {
    const stored = fields.flatMap((name) => entries.filter(([field]) => field === name));
    return join(stored, (field, column) => `${table}.${column} as "${field}"`);
  }

  /**
   * Inserts rows of an account, and updates those that are there. An UPDATE with a join would be planned for a handful of
   * rows, and take quadratic time where there are thousands.
   */
  function upsert(table: string, accountId: string, rows: object[]): Sql {
    return sql`insert into ${raw(table)} (account_id, ${parts.columns})
      select ${accountId}, ${parts.values}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(${parts.definition})
      on conflict (account_id, id) do update set ${parts.excluded}`;
  }

  return { ...parts, select, upsert };
}

function join(
  entries: [field: string, [column: string, type: string]][],
  write: (field: string, column: string, type: string) => string,
): Sql {
  return raw(entries.map(([field, [column, type]]) => write(field, column, type)).join(', '));
}

/** Reads rows as they are stored: each time as ISO 8601 with milliseconds, as entries give it. */
export async function queryStored<Row extends object>(
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
