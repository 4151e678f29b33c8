import sql from 'sql-template-tag';
import type { Pool } from './pool.ts';
import { queryOnce, type Queryable } from './query.ts';
import { rollback } from './transaction.ts';

/**
 * Reads rows from one snapshot of the database, in a read-only transaction. It reads on only when the consumer asks for the next
 * item. The connection goes back to the pool when all rows are read, when reading fails, or when the consumer ends the
 * generator.
 */
export async function* readSnapshot<T>(
  pool: Pool,
  read: (tx: Queryable) => AsyncIterable<T>,
): AsyncGenerator<T> {
  const client = await pool.connect();
  try {
    await client.query('begin isolation level repeatable read, read only');
    yield* read({ query: (statement) => client.query(statement) });
  } finally {
    client.release(await rollback(client));
  }
}

/** Reads the rows of a statement in chunks, through a cursor of the transaction. The name is for traces only. */
export async function* readChunks<Row extends object>(
  tx: Queryable,
  name: string,
  statement: Parameters<typeof queryOnce>[2],
  rowsInChunk: number,
): AsyncGenerator<Row[]> {
  const declare = sql`declare chunks no scroll cursor for ${statement}`;
  await queryOnce(tx, `${name}_declare`, declare);
  const fetch = { text: `fetch ${rowsInChunk} from chunks`, values: [] };
  for (;;) {
    const chunk = await queryOnce<Row>(tx, `${name}_fetch`, fetch);
    if (chunk.length > 0) yield chunk;
    if (chunk.length < rowsInChunk) break;
  }
  await queryOnce(tx, `${name}_close`, sql`close chunks`);
}
