import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { issueKey } from '../../src/keys/index.ts';
import { accountIdOf } from '../support/accounts.ts';
import { sweep } from '../support/internals.ts';
import { RETENTION } from '../support/retention.ts';
import { developersOf, type Developer } from '../support/developer.ts';
import { build, databaseUrl } from '../support/harness.ts';
import { BATCH, logOf, idempotencyKey, sender, SINGLE } from '../support/imports.ts';
import { assertProblem } from '../support/problem.ts';
import { dataFolder, createCommand } from '../support/process.ts';
import { run } from '../support/sql.ts';

const MAX_BYTES = 20_000;
const service = await build({ after }, { importLogRefusedBytes: MAX_BYTES });
const makeDeveloper = developersOf(service);
const send = sender(service);
const { db } = service;
const environment = { DATABASE_URL: await databaseUrl(db), LOG_LEVEL: 'error' };
const offplan = createCommand(environment);
const folder = dataFolder({ after });

const EMAIL = 'aroha@example.com';
const invalid = (length: number) => ({ email: 'x', notes: 'n'.repeat(length) });
const logged = async (of: Developer) => logOf(db, await accountIdOf(db, of));
const keptIn = (rows: { payload: string | null }[]) => rows.map(({ payload }) => payload !== null);

async function countedBytes(of: Developer): Promise<number> {
  const text = `select refused_bytes::float8 as bytes from import_log_sizes where account_id = $1`;
  const { rows } = await run(db, text, [await accountIdOf(db, of)]);
  return Number(rows[0]?.['bytes'] ?? 0);
}

async function storedBytes(of: Developer): Promise<number> {
  const rows = await logged(of);
  return rows
    .filter(({ outcome, payload }) => outcome === 'refused' && payload !== null)
    .reduce((sum, { payload, result }) => sum + `${payload}${JSON.stringify(result)}`.length, 0);
}

describe('refused leads beyond the bytes that an account may keep', () => {
  test('get the same answer, and are logged without payload and faults', async () => {
    const [developer, other] = [await makeDeveloper(), await makeDeveloper()];
    const first = await send(developer, invalid(15_000));
    const second = await send(developer, invalid(15_000));
    const small = await send(developer, invalid(10));
    const { requestId: _, ...expected } = first.body;
    const { requestId: __, ...answered } = second.body;
    assert.deepEqual(answered, expected);
    assertProblem(second, 'invalid_request', SINGLE);
    const rows = await logged(developer);
    assert.deepEqual(keptIn(rows), [true, false, true]);
    assert.deepEqual(
      rows.map(({ result }) => result.errors?.length),
      [1, undefined, 1],
    );
    assert.deepEqual([rows[1]?.result.code, rows[1]?.result.status], ['invalid_request', 400]);
    assert.equal(small.status, 400);
    assert.equal(await countedBytes(developer), await storedBytes(developer));
    // Another account has room of its own.
    await send(other, invalid(15_000));
    assert.deepEqual(keptIn(await logged(other)), [true]);
  });

  test('are logged so in batches, too, and when the whole request is refused because of its query or headers', async () => {
    const developer = await makeDeveloper();
    const contacts = [invalid(8_000), { email: EMAIL }, invalid(8_000), invalid(8_000), invalid(1)];
    const { body } = await send(developer, { contacts }, { url: BATCH });
    assert.deepEqual(body.summary, { created: 1, merged: 0, refused: 4 });
    await send(developer, invalid(8_000), { url: `${SINGLE}?x=1&x=2` });
    await send(
      developer,
      { email: EMAIL, notes: 'n'.repeat(8_000) },
      { headers: idempotencyKey('') },
    );
    assert.deepEqual(keptIn(await logged(developer)), [
      true,
      true,
      true,
      false,
      true,
      false,
      false,
    ]);
    assert.equal(await countedBytes(developer), await storedBytes(developer));
  });

  test('take no room for the lists of their faults', async () => {
    const developer = await makeDeveloper();
    const wrong = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`x${n}`, n]));
    const items = Array.from({ length: 200 }, () => ({ email: 'x', name: 1, phone: 2, ...wrong }));
    const headers = { prefer: 'handling=strict' };
    await send(developer, { contacts: items }, { url: BATCH, headers });
    const rows = await logged(developer);
    const lost = rows.filter(({ payload }) => payload === null);
    assert.ok(lost.length > 150);
    for (const { result } of lost) assert.ok(JSON.stringify(result).length < 600);
    assert.ok((await countedBytes(developer)) <= MAX_BYTES);
  });

  test('do not touch accepted leads, nor the rows of files', async () => {
    const developer = await makeDeveloper();
    await send(developer, invalid(19_000));
    await send(developer, { email: EMAIL, notes: 'n'.repeat(30_000) });
    const file = join(folder, 'leads.ndjson');
    writeFileSync(file, `${JSON.stringify(invalid(30_000))}\n`);
    assert.equal((await offplan('import', developer.slug, file)).code, 0);
    assert.deepEqual(keptIn(await logged(developer)), [true, true, true]);
    assert.ok((await countedBytes(developer)) < MAX_BYTES);
  });

  test('that arrive at once are bounded as well', async () => {
    const developer = await makeDeveloper();
    await Promise.all(Array.from({ length: 60 }, () => send(developer, invalid(1_000))));
    const rows = await logged(developer);
    assert.equal(rows.length, 60);
    assert.equal(await countedBytes(developer), await storedBytes(developer));
    // Transactions that run at once do not see each other: the account runs two, and more leads wait for the next.
    assert.ok((await countedBytes(developer)) < 4 * MAX_BYTES);
    assert.equal((await send(developer, invalid(1_000))).status, 400);
    assert.equal((await logged(developer)).at(-1)?.payload, null);
  });

  test('are kept again when a sweep has deleted others, or a retry has settled them', async () => {
    const developer = await makeDeveloper([{ email: EMAIL }, { email: EMAIL }]);
    const accountId = await accountIdOf(db, developer);
    await send(developer, invalid(15_000));
    await run(
      db,
      `update imports set received_at = '2020-01-01', id = '00000000-0000-7000-8000-000000000001'
      where account_id = $1`,
      [accountId],
    );
    await sweep(db, RETENTION, { now: new Date(), onError: assert.fail });
    assert.equal(await countedBytes(developer), 0);
    await send(developer, { email: EMAIL, notes: 'n'.repeat(15_000) });
    assert.ok((await countedBytes(developer)) > 15_000);
    await run(db, `delete from contacts where account_id = $1`, [accountId]);
    assert.equal((await offplan('imports', 'retry', developer.slug, '--open')).code, 0);
    assert.equal(await countedBytes(developer), 0);
    await send(developer, invalid(15_000));
    assert.deepEqual(keptIn(await logged(developer)), [true, true]);
  });

  test('are kept again when somebody has dismissed others', async () => {
    const developer = await makeDeveloper();
    await send(developer, invalid(15_000));
    const scopes = ['contacts:manage' as const];
    const key = await issueKey(db, await accountIdOf(db, developer), { name: 'crm', scopes });
    const url = '/api/v1/imports/dismiss';
    const { body } = await service.send({ method: 'POST', url, key, payload: { open: true } });
    assert.deepEqual(body.summary, { dismissed: 1 });
    await send(developer, invalid(15_000));
    assert.deepEqual(keptIn(await logged(developer)), [true, true]);
  });
});

