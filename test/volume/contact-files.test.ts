import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { issueKey } from '../../src/keys/index.ts';
import { loadAccount } from '../../src/portability/index.ts';
import { accountIdOf } from '../support/accounts.ts';
import { developerFile } from '../support/developer.ts';
import { createDatabase, databaseUrl } from '../support/harness.ts';
import { serving } from '../support/process.ts';

const MIB = 1024 * 1024;
const FILE_BYTES = 64 * MIB;
/** V8 collects the buffers of a body late, but does so long before there are as many. The file itself would be more. */
const GROWTH_MAX_BYTES = 150 * MIB;
/** A check needs a part of it for the rows that it reads. The text of the file would not fit. */
const HEAP_MAX_MB = 96;

const db = await createDatabase({ after });
await loadAccount(db, developerFile('volume'));
const accountId = await accountIdOf(db, { slug: 'volume' });
const key = await issueKey(db, accountId, { name: 'files', scopes: ['contacts:manage'] });
const server = await serving({
  DATABASE_URL: await databaseUrl(db),
  LOG_LEVEL: 'error',
  NODE_OPTIONS: `--max-old-space-size=${HEAP_MAX_MB}`,
});
after(async () => void (await server.stop('SIGKILL')));
const headers = { authorization: `Bearer ${key}` };

function residentBytes(): number {
  const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024;
}

/** The rows of a file of 64 MiB. */
function* rowsOfFile(): Generator<string> {
  const note = 'x'.repeat(5_000);
  let row = 'name,email,notes\n';
  for (let n = 0, bytes = 0; bytes + row.length <= FILE_BYTES; n += 1) {
    bytes += row.length;
    yield row;
    row = `Lead ${n},lead${n}@example.com,${note}\n`;
  }
}

function upload(rows: Iterable<string>): Promise<{ status: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const sent = request(
    `${server.url}/api/v1/contact-files?name=all.csv`,
    { method: 'POST', headers: { ...headers, 'content-type': 'text/csv' } },
    (response) =>
      void response
        .setEncoding('utf8')
        .toArray()
        .then((texts) => resolve({ status: response.statusCode ?? 0, text: texts.join('') })),
  );
  sent.on('error', reject);
  const parts = rows[Symbol.iterator]();
  const write = (): void => {
    for (let next = parts.next(); next.done !== true; next = parts.next())
      if (!sent.write(next.value)) return void sent.once('drain', write);
    sent.end();
  };
  write();
  return promise;
}

test('a file of 64 MiB is stored and checked without being held in memory', async () => {
  assert.equal((await upload(['email\n'])).status, 201);
  const before = residentBytes();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, residentBytes())), 20);
  const { status, text } = await upload(rowsOfFile());
  clearInterval(timer);
  assert.equal(status, 201, text);
  const grown = Math.round((most - before) / MIB);
  assert.ok(most - before < GROWTH_MAX_BYTES, `memory grew by ${grown} MiB`);
  const { id } = JSON.parse(text) as { id: string };
  let file = { status: 'checking', bytes: 0, rows: 0 };
  for (; file.status === 'checking'; await sleep(50)) {
    const response = await fetch(`${server.url}/api/v1/contact-files/${id}`, { headers });
    file = (await response.json()) as typeof file;
  }
  assert.equal(file.status, 'ready');
  assert.ok(file.bytes > FILE_BYTES - 10_000 && file.rows > 10_000, JSON.stringify(file));
});
