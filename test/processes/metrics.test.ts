import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { METHODS, request, type IncomingMessage } from 'node:http';
import { after, test, type TestContext } from 'node:test';
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises';
import { COMMAND_TIMEOUTS, openPool, type Pool } from '../../src/platform/database/index.ts';
import { loadMetrics } from '../../src/platform/telemetry/index.ts';
import { version } from '../../src/platform/config/index.ts';
import { accountIdOf } from '../support/accounts.ts';
import { isCitus } from '../support/databases.ts';
import { developersOf, NOWHERE } from '../support/developer.ts';
import { build, databaseUrl } from '../support/harness.ts';
import { freePort } from '../support/ports.ts';
import { offplan, serving } from '../support/process.ts';
import { run } from '../support/sql.ts';

const service = await build({ after });
const makeDeveloper = developersOf(service);
const DATABASE_URL = await databaseUrl(service.db);

/** The value of each series, by its text: `name{label="…"}`. */
type Series = Map<string, number>;

const LINE = /^([a-z][a-z0-9_]*(?:\{(?:[a-z]+="[^"\\\n]*",?)+\})?) (-?[\d.e+-]+|\+Inf|Nan)$/;

/** Parses the text format of Prometheus, and asserts that it is valid. */
function read(text: string): Series {
  const series: Series = new Map();
  const typed = new Set<string>();
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const [, type] = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line) ?? [];
    if (type !== undefined) {
      assert.ok(!typed.has(type), `${type} comes twice`);
      typed.add(type);
    } else if (!line.startsWith('# HELP ')) {
      const [, name = '', value] = LINE.exec(line) ?? [];
      assert.ok(name !== '' && !series.has(name), line);
      series.set(name, Number(value));
    }
  }
  return series;
}

/** The sum of the series of a name that have all these labels. */
function sum(series: Series, name: string, labels: Record<string, string | number> = {}): number {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  return [...series]
    .filter(([text]) => text.split('{')[0] === name && wanted.every((each) => text.includes(each)))
    .reduce((total, [, value]) => total + value, 0);
}

async function serve(environment: Record<string, string> = {}) {
  const port = await freePort();
  const settings = { DATABASE_URL, OFFPLAN_METRICS_PORT: String(port), LOG_LEVEL: 'silent' };
  const server = await serving({ ...settings, ...environment });
  const ask = () => fetch(`http://127.0.0.1:${port}/metrics`);
  return { ...server, port, ask, scrape: async () => read(await (await ask()).text()) };
}

const STARTING_SECONDS = Date.now() / 1_000;
const server = await serve();
after(() => server.stop());

const get = (path: string, key: string, more = {}) =>
  fetch(server.url + path, { headers: { authorization: `Bearer ${key}`, ...more } });

const post = (path: string, key: string, body: unknown, more = {}) =>
  fetch(server.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...more },
    body: JSON.stringify(body),
  });

/** The metrics of this process. */
async function measuring(db: Pool = service.db): Promise<{ scrape: () => Promise<Series> }> {
  const { createMetrics, renderMetrics } = await loadMetrics();
  const metrics = createMetrics(db);
  return { scrape: async () => read(await renderMetrics(await metrics.read())) };
}

/** Blocks the event loop of this process. */
function block(ms: number): void {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
}

async function until<T>(look: () => Promise<T>, is: (seen: T) => boolean): Promise<T> {
  for (const endMs = Date.now() + 20_000; Date.now() < endMs; await sleep(50)) {
    const seen = await look();
    if (is(seen)) return seen;
  }
  throw new Error('it did not come to that');
}

test('every request is counted by method, route and status, and its duration by method and route', async () => {
  const { key } = await makeDeveloper();
  const before = await server.scrape();
  for (const path of [
    '/api/v1/stocklist',
    '/api/v1/stocklist?limit=0',
    '/api/v1/nothing',
    '/api/v1/%zz',
  ])
    await (await get(path, key)).text();
  await (await get('/api/v1/projects/unknown', key)).text();
  await (await get('/api/v1/stocklist', 'offplan_wrong')).text();
  const now = await server.scrape();
  const more = (name: string, labels: Record<string, string | number>) =>
    sum(now, name, labels) - sum(before, name, labels);
  const requests = (route: string, status: number) =>
    more('http_requests_total', { method: 'GET', route, status });
  assert.equal(requests('/api/v1/stocklist', 200), 1);
  assert.equal(requests('/api/v1/stocklist', 400), 1);
  assert.equal(requests('/api/v1/stocklist', 401), 1);
  assert.equal(requests('/api/v1/projects/:slug', 404), 1);
  assert.equal(requests('none', 404), 2);
  const stocklist = { method: 'GET', route: '/api/v1/stocklist' };
  assert.equal(more('http_request_duration_seconds_count', stocklist), 3);
  assert.equal(more('http_request_duration_seconds_bucket', { ...stocklist, le: '+Inf' }), 3);
  assert.equal(more('http_request_duration_seconds_bucket', { ...stocklist, le: 30 }), 3);
  assert.ok(more('http_request_duration_seconds_sum', stocklist) > 0);
});