test('a batch that is refused as a whole keeps no payload', async () => {
  const developer = await makeDeveloper();
  for (const body of [{ contacts: [] }, { contacts: 'x'.repeat(15_000) }])
    assert.equal((await send(developer, body, { url: BATCH })).status, 400);
  assert.deepEqual(keptIn(await logged(developer)), [false, false]);
  assert.equal(await countedBytes(developer), 0);
});

test('offplan imports list, show and retry say that a payload was not kept', async () => {
  const developer = await makeDeveloper();
  await send(developer, invalid(19_000));
  await send(developer, invalid(19_000));
  await send(developer, { contacts: [] }, { url: BATCH });
  const rows = await logged(developer);
  const { stdout, stderr } = await offplan('imports', 'list', developer.slug);
  const lines = stdout.trimEnd().split('\n').slice(1);
  assert.deepEqual(
    lines.map((line) => line.endsWith(' (payload not kept)')),
    [false, true, true],
  );
  assert.match(
    stderr,
    /^Some refused imports have no payload.* OFFPLAN_IMPORT_LOG_REFUSED_MIB .*\n$/,
  );
  const inJson = JSON.parse((await offplan('imports', 'list', developer.slug, '--json')).stdout);
  assert.deepEqual(
    inJson.map(({ payloadKept }: { payloadKept: boolean }) => payloadKept),
    [true, false, false],
  );
  const shown = await offplan('imports', 'show', developer.slug, rows[1]?.id ?? '');
  assert.match(shown.stdout, /payload\nIt was not kept\.\n$/);
  const retried = await offplan('imports', 'retry', developer.slug, '--open');
  assert.match(
    retried.stdout,
    /skipped {2}its payload was not kept\n.*skipped {2}it is a whole batch/,
  );
  assert.match(retried.stdout, /1 retried: 0 accepted, 1 refused again\. 2 skipped\.\n$/);
  // Nothing is counted again.
  assert.equal(await countedBytes(developer), await storedBytes(developer));
});
