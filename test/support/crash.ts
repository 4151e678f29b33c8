import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { accountFile, PROJECT_ID } from './accounts.ts';
import { dataFolder, offplan, serving, signalPostgres, type Serving } from './process.ts';
import { until } from './until.ts';

const CLIENTS = 8;
const LEADS_BEFORE_KILL = 200;

/** The processes that kill -9 ends. */
export type Victim = 'node' | 'postgres' | 'both';

/** An installation that the test kills under load. */
export interface CrashTest {
  folder: string;
  /** Imports leads from 8 clients, and kills the victim meanwhile. */
  round: (victim: Victim) => Promise<void>;
  /** Counts the acknowledged imports. */
  acknowledged: () => number;
  /** Throws when an acknowledged lead is lost, or when any lead is stored twice or in part. */
  check: () => Promise<void>;
}

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

/** Starts a service with its embedded PostgreSQL and one account, which has no contacts yet. */
export async function startCrashTest(t: {
  after: (done: () => void | Promise<void>) => void;
}): Promise<CrashTest> {
  const folder = dataFolder(t);
  const environment = { OFFPLAN_DATA_DIR: folder, LOG_LEVEL: 'fatal' };
  const loaded = await offplan(['load', '-'], environment, JSON.stringify(accountFile('crash')));
  assert.equal(loaded.code, 0, loaded.stderr);
  const made = ['keys', 'create', 'crash', '--access', 'read-write', '--name', 'load'];
  const key = (await offplan(made, environment)).stdout.trim();
  const sent = new Set<number>();
  const acknowledged = new Set<number>();
  let running: Serving | undefined;
  t.after(async () => void (await running?.stop()));

  /** Imports a lead. Returns whether the service acknowledged it; a 503 is the only other answer. */
  async function post(url: string): Promise<boolean> {
    const n = sent.size + 1;
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
    await response.arrayBuffer();
    assert.ok([201, 503].includes(response.status), `an answer is ${response.status}`);
    if (response.status === 201) acknowledged.add(n);
    else await sleep(20);
    return response.status === 201;
  }

  async function round(victim: Victim): Promise<void> {
    const server = (running ??= await serving(environment));
    const killsNode = victim !== 'postgres';
    const over = new AbortController();
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (!over.signal.aborted)
        await post(server.url).catch((error: unknown) => {
          if (!over.signal.aborted || !killsNode) throw error;
        });
    });
    const before = acknowledged.size;
    await until(() => acknowledged.size >= before + LEADS_BEFORE_KILL);
    if (killsNode) over.abort();
    const ended = killsNode ? server.stop('SIGKILL') : undefined;
    if (victim !== 'node') signalPostgres(folder, 'SIGKILL');
    await ended;
    if (killsNode) running = undefined;
    else await until(() => post(server.url));
    over.abort();
    await Promise.all(clients);
  }

  async function check(): Promise<void> {
    const { code, stdout, stderr } = await offplan(['export', 'crash'], environment);
    assert.equal(code, 0, stderr);
    checkContacts((JSON.parse(stdout) as Exported).contacts, sent, acknowledged);
  }

  return { folder, round, acknowledged: () => acknowledged.size, check };
}

function checkContacts(
  contacts: Exported['contacts'],
  sent: Set<number>,
  acknowledged: Set<number>,
): void {
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
  const lost = [...acknowledged].filter((n) => !seen.has(n));
  assert.ok(lost.length === 0, `${lost.length} acknowledged leads are lost`);
}
