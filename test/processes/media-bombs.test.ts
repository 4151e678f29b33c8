import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { developersOf } from '../support/developer.ts';
import { build, databaseUrl } from '../support/harness.ts';
import { makeBomb } from '../support/pictures.ts';
import { serving, type Serving } from '../support/process.ts';
import { until } from '../support/until.ts';

const MIB = 2 ** 20;
const SAMPLE_MS = 5;

const service = await build({ after });
const developer = await developersOf(service)();
const key = await service.key(developer.slug, 'all');
const folder = join(tmpdir(), `offplan-bombs-${process.pid}`);
after(() => rm(folder, { recursive: true, force: true }));
const settings = {
  DATABASE_URL: await databaseUrl(service.db),
  OFFPLAN_MEDIA_DIR: folder,
  LOG_LEVEL: 'warn',
};
const server = await serving(settings);
after(() => server.stop());

function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    // The process has ended.
    return '';
  }
}

/** The most memory that a process has had. */
const readPeakBytes = (pid: number | string): number =>
  Number(/^VmHWM:\s+(\d+)/m.exec(readProc(`${pid}/status`))?.[1] ?? 0) * 1024;

/** The processes that the service has started and that run. */
const listChildren = ({ child }: Serving = server): string[] =>
  readProc(`${child.pid}/task/${child.pid}/children`).split(' ').filter(Boolean);

/** Runs work, and measures what the service and its converters take meanwhile. */
async function measure<T>(work: () => Promise<T>) {
  const before = readPeakBytes(server.child.pid ?? 0);
  let [atOnce, converterPeak] = [0, 0];
  const timer = setInterval(() => {
    const children = listChildren();
    atOnce = Math.max(atOnce, children.length);
    converterPeak = Math.max(converterPeak, ...children.map(readPeakBytes));
  }, SAMPLE_MS);
  try {
    const result = await work();
    const grownBytes = readPeakBytes(server.child.pid ?? 0) - before;
    return { result, grownBytes, atOnce, converterPeak };
  } finally {
    clearInterval(timer);
  }
}

async function upload(
  body: Buffer,
  { url }: Serving = server,
): Promise<{ status: number; code?: string }> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'image/png' };
  const answer = await fetch(`${url}/api/v1/media`, { method: 'POST', headers, body });
  return { status: answer.status, ...((await answer.json()) as { code?: string }) };
}

test('a PNG of 900 megapixels in a few bytes is refused, and takes no memory', async (t) => {
  const bomb = makeBomb(30_000);
  assert.ok(bomb.length < MIB / 4);
  const { result, grownBytes, converterPeak } = await measure(() => upload(bomb));
  assert.deepEqual([result.status, result.code], [422, 'media_unreadable']);
  t.diagnostic(`service + ${grownBytes / MIB} MiB, converter ${converterPeak / MIB} MiB`);
  assert.ok(grownBytes < 32 * MIB);
  assert.ok(converterPeak < 256 * MIB);
});

test('pictures of 36 megapixels at once are converted one after the other, outside the service', async (t) => {
  const large = makeBomb(6_000);
  const { result, grownBytes, atOnce, converterPeak } = await measure(() =>
    Promise.all([upload(large), upload(large)]),
  );
  assert.deepEqual(
    result.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 201],
  );
  t.diagnostic(`service + ${grownBytes / MIB} MiB, converter ${converterPeak / MIB} MiB`);
  assert.equal(atOnce, 1);
  assert.ok(grownBytes < 32 * MIB);
  assert.ok(converterPeak < 256 * MIB);
});

test('a picture is converted to its end when a process manager sends SIGTERM to all processes of the service', async (t) => {
  const stopped = await serving(settings);
  t.after(() => stopped.child.kill('SIGKILL'));
  const answer = upload(makeBomb(4_000), stopped);
  const hasSmallest = () =>
    readdirSync(join(folder, '.drafts')).some((name) => name.endsWith('-320'));
  await until(hasSmallest);
  const ended = stopped.stop('SIGTERM');
  for (const pid of listChildren(stopped)) process.kill(Number(pid), 'SIGTERM');
  assert.equal((await answer).status, 201);
  assert.equal(await ended, 0);
});
