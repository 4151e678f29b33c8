import { mkdtempSync, rmSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbedded, type EmbeddedPostgres } from '../src/platform/postgres/index.ts';
import { migrate, openPool } from '../src/platform/database/index.ts';

/** The migrated database that every test's own is cloned from. */
export const TEMPLATE = 'offplan_template';

let dataDir: string;
let server: EmbeddedPostgres;

/** Runs once before all test files: a PostgreSQL of their own, found through PGHOST. */
export async function globalSetup(): Promise<void> {
  dataDir = mkdtempSync(join(tmpdir(), 'offplan-test-'));
  await chmod(dataDir, 0o755);
  server = await startEmbedded({ dataDir, dataDirIsDefault: false });
  process.env['OFFPLAN_TEST_SOCKET'] = server.connection.host;
  const admin = new pg.Client({ ...server.connection, database: 'postgres' });
  await admin.connect();
  await admin.query(`create database ${TEMPLATE}`);
  await admin.end();
  const pool = openPool({ ...server.connection, database: TEMPLATE }, () => undefined);
  await migrate(pool);
  await pool.end();
}

export async function globalTeardown(): Promise<void> {
  await server.release();
  rmSync(dataDir, { recursive: true, force: true });
}
