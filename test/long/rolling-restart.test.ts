import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { developersOf } from '../developer.ts';
import { build, databaseUrl } from '../harness.ts';
import { run } from '../instances.ts';
import { freePort, untilListening } from '../ports.ts';
import { serving, type Serving } from '../process.ts';
import { lead, send } from '../requests.ts';
import { until } from '../until.ts';

const HAPROXY = '/usr/sbin/haproxy';
const CLIENTS = 8;
const ROUNDS = 3;
const CALM_MS = 5_000;

const skip =
  spawnSync(HAPROXY, ['-v']).error !== undefined && `${HAPROXY}: apt-get install haproxy`;

/** Starts HAProxy with deploy/haproxy.cfg, in front of nodes on these ports. Returns its URL, and whether it sends requests to both nodes. */
async function startProxy(t: TestContext, ports: [number, number]) {
  const [port, statistics] = [await freePort(), await freePort()];
  const folder = mkdtempSync(join(tmpdir(), 'offplan-haproxy-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const text = readFileSync(new URL('../../deploy/haproxy.cfg', import.meta.url), 'utf8')
    .replace('127.0.0.1:3000', `127.0.0.1:${port}`)
    .replace('127.0.0.1:3001', `127.0.0.1:${ports[0]}`)
    .replace('127.0.0.1:3002', `127.0.0.1:${ports[1]}`);
  const file = join(folder, 'haproxy.cfg');
  const page = `listen statistics\n  bind 127.0.0.1:${statistics}\n  stats enable\n  stats uri /\n`;
  writeFileSync(file, `${text}\n${page}`);
  const child = spawn(HAPROXY, ['-f', file], { stdio: 'ignore' });
  t.after(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  await untilListening(port);
  /** Whether HAProxy sends requests to both nodes. */
  async function hasBothNodes(): Promise<boolean> {
    const rows = await (await fetch(`http://127.0.0.1:${statistics}/;csv`)).text();
    return [1, 2].every((node) => new RegExp(`^nodes,node${node},.*,UP,`, 'm').test(rows));
  }
  return { url: `http://127.0.0.1:${port}`, hasBothNodes };
}

/** Sends leads and reads from some clients until the end. */
function startLoad(url: string, key: string) {
  const outcomes = new Map<string, number>();
  const slowest = { ms: 0 };
  const ended = new AbortController();
  async function request(path: string, body?: object): Promise<void> {
    const startMs = performance.now();
    const answer = await send(url, key, path, body).catch((error: Error) => error);
    slowest.ms = Math.max(slowest.ms, performance.now() - startMs);
    const outcome =
      answer instanceof Error
        ? answer.message
        : `${path} ${answer.status} ${answer.code ?? ''}`.trim();
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!ended.signal.aborted) {
      await request('/api/v1/contacts', lead());
      await request('/api/v1/stocklist');
    }
  });
  return {
    outcomes,
    slowest,
    end: async () => {
      ended.abort();
      await Promise.all(clients);
    },
  };
}

test(
  'no request fails while two nodes behind HAProxy are restarted one after the other under load',
  { skip },
  async (t) => {
    const service = await build(t);
    const { key } = await developersOf(service)();
    const environment = {
      DATABASE_URL: await databaseUrl(service.db),
      LOG_LEVEL: 'silent',
      TRUST_PROXY: '127.0.0.1',
    };
    const ports: [number, number] = [await freePort(), await freePort()];
    const nodes: Serving[] = [];
    for (const port of ports) nodes.push(await serving(environment, '--port', String(port)));
    t.after(() => Promise.all(nodes.map(({ stop }) => stop('SIGKILL'))));
    const { url, hasBothNodes } = await startProxy(t, ports);
    await until(hasBothNodes);
    const load = startLoad(url, key);
    t.after(load.end);
    const exits: (number | null)[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [at, port] of ports.entries()) {
        await sleep(CALM_MS);
        exits.push((await nodes[at]?.stop('SIGTERM')) ?? null);
        nodes[at] = await serving(environment, '--port', String(port));
        await until(hasBothNodes);
      }
    await sleep(CALM_MS);
    await load.end();
    t.diagnostic(`answers: ${JSON.stringify(Object.fromEntries(load.outcomes))}`);
    t.diagnostic(`the slowest took ${Math.round(load.slowest.ms)} ms`);
    assert.deepEqual([...load.outcomes.keys()].toSorted(), [
      '/api/v1/contacts 201',
      '/api/v1/stocklist 200',
    ]);
    assert.deepEqual(new Set(exits), new Set([0]));
    const { rows } = await run(
      service.db,
      `select count(*)::int as count from contacts where email like 'lead-%'`,
    );
    assert.equal(rows[0]?.['count'], load.outcomes.get('/api/v1/contacts 201'));
  },
);
