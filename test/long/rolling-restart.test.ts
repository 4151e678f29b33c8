import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { developersOf } from '../support/developer.ts';
import { build, databaseUrl } from '../support/harness.ts';
import { freePort, untilListening } from '../support/ports.ts';
import { serving, type Serving } from '../support/process.ts';
import { lead, send } from '../support/requests.ts';
import { run } from '../support/sql.ts';
import { until } from '../support/until.ts';

const CLIENTS = 8;
const ROUNDS = 3;
/** How long docs/high-availability.md waits between a node that is ready and the restart of the next one. */
const PAUSE_MS = 2_000;

const read = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** A proxy that an operator may use: its configuration for the ports 3000 to 3002, and how to start it. */
interface Proxy {
  name: string;
  program: string;
  version: string;
  configuration: () => string;
  args: (file: string) => string[];
}

const PROXIES: Proxy[] = [
  {
    name: 'HAProxy',
    program: '/usr/sbin/haproxy',
    version: '-v',
    configuration: () => read('deploy/haproxy.cfg'),
    args: (file) => ['-f', file],
  },
  {
    name: 'Caddy',
    program: '/usr/bin/caddy',
    version: 'version',
    configuration: () => {
      const [, block = ''] = /```caddy\n(.*?)```/s.exec(read('docs/high-availability.md')) ?? [];
      return `{\n  admin off\n}\n${block.replace('crm.example.com', 'http://127.0.0.1:3000')}`;
    },
    args: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
  },
];

/** Starts a proxy in front of nodes on these ports. Returns its URL. */
async function startProxy(t: TestContext, proxy: Proxy, ports: [number, number]): Promise<string> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'offplan-proxy-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const text = proxy
    .configuration()
    .replace('127.0.0.1:3000', `127.0.0.1:${port}`)
    .replace('127.0.0.1:3001', `127.0.0.1:${ports[0]}`)
    .replace('127.0.0.1:3002', `127.0.0.1:${ports[1]}`);
  const file = join(folder, 'configuration');
  writeFileSync(file, text);
  const child = spawn(proxy.program, proxy.args(file), { stdio: 'ignore', env: { HOME: folder } });
  t.after(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  await untilListening(port);
  return `http://127.0.0.1:${port}`;
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

for (const proxy of PROXIES) {
  const { name, program, version } = proxy;
  const skip =
    spawnSync(program, [version]).error !== undefined &&
    `${program}: apt-get install ${name.toLowerCase()}`;
  const title = `no request fails while two nodes behind ${name} are restarted one after the other under load`;
  test(title, { skip }, async (t) => {
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
    const url = await startProxy(t, proxy, ports);
    const load = startLoad(url, key);
    t.after(load.end);
    const exits: (number | null)[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [at, port] of ports.entries()) {
        await sleep(PAUSE_MS);
        exits.push((await nodes[at]?.stop('SIGTERM')) ?? null);
        nodes[at] = await serving(environment, '--port', String(port));
        await until(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok);
      }
    await sleep(PAUSE_MS);
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
  });
}