test('the buckets of a duration are cumulative', async () => {
  const text = await (await server.ask()).text();
  const counts = [...text.matchAll(/_bucket\{.*le="[^"]+".*route="\/api\/v1\/stocklist"\} (\d+)/g)];
  const values = counts.map(([, value]) => Number(value));
  assert.equal(values.length, 15);
  assert.deepEqual(
    values,
    values.toSorted((a, b) => a - b),
  );
});

test('every import is counted by its channel and outcome; a dry run and a repeated answer are not counted', async () => {
  const { key } = await makeDeveloper([
    { email: 'twin@example.com' },
    { email: 'twin@example.com' },
  ]);
  const before = await server.scrape();
  const single = '/api/v1/contacts';
  const statuses: number[] = [];
  for (const body of [
    { email: 'one@example.com' },
    { email: 'one@example.com' },
    { email: 'no email' },
    { email: 'twin@example.com' },
    { email: 'two@example.com', projectId: NOWHERE },
  ])
    statuses.push((await post(single, key, body)).status);
  assert.deepEqual(statuses, [201, 200, 400, 409, 422]);
  await post(`${single}?dryRun=true`, key, { email: 'three@example.com' });
  for (const _ of [1, 2])
    await post(single, key, { email: 'four@example.com' }, { 'idempotency-key': 'a-key-of-four' });
  await post(single, key, { email: 'six@example.com' }, { 'idempotency-key': 'a-key-of-four' });
  await post(`${single}/batch`, key, { contacts: [{ email: 'five@example.com' }, { email: 'x' }] });
  const now = await server.scrape();
  const imports = (channel: string, outcome: string): number => {
    const labels = { channel, outcome };
    return sum(now, 'offplan_imports_total', labels) - sum(before, 'offplan_imports_total', labels);
  };
  assert.deepEqual(
    [
      'created',
      'merged',
      'invalid_request',
      'duplicate_contacts',
      'project_not_available',
      'idempotency_key_reused',
    ].map((outcome) => imports('single', outcome)),
    [2, 1, 1, 1, 1, 1],
  );
  assert.deepEqual([imports('batch', 'created'), imports('batch', 'invalid_request')], [1, 1]);
  assert.equal(sum(now, 'offplan_import_requests_pending'), 0);
});

test('offplan_answers_total separates cache hits from misses, and offplan_answers_bytes is the size of the cache', async () => {
  const { key } = await makeDeveloper();
  const before = await server.scrape();
  for (const _ of [1, 2, 3]) await (await get('/api/v1/stocklist?limit=7', key)).text();
  const now = await server.scrape();
  const more = (cache: string) =>
    sum(now, 'offplan_answers_total', { cache }) - sum(before, 'offplan_answers_total', { cache });
  assert.deepEqual([more('hit'), more('miss')], [2, 1]);
  assert.ok(sum(now, 'offplan_answers_bytes') > sum(before, 'offplan_answers_bytes'));
});

test('an import that waits for a lock is pending, and its connection busy', async (t) => {
  const { key, slug } = await makeDeveloper();
  const accountId = await accountIdOf(service.db, { slug });
  const client = await service.db.connect();
  t.after(() => client.release(true));
  await client.query('begin');
  const emailKey = 'held@example.com';
  await client.query('insert into email_locks (account_id, email_sha256) values ($1, sha256($2))', [
    accountId,
    emailKey,
  ]);
  const waiting = post('/api/v1/contacts', key, { email: emailKey });
  const busy = (series: Series) => sum(series, 'offplan_database_connections', { state: 'busy' });
  // On a Citus the import has a connection to a worker, which the metric does not count. The sweep of a server that has just
  // begun has a connection for a moment, too.
  const held = isCitus() ? 0 : 1;
  const now = await until(
    server.scrape,
    (series) => sum(series, 'offplan_import_requests_pending') === 1 && busy(series) === held,
  );
  assert.equal(sum(now, 'offplan_database_waiting'), 0);
  await client.query('rollback');
  assert.equal((await waiting).status, 201);
  await until(server.scrape, (series) => busy(series) === 0);
});

test('offplan_database_connections separates idle from busy, and offplan_database_waiting counts what waits', async (t) => {
  const pool = openPool(DATABASE_URL, assert.ifError, { ...COMMAND_TIMEOUTS, max: 2 });
  t.after(() => pool.end());
  const { scrape } = await measuring(pool);
  const seen = async () => {
    const series = await scrape();
    const connections = (state: string) => sum(series, 'offplan_database_connections', { state });
    const waiting = sum(series, 'offplan_database_waiting');
    return { idle: connections('idle'), busy: connections('busy'), waiting };
  };
  const told = [await seen()];
  const held = [await pool.connect(), await pool.connect()];
  const waiting = [pool.connect(), pool.connect(), pool.connect()];
  told.push(await seen());
  for (const client of held) client.release();
  told.push(await seen());
  for (const client of waiting) (await client).release();
  told.push(await seen());
  assert.deepEqual(told, [
    { idle: 0, busy: 0, waiting: 0 },
    { idle: 0, busy: 2, waiting: 3 },
    { idle: 0, busy: 2, waiting: 1 },
    { idle: 2, busy: 0, waiting: 0 },
  ]);
});

test('a blocked event loop shows as lag, once, and as utilized', async () => {
  const { scrape } = await measuring();
  const lag = (series: Series, part: string) => sum(series, `nodejs_eventloop_lag_${part}_seconds`);
  const utilization = (series: Series) => sum(series, 'nodejs_eventloop_utilization');
  // The timer that measures the lag runs after each block. It must not run between them: a wait adds a short lag.
  for (let n = 0; n < 5; n += 1) {
    block(60);
    await immediate();
  }
  block(200);
  await immediate();
  const blocked = await scrape();
  const [p50, p99, max] = ['p50', 'p99', 'max'].map((part) => lag(blocked, part));
  assert.ok(Number(p50) > 0.04 && Number(p99) > 0.18 && Number(max) >= Number(p99));
  assert.ok(utilization(blocked) > 0.9);
  await until(
    async () => {
      await sleep(50);
      return scrape();
    },
    (series) => lag(series, 'max') < 0.18 && utilization(series) < 0.9,
  );
});

test('processor time and memory are those of the process', async () => {
  const { scrape } = await measuring();
  const MORE = 128 * 1024 * 1024;
  const before = await scrape();
  const taken = Buffer.alloc(MORE, 1);
  block(100);
  const now = await scrape();
  const more = (name: string) => sum(now, name) - sum(before, name);
  // The system may give other memory back meanwhile.
  for (const name of ['process_resident_memory_bytes', 'nodejs_external_memory_bytes'])
    assert.ok(more(name) > MORE / 2, `${name}: ${more(name)} more, with ${taken.length} taken`);
  for (const name of ['nodejs_heap_size_used_bytes', 'nodejs_heap_size_total_bytes'])
    assert.ok(sum(now, name) > 1e6 && more(name) < MORE / 2, name);
  assert.ok(more('process_cpu_seconds_total') > 0.02);
});

test('the metrics show when a process started, and its release', async () => {
  const nowSeconds = Date.now() / 1_000;
  const series = await server.scrape();
  const startedSeconds = sum(series, 'process_start_time_seconds');
  // The value is rounded to a second.
  assert.ok(STARTING_SECONDS - 1 <= startedSeconds && startedSeconds < nowSeconds + 1);
  assert.equal(sum(series, 'offplan_info', { version, node: process.versions.node }), 1);
});

test('no metric contains an account, a key, an email or a URL', async () => {
  const { key, slug } = await makeDeveloper();
  const accountId = await accountIdOf(service.db, { slug });
  await post('/api/v1/contacts?secret=sesame', key, { email: 'sesame@example.com' });
  await get('/api/v1/stocklist?city=sesame', key, { 'user-agent': 'sesame' });
  await get('/sesame', key);
  const text = await (await server.ask()).text();
  assert.doesNotMatch(text, new RegExp(`sesame|offplan_[0-9A-Za-z]{20}|${slug}|${accountId}`));
  assert.doesNotMatch(text, /[0-9a-f]{8}-[0-9a-f]{4}/);
});

test('the import log has a size, and a share of the refused imports that an account may keep', async () => {
  const developer = await makeDeveloper();
  const limited = await serve({ OFFPLAN_IMPORT_LOG_REFUSED_MIB: '1' });
  after(() => limited.stop());
  const headers = { authorization: `Bearer ${developer.key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ email: 'x', notes: 'n'.repeat(900_000) });
  const share = (series: Series) => sum(series, 'offplan_import_log_refused_share');
  const before = await limited.scrape();
  const url = `${limited.url}/api/v1/contacts`;
  assert.equal((await fetch(url, { method: 'POST', headers, body })).status, 400);
  const now = await limited.scrape();
  assert.ok(share(before) < 0.5 && share(now) > 0.8 && share(now) < 1, String(share(now)));
  const measure = isCitus() ? 'citus_total_relation_size' : 'pg_total_relation_size';
  const { rows } = await run(service.db, `select ${measure}('imports')::float8 as bytes`);
  assert.equal(sum(now, 'offplan_import_log_bytes'), rows[0]?.['bytes']);
});

test('metrics are on their own port alone, and that port has nothing else', async () => {
  assert.equal((await get('/metrics', '')).status, 404);
  const other = await fetch(`http://127.0.0.1:${server.port}/readyz`);
  assert.equal(other.status, 404);
  assert.match(
    String((await server.ask()).headers.get('content-type')),
    /^text\/plain; version=0\.0\.4/,
  );
});

test('serve prints one line and exits with 1 when the port for metrics is in use', async () => {
  const environment = { DATABASE_URL, OFFPLAN_METRICS_PORT: String(server.port) };
  const { code, stderr } = await offplan(['serve', '--port', '0'], environment);
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^offplan: port \d+ on 127\.0\.0\.1 is in use; name another with OFFPLAN_METRICS_PORT$/m,
  );
});

test('no request of a stranger makes a new series: neither a path, a method nor a header', async () => {
  const { port } = new URL(server.url);
  const tell = async (n: number) => {
    for (const method of METHODS.filter((each) => each !== 'CONNECT'))
      for (const path of [
        '/livez',
        '/api/v1/contacts',
        `/api/v1/projects/${n}`,
        `/${n}`,
        `/docs/${n}`,
      ]) {
        const headers = {
          origin: `https://${n}.example`,
          'user-agent': `${n}`,
          'x-request-id': `${n}`,
        };
        const sent = request({ port, path, method, headers, agent: false }).end();
        sent.on('upgrade', (_response, socket) => socket.destroy());
        await Promise.race([once(sent, 'response'), once(sent, 'upgrade')]).then(
          ([response]) => (response as IncomingMessage).resume(),
          () => undefined,
        );
      }
  };
  // Node.js has a series for each kind of garbage collection from the first one on, and for each kind of what it works on now.
  const names = async () =>
    [...(await server.scrape()).keys()].filter((name) => !/^nodejs_(gc|active)_/.test(name));
  await tell(1);
  const before = await names();
  await tell(2);
  assert.deepEqual(await names(), before);
  const methods = new Set(before.flatMap((name) => /[{,]method="(\w+)"/.exec(name)?.[1] ?? []));
  const known = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'other'];
  assert.deepEqual([...methods].toSorted(), known.toSorted());
});

test('each worker has series of its own; those of a replaced worker begin anew, and the others go on', async (t) => {
  const many = await serve({ OFFPLAN_WORKERS: '2' });
  t.after(() => many.stop());
  const requests = (series: Series, worker?: number) =>
    sum(series, 'http_requests_total', { route: '/livez', ...(worker && { worker }) });
  for (let sent = 0; sent < 30; sent += 1)
    await (await fetch(`${many.url}/livez`, { headers: { connection: 'close' } })).text();
  const before = await many.scrape();
  assert.equal(requests(before), 30);
  assert.ok(requests(before, 1) > 0 && requests(before, 2) > 0);
  assert.equal(sum(before, 'offplan_worker_up'), 2);

  const [child = 0] = childrenOf(many.child.pid);
  process.kill(child, 'SIGKILL');
  const isUp = (series: Series, worker: number) => sum(series, 'offplan_worker_up', { worker });
  let now = await until(many.scrape, (series) => isUp(series, 1) + isUp(series, 2) === 1);
  const [killed, other] = isUp(now, 1) === 0 ? [1, 2] : [2, 1];
  assert.equal(requests(now, other), requests(before, other));
  now = await until(many.scrape, (series) => isUp(series, killed) === 1);
  assert.deepEqual([requests(now, killed), requests(now, other)], [0, requests(before, other)]);
});

function childrenOf(pid = 0): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
}

const RULES = readFileSync(new URL('../../docs/alerts.yaml', import.meta.url), 'utf8');
const PAGE = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');

/** The rules by the names of their alerts. */
const alerts = new Map(
  RULES.split('- alert: ')
    .slice(1)
    .map((rule) => [/^\w+/.exec(rule)?.[0] ?? '', rule]),
);

/** The values of each label of each metric. */
type Labels = Map<string, Map<string, Set<string>>>;

/** The series as Prometheus stores them: it adds the target, and whether the scrape worked. */
function scraped(series: Series): Labels {
  const job = /job_name: (\w+)/.exec(PAGE)?.[1];
  const all: Labels = new Map();
  for (const each of ['up', ...series.keys()]) {
    const [name = '', text = ''] = each.split('{');
    const labels = all.get(name) ?? new Map<string, Set<string>>();
    all.set(name, labels);
    const added = `job="${job}",instance="offplan:9464",${text}`;
    for (const [, label = '', value = ''] of added.matchAll(/([a-z]+)="([^"]*)"/g))
      labels.set(label, (labels.get(label) ?? new Set()).add(value));
  }
  return all;
}

/** The metrics of a service with workers after good, bad and too many requests, and the loss of its tables. */
async function misused(t: TestContext): Promise<Labels> {
  const broken = await build(t);
  const { db } = broken;
  const { key } = await developersOf(broken)();
  const workers = await serve({ DATABASE_URL: await databaseUrl(db), OFFPLAN_WORKERS: '2' });
  t.after(() => workers.stop());
  const send = async (path: string, token: string, more: RequestInit = {}): Promise<number> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(workers.url + path, { headers, ...more });
    await response.text();
    return response.status;
  };
  const lead = { method: 'POST', body: '{"email":"one@example.com"}' };
  assert.equal(await send('/api/v1/projects/harbourlight', key), 200);
  assert.equal(await send('/api/v1/contacts', key, lead), 201);
  const wrong = Array.from({ length: 150 }, () => send('/api/v1/stocklist', 'offplan_wrong'));
  assert.deepEqual(new Set(await Promise.all(wrong)), new Set([401, 429]));
  for (const table of ['projects', 'schema_migrations'])
    await run(db, `alter table ${table} rename to lost_${table}`);
  assert.equal(await send('/api/v1/stocklist', key), 500);
  assert.equal(await send('/readyz', ''), 503);
  return scraped(await workers.scrape());
}

