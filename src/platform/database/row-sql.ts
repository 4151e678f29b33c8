import { raw, type Sql } from 'sql-template-tag';

/** The column of each field of a row, and its type. */
export type Columns<Row> = Record<keyof Row, [column: string, type: string]>;

interface Options {
  /** The table's alias in the statements that select `fields`. */
  alias?: string;
  /** Fields that no update changes. */
  fixedFields?: string[];
}

/** Builds the parts of statements that read and write rows as JSON objects with the fields' names. */
export function buildRowSql<Row>(
  columns: Columns<Row>,
  { alias, fixedFields = ['id'] }: Options = {},
) {
  const entries = Object.entries<[column: string, type: string]>(columns);
  const changeable = entries.filter(([field]) => !fixedFields.includes(field));
  const prefix = alias === undefined ? '' : `${alias}.`;
  return {
    fieldNames: entries.map(([field]) => field),
    /** `t.id as "id", t.city_name as "cityName", …`: some of the fields, of a table or an alias. */
    select: (table: string, fieldNames: string[]): Sql =>
      join(
        fieldNames.flatMap((name) => entries.filter(([field]) => field === name)),
        (field, column) => `${table}.${column} as "${field}"`,
      ),
    /** `id, city_name, …`: the columns that an insert lists. */
    columns: join(entries, (_field, column) => column),
    /** `id as "id", city_name as "cityName", …`: the columns that a select lists. */
    fields: join(entries, (field, column) => `${prefix}${column} as "${field}"`),
    /** `r."id", r."cityName", …`: the values of a record, in the order of the columns. */
    values: join(entries, (field) => `r."${field}"`),
    /** `"id" uuid, "cityName" text, …`: the record type that the JSON is read as. */
    definition: join(entries, (field, _column, type) => `"${field}" ${type}`),
    /** `city_name = r."cityName", …`: the assignments of an update. */
    assignments: join(changeable, (field, column) => `${column} = r."${field}"`),
    /** `city_name = excluded.city_name, …`: the assignments of an upsert. */
    excluded: join(changeable, (_field, column) => `${column} = excluded.${column}`),
  };
}

function join(
  entries: [field: string, [column: string, type: string]][],
  write: (field: string, column: string, type: string) => string,
): Sql {
  return raw(entries.map(([field, [column, type]]) => write(field, column, type)).join(', '));
}
