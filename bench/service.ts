import { mkdtemp, rm, chmod } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import pino from 'pino';
import { buildApp } from '../src/app.ts';
import { startEmbedded } from '../src/database/embedded/start.ts';
import { migrate } from '../src/database/migrate.ts';
import { openPool, type Pool } from '../src/database/pool.ts';
import type { Server } from '../src/http/server.ts';

/** The service as `npm start` runs it, on an embedded PostgreSQL of its own, log lines to nowhere. */
export async function withService(
  work: (service: { app: Server; db: Pool; url: string; databaseUrl: string }) => Promise<void>,
): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'offplan-bench-'));
  await chmod(dataDir, 0o755);
  const postgres = await startEmbedded({ dataDir, dataDirIsDefault: false });
  const db = openPool(postgres.connection, () => undefined);
  await migrate(db);
  const logger = pino(
    { level: 'info', base: null },
    pino.destination({ dest: '/dev/null', sync: false }),
  );
  const config = { mediaBaseUrl: 'http://127.0.0.1/media', rateLimitPerMinute: null };
  const app = await buildApp({ config, db, logger });
  try {
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const { host, user, database } = postgres.connection;
    await work({
      app,
      db,
      url,
      databaseUrl: `postgresql:///${database}?host=${host}&user=${user}`,
    });
  } finally {
    await app.close();
    await db.end();
    await postgres.release();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** The file of an account with nothing in it. */
export const accountFile = (slug: string) => ({
  format: 'offplan-account/1',
  account: {
    slug,
    organization: {
      companyName: 'Bench Limited',
      displayName: 'Bench',
      email: 'bench@example.com',
      location: 'Wellington',
      websiteUrl: 'https://bench.example',
    },
  },
});

/** Requests answered a second, after a warm-up; every answer has to be a 2xx or a 304. */
export async function measure(options: autocannon.Options): Promise<autocannon.Result> {
  await autocannon({ ...options, duration: 2 });
  const result = await autocannon(options);
  const bad = result.errors + result['4xx'] + result['5xx'];
  if (bad > 0) throw new Error(`${bad} requests failed: ${JSON.stringify(result.statusCodeStats)}`);
  return result;
}

export function machine(): string {
  const gib = Math.round(totalmem() / 2 ** 30);
  return `Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model.trim()}), ${gib} GiB`;
}
