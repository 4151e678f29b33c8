import type { Server } from '../../src/platform/http/index.ts';
import { buildApp } from './internals.ts';
import type { Pool, Queryable } from '../../src/platform/database/index.ts';
import pino from 'pino';
import { SETTINGS, type Cleaner } from './harness.ts';
import { run } from './sql.ts';

/** Starts another instance of the service, with its own queue, on this database. */
export async function instance(t: Cleaner, db: Pool): Promise<Server> {
  const app = await buildApp({ config: SETTINGS, db, logger: pino({ level: 'silent' }) });
  t.after(() => app.close());
  return app;
}

/** Lists the columns of a table, without those that PostgreSQL generates. */
export async function listColumns(db: Queryable, table: string): Promise<string[]> {
  const { rows } = await run(
    db,
    `select attname::text as name from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''
      order by attnum`,
    [table],
  );
  return rows.map(({ name }) => String(name));
}
