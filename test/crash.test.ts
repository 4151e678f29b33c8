import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { dataFolder, offplan, postgresPids, serving, type Serving } from './process.ts';
import { accountFile, PROJECT_ID } from './accounts.ts';

const ROUNDS = 5;
const CLIENTS = 8;
const SECONDS_BEFORE_KILL = 1.2;

interface Exported {
  contacts: {
    email: string;
    firstName: string | null;
    stage: string | null;
    tags: string[];
    activities: { body: string }[];
    links: { projectId: string }[];
  }[];
}

test('no acknowledged import is lost, doubled or half there after kill -9 of everything under load', async (t) => {
  const folder = dataFolder(t);
  const environment = { OFFPLAN_DATA_DIR: folder, LOG_LEVEL: 'error' };
  const loaded = await offplan(['load', '-'], environment, JSON.stringify(accountFile('crash')));
  assert.equal(loaded.code, 0, loaded.stderr);
  const created = await offplan(
    ['keys', 'create', 'crash', '--access', 'read-write', '--name', 'load'],
    environment,
  );
  const key = created.stdout.trim();

  const sent = new Set<number>();
  const acknowledged = new Set<number>();
  let next = 0;

  async function send(url: string): Promise<void> {
    const n = (next += 1);
    sent.add(n);
    const response = await fetch(`${url}/api/v1/contacts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        email: `lead-${n}@example.com`,
        firstName: `Lead ${n}`,
        tags: ['Crash', `Tag ${n % 7}`],
        notes: `Note ${n}`,
        projectId: PROJECT_ID,
      }),
    });
    assert.equal(response.status, 201);
    acknowledged.add(n);
    await response.arrayBuffer();
  }

  for (let round = 0; round < ROUNDS; round += 1) {
    const server = await serving(environment);
    const killed = new AbortController();
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (!killed.signal.aborted)
        await send(server.url).catch((error: unknown) => {
          if (!killed.signal.aborted) throw error;
        });
    });
    await sleep(SECONDS_BEFORE_KILL * 1000);
    killed.abort();
    await killAll(server, folder);
    await Promise.all(clients);
  }

  const server = await serving(environment);
  const { stdout } = await offplan(['export', 'crash'], environment);
  await server.stop();
  assert.ok(
    acknowledged.size > ROUNDS * CLIENTS,
    `only ${acknowledged.size} imports were acknowledged`,
  );
  check((JSON.parse(stdout) as Exported).contacts, sent, acknowledged);
});

async function killAll(server: Serving, folder: string): Promise<void> {
  const pids = postgresPids(folder);
  const ended = server.stop('SIGKILL');
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  await ended;
}

function check(contacts: Exported['contacts'], sent: Set<number>, acknowledged: Set<number>): void {
  const seen = new Set<number>();
  for (const { email, firstName, stage, tags, activities, links } of contacts) {
    const n = Number(/^lead-(\d+)@/.exec(email)?.[1]);
    assert.ok(sent.has(n), `${email} was never sent`);
    assert.ok(!seen.has(n), `${email} is there twice`);
    seen.add(n);
    assert.deepEqual(
      { firstName, stage, tags, notes: activities.map(({ body }) => body), links: links.length },
      {
        firstName: `Lead ${n}`,
        stage: 'New',
        tags: ['Crash', `Tag ${n % 7}`],
        notes: [`Note ${n}`],
        links: 1,
      },
    );
  }
  for (const n of acknowledged) assert.ok(seen.has(n), `lead ${n} was acknowledged and is lost`);
}