const SELECTOR = /\b(up|(?:http|offplan|nodejs|process)_\w+)(?:\{([^}]*)\})?/g;
const MATCHER = /^([a-z]+)(=|!=|=~|!~)"([^"]*)"$/;

/** The values that a matcher names. A pattern names each of its alternatives, which must be plain texts. */
function namedValues(operator: string, value: string): string[] {
  if (!operator.includes('~')) return [value];
  const [, before = '', among = value, after = ''] = /^([^(]*)\(([^()]*)\)(.*)$/.exec(value) ?? [];
  return among.split('|').map((each) => before + each + after);
}

test('every alert uses metrics, labels and values that exist', async (t) => {
  const there = await misused(t);
  assert.ok(alerts.size > 10);
  for (const [alert, rule] of alerts) {
    const labels = new Set<string>();
    const selectors = [...rule.matchAll(SELECTOR)];
    assert.ok(selectors.length > 0, alert);
    for (const [selector, name = '', matchers = ''] of selectors) {
      const metric = there.get(name);
      assert.ok(metric, `${alert}: ${name}`);
      for (const label of metric.keys()) labels.add(label);
      for (const matcher of matchers === '' ? [] : matchers.split(',')) {
        const [, label = '', operator = '', value = ''] = MATCHER.exec(matcher.trim()) ?? [];
        for (const named of namedValues(operator, value))
          assert.ok(metric.get(label)?.has(named), `${alert}: "${named}" in ${selector}`);
      }
    }
    // The labels that an expression sums by, and those in its summary.
    const by = [...rule.matchAll(/\bby \(([^)]*)\)/g)].map(([, list = '']) => list.split(', '));
    for (const label of by.flat()) assert.ok(labels.has(label), `${alert}: by ${label}`);
    for (const [, label = ''] of rule.matchAll(/\$labels\.(\w+)/g))
      for (const left of by.length === 0 ? [[...labels]] : by)
        assert.ok(left.includes(label), `${alert}: $labels.${label}`);
  }
});

test('the page for operators explains exactly the alerts that exist', () => {
  const explained = [...PAGE.matchAll(/^- `(Offplan\w+)`: /gm)].map(([, alert]) => alert);
  assert.deepEqual(explained, [...alerts.keys()]);
});
