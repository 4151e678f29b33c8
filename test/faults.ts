import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPool, type Pool } from '../src/database/pool.ts';
import { databaseUrl, type Cleaner } from './harness.ts';

const SOCKET_NAME = '.s.PGSQL.5432';

type Fault = 'commit is lost' | 'answer is lost';

export interface FaultyDatabase {
  pool: Pool;
  /** Breaks the connection of the next COMMIT, before PostgreSQL gets it or before its answer arrives. */
  breakNextCommit: (fault: Fault) => void;
}

/** A pool on a database through a line that can break in COMMIT. */
export async function faultyDatabase(t: Cleaner, db: Pool): Promise<FaultyDatabase> {
  const url = new URL(await databaseUrl(db), 'postgresql://x');
  const real = join(url.searchParams.get('host') ?? '', SOCKET_NAME);
  const folder = mkdtempSync(join(tmpdir(), 'offplan-line-'));
  let next: Fault | undefined;

  function forward(client: Socket): void {
    const server = connect(real);
    let cut = false;
    const end = () => void [client.destroy(), server.destroy()];
    for (const side of [client, server]) side.on('error', end).on('close', end);
    // PostgreSQL has committed when it says so, and not when it answers what was sent before.
    server.on('data', (chunk) => {
      if (!cut) client.write(chunk);
      else if (chunk.includes('COMMIT\0')) end();
    });
    client.on('data', (chunk) => {
      const fault = chunk.includes('commit\0') ? next : undefined;
      if (fault !== undefined) next = undefined;
      if (fault === 'answer is lost') cut = true;
      if (fault === 'commit is lost') end();
      else server.write(chunk);
    });
  }

  const line = createServer(forward);
  await new Promise<void>((resolve) => line.listen(join(folder, SOCKET_NAME), resolve));
  const pool = openPool(
    { host: folder, user: 'offplan', database: url.pathname.slice(1) },
    () => undefined,
  );
  t.after(async () => {
    await pool.end();
    line.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { pool, breakNextCommit: (fault) => void (next = fault) };
}
