import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { makeAccount, makeContacts, makeKey } from '../../bench/data.ts';
import { createDatabase, databaseUrl } from '../support/harness.ts';
import { serving } from '../support/process.ts';
import { run } from '../support/sql.ts';

const ROWS = 3_000;
const NOTE_LENGTH = 60_000;
/** Little more than the service needs for itself: the file would not fit. */
const HEAP_MAX_MB = 128;

const db = await createDatabase({ after });
const account = await makeAccount(db, 'exports');
await makeContacts(db, account, ROWS);
await run(db, `update activities set body = repeat('x', $2) where account_id = $1`, [
  account.id,
  NOTE_LENGTH,
]);
const key = await makeKey(db, account, ['contacts:export']);
const server = await serving({
  DATABASE_URL: await databaseUrl(db),
  LOG_LEVEL: 'warn',
  NODE_OPTIONS: `--max-old-space-size=${HEAP_MAX_MB}`,
});
after(() => server.stop());

test(`a service with a heap of ${HEAP_MAX_MB} MB exports a larger file`, async () => {
  const url = `${server.url}/api/v1/exports/activities?format=ndjson`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  assert.equal(response.status, 200);
  let [bytes, end] = [0, ''];
  for await (const part of response.body ?? []) {
    bytes += part.length;
    end = (end + Buffer.from(part).toString()).slice(-100);
  }
  assert.ok(bytes > HEAP_MAX_MB * 2 ** 20);
  assert.ok(end.endsWith(`\n{"rows":${ROWS}}\n`), end);
});
