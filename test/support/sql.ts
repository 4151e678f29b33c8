import type { Queryable } from '../../src/platform/database/index.ts';

/** Runs a statement of a test, and returns the result of PostgreSQL. */
export const run = (on: Queryable, text: string, values: unknown[] = []) =>
  on.query({ name: '', text, values });

/** Runs a statement of a test, and returns its rows. */
export async function readRows<Row extends object>(
  on: Queryable,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return (await on.query<Row>({ name: '', text, values })).rows;
}
