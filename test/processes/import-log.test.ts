import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { SYSTEM } from '../../src/events/index.ts';
import { retryImports, readRecordPages, deleteOldRecords } from '../../src/imports/index.ts';
import { mergeContacts } from '../../src/contacts/index.ts';
import { runInTransaction, type Queryable } from '../../src/platform/database/index.ts';
import { accountIdOf } from '../support/accounts.ts';
import { isCitus } from '../support/databases.ts';
import { developersOf, DRAFT, LIVE, NOWHERE, type Developer } from '../support/developer.ts';
import { faultyDatabase } from '../support/faults.ts';
import { build, databaseUrl } from '../support/harness.ts';
import { someoneWaits, whileEmailsLocked } from '../support/locks.ts';
import { dataFolder, createCommand } from '../support/process.ts';
import { run } from '../support/sql.ts';
import { OPEN_RECORD_PAGE_READ, RECORD_PAGE_READ, RECORD_SWEEP } from '../support/statements.ts';

const service = await build({ after });
const makeDeveloper = developersOf(service);
const { db } = service;
const environment = { DATABASE_URL: await databaseUrl(db), LOG_LEVEL: 'error' };
const offplan = createCommand(environment);
const command = (...args: string[]) => offplan('imports', ...args);

const EMAIL = 'aroha@example.com';
const KEEP = '0196a000-0000-7000-8000-000000000401';
const TWIN = '0196a000-0000-7000-8000-000000000402';
const TWINS = [
  { id: KEEP, email: EMAIL },
  { id: TWIN, email: EMAIL },
];
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const DAY_MS = 24 * 60 * 60 * 1000;

const send = (to: Developer, url: string, payload: object | string) =>
  service.send({
    method: 'POST',
    url: `/api/v1${url}`,
    key: to.key,
    payload,
    headers: { 'content-type': 'application/json' },
  });
const post = (to: Developer, payload: object | string) => send(to, '/contacts', payload);
const postBatch = (to: Developer, contacts: unknown[]) => send(to, '/contacts/batch', { contacts });

const folder = dataFolder({ after });

/** Imports a file. */
async function importFile(to: Developer, name: string, ...lines: string[]): Promise<void> {
  const file = join(folder, name);
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  const { code, stderr } = await offplan('import', to.slug, file);
  assert.equal(code, 0, stderr);
}

const HEADER = 'Email,Favourite colour,First name';

interface Listed {
  id: string;
  receivedAt: string;
  outcome: string;
  settledAt: string | null;
  settlement: { action: string; contactId: string } | null;
  [name: string]: unknown;
}

async function listed(of: Developer, ...flags: string[]): Promise<Listed[]> {
  const { code, stdout, stderr } = await command('list', of.slug, '--json', ...flags);
  assert.deepEqual([code, stderr], [0, '']);
  return JSON.parse(stdout) as Listed[];
}

const collectIds = (records: { id: string }[]): string[] => records.map(({ id }) => id);
const linesOf = (stdout: string): string[][] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/));

const idAt = (ms: number, n: number): string => {
  const digits = ms.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-${String(n).padStart(12, '0')}`;
};

/** Adds refused records that were received at these times. The reason is gone, so that a retry is accepted. */
async function addRecords(to: Developer, times: number[], payload = `{"email":"${EMAIL}"}`) {
  const ids = times.map((ms, n) => idAt(ms, n));
  await run(
    db,
    `insert into imports (account_id, id, received_at, channel, payload, outcome, result)
      select $1, id, received_at, 'single', $4, 'refused', '{"code":"internal_error","detail":"Oh."}'
      from unnest($2::uuid[], $3::timestamptz[]) as r(id, received_at)`,
    [await accountIdOf(db, to), ids, times.map((ms) => new Date(ms).toISOString()), payload],
  );
  return ids;
}

describe('offplan imports list', () => {
  test('prints a line for each import over HTTP and each run of a file, the oldest first', async () => {
    const developer = await makeDeveloper([
      { email: 'twin@example.com' },
      { email: 'twin@example.com' },
    ]);
    const other = await makeDeveloper();
    await post(developer, { email: EMAIL });
    await post(other, { email: EMAIL });
    await post(developer, { email: EMAIL });
    await post(developer, { email: ' twin@example.com' });
    await post(developer, { email: 'no\u001b[31m\nemail', name: 'x' });
    await postBatch(developer, [{ email: 'mele@example.com' }, { email: 1 }, 'x']);
    await postBatch(developer, []);
    await importFile(developer, 'leads.csv', HEADER, 'rewi@example.com,blue,Rewi', 'hana@,,Hana');
    const { code, stdout, stderr } = await command('list', developer.slug);
    assert.deepEqual([code, stderr], [0, '']);
    const [headings, ...lines] = linesOf(stdout);
    assert.deepEqual(headings, ['RECEIVED', 'ID', 'FROM', 'OUTCOME', 'EMAIL', 'PROBLEM']);
    for (const [time = '', id = ''] of lines) {
      assert.match(time, /^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/);
      assert.match(id, UUID);
    }
    const invalid = (reason: string) =>
      `invalid_request: email must be an email address such as aroha@example.com: ${reason}.`;
    const twice = lines.find((line) => line[4] === 'twin@example.com')?.at(-1);
    assert.match(twice ?? '', /^duplicate_contacts: /);
    assert.deepEqual(
      lines.map(([, , ...cells]) => cells),
      [
        ['single', 'created', EMAIL],
        ['single', 'merged', EMAIL],
        ['single', 'refused', 'twin@example.com', twice],
        ['single', 'refused', 'no\\u001b[31m\\u000aemail', invalid('it has no @')],
        ['batch 0', 'created', 'mele@example.com'],
        ['batch 1', 'refused', '-', 'invalid_request: email must be a string.'],
        ['batch 2', 'refused', '-', 'malformed_body: The body must be a JSON object.'],
        [
          'batch',
          'refused',
          '-',
          'invalid_request: contacts must be a list of 1 to 1000 imports. (payload not kept)',
        ],
        ['leads.csv', 'run', '1 created, 0 merged, 1 refused (1 open)'],
      ],
    );
    const starts = stdout.split('\n').map((line) => line.indexOf(' single '));
    assert.deepEqual(new Set(starts.filter((start) => start !== -1)), new Set([63]));
  });

  test('--json prints one array, without payloads', async () => {
    const developer = await makeDeveloper();
    const { body } = await post(developer, { email: EMAIL });
    const answer = await post(developer, { email: 'x' });
    const { stdout } = await command('list', developer.slug, '--json');
    const [accepted, refused] = JSON.parse(stdout) as Listed[];
    assert.deepEqual(accepted, {
      id: accepted?.id,
      receivedAt: accepted?.receivedAt,
      channel: 'single',
      apiKeyId: accepted?.['apiKeyId'],
      requestId: accepted?.['requestId'],
      position: null,
      file: null,
      outcome: 'created',
      result: body,
      settledAt: null,
      settlement: null,
      ignoredFields: [],
      payloadKept: true,
      settledBy: null,
      dismissal: null,
      runId: null,
      undoneAt: null,
    });
    const { instance: _instance, requestId, ...problem } = answer.body;
    assert.deepEqual([refused?.['requestId'], refused?.['result']], [requestId, problem]);
  });

  test('goes on over its pages, each record once and in order', async () => {
    const developer = await makeDeveloper();
    const times = Array.from({ length: 450 }, (_, n) => Date.now() - DAY_MS + n);
    const ids = await addRecords(developer, times);
    const { stdout } = await command('list', developer.slug, '--json');
    const records = JSON.parse(stdout) as Listed[];
    assert.deepEqual(collectIds(records), ids);
    assert.equal(stdout, `${JSON.stringify(records, null, 2)}\n`);
    const printed = linesOf((await command('list', developer.slug)).stdout);
    assert.deepEqual(
      printed.map(([, id]) => id),
      ['ID', ...ids],
    );
  });

  test('--open lists those that are refused and not settled', async () => {
    const developer = await makeDeveloper(TWINS);
    await post(developer, { email: 'mele@example.com' });
    await post(developer, { email: EMAIL });
    await post(developer, { email: 'x' });
    const [, first, second] = await listed(developer);
    const open = await listed(developer, '--open');
    assert.deepEqual(open, [first, second]);
    await mergeContacts(db, await accountIdOf(db, developer), KEEP, [TWIN], { dryRun: false });
    await command('retry', developer.slug, '--open');
    assert.deepEqual(await listed(developer, '--open'), [second]);
    const settled = linesOf((await command('list', developer.slug)).stdout)[2];
    assert.deepEqual(settled?.slice(3, 5), ['refused, settled', EMAIL]);
    const { stderr } = await command('list', developer.slug, '--open');
    assert.match(
      stderr,
      new RegExp(`^[^\\n]*offplan imports retry ${developer.slug} --open[^\\n]*\\n$`),
    );
  });

  test('--since is a day or a time, and counts when an import was received', async () => {
    const developer = await makeDeveloper();
    const day = Date.parse('2026-03-05T00:00:00Z');
    const [before, at, later] = await addRecords(developer, [day - 1, day, day + 9 * 3_600_000]);
    const { stdout } = await command('list', developer.slug, '--json');
    assert.equal((JSON.parse(stdout) as unknown[]).length, 3);
    for (const [since, ids] of [
      ['2026-03-05', [at, later]],
      ['2026-03-05T22:00:00+13:00', [later]],
      ['2026-03-04T23:59:59.999Z', [before, at, later]],
      ['2026-03-06', []],
      ['0000-01-01', [before, at, later]],
    ] as const)
      assert.deepEqual(collectIds(await listed(developer, '--since', since)), ids, since);
    // The id of the one is made a moment before it counts as received.
    await run(db, 'update imports set received_at = $2 where id = $1 and account_id = $3', [
      before,
      new Date(day),
      await accountIdOf(db, developer),
    ]);
    assert.equal((await listed(developer, '--since', '2026-03-05', '--open')).length, 3);
  });

  test('says on stderr when there is none', async () => {
    const developer = await makeDeveloper();
    for (const flags of [[], ['--open'], ['--since', '2026-03-05']]) {
      const { code, stdout, stderr } = await command('list', developer.slug, ...flags);
      assert.deepEqual([code, stdout], [0, '']);
      const [, since] = flags[0] === '--since' ? flags : [];
      const which = since === undefined ? '' : ` since ${since}`;
      const where = flags[0] === '--open' ? 'refused and open' : 'in its log';
      assert.equal(stderr, `No import of account "${developer.slug}"${which} is ${where}.\n`);
      const inJson = await command('list', developer.slug, ...flags, '--json');
      assert.deepEqual([inJson.stdout, inJson.stderr], ['[]\n', '']);
    }
  });
});

describe('offplan imports show', () => {
  test('prints everything of an import, its payload as it was received', async () => {
    const developer = await makeDeveloper();
    const payload = '{ "email" : "x@y.nz", "name":\n 1e2, "tag": "\\u0000" }';
    await post(developer, payload);
    const [record] = await listed(developer);
    const { code, stdout, stderr } = await command('show', developer.slug, record?.id ?? '');
    assert.deepEqual([code, stderr], [0, '']);
    const [head = '', rest] = stdout.split('payload\n');
    assert.equal(rest, `${payload}\n`);
    const faults = [
      ['/name', 'name must be a string or null.'],
      ['/tag', 'tag must not hold U+0000 or half of a surrogate pair.'],
    ];
    assert.deepEqual(linesOf(head), [
      ['id', record?.id],
      ['received', record?.receivedAt],
      ['from', 'single'],
      ['API key', record?.['apiKeyId']],
      ['request', record?.['requestId']],
      ['outcome', 'refused'],
      ['problem', `invalid_request: ${faults.map(([, detail]) => detail).join(' ')}`],
      ...faults.map(([pointer, detail]) => ['error', `${pointer}: ${detail}`]),
    ]);
    const inJson = await command('show', developer.slug, record?.id.toUpperCase() ?? '', '--json');
    assert.deepEqual(JSON.parse(inJson.stdout), { ...record, payload });
  });

  test('shows what a terminal would obey as its code, and with --json all as it was', async () => {
    const developer = await makeDeveloper();
    const row = `no email,\u001b]0;title\u0007\tred,\u009b31m`;
    await importFile(developer, 'escapes.csv', HEADER, row);
    const [record] = await listed(developer);
    const { stdout } = await command('show', developer.slug, record?.id ?? '');
    const shown = `no email,\\u001b]0;title\\u0007\tred,\\u009b31m\n`;
    assert.equal(stdout.split('payload\n')[1], shown);
    const inJson = await command('show', developer.slug, record?.id ?? '', '--json');
    assert.equal(JSON.parse(inJson.stdout).payload, row);
  });

  test('names the members of a lead that are no fields, over HTTP and from NDJSON', async () => {
    const developer = await makeDeveloper();
    await post(developer, { email: EMAIL, fax: 1, 'pet\u001b[31m': 'cat' });
    await importFile(developer, 'leads.ndjson', `{"email":"${EMAIL}","fax":2}`);
    const records = await listed(developer);
    assert.deepEqual(
      records.map(({ ignoredFields }) => ignoredFields),
      [['fax', 'pet\u001b[31m'], ['fax']],
    );
    const { stdout } = await command('show', developer.slug, records[0]?.id ?? '');
    const line = linesOf(stdout).find(([label]) => label === 'ignored');
    assert.deepEqual(line, ['ignored', String.raw`fax, pet\u001b[31m`]);
  });

  test('shows the columns of a file, what was filled and linked, and the contacts that matched', async () => {
    const developer = await makeDeveloper(TWINS);
    await importFile(developer, 'leads.csv', HEADER, `${EMAIL},"red, blue",Aroha`);
    await post(developer, { email: 'mele@example.com', name: 'Mele', projectId: LIVE });
    const [refused, created] = await listed(developer);
    const shown = async (id = ''): Promise<[string, string][]> => {
      const { stdout } = await command('show', developer.slug, id);
      return linesOf(stdout) as [string, string][];
    };
    const ofFile = await shown(refused?.id);
    assert.deepEqual(ofFile.slice(2, 5), [
      ['from', 'leads.csv:2'],
      ['columns', 'email, -, firstName'],
      ['delimiter', '","'],
    ]);
    assert.deepEqual(
      ofFile.filter(([label]) => label === 'contact').map(([, id]) => id),
      [KEEP, TWIN],
    );
    assert.deepEqual(ofFile.at(-1), [`${EMAIL},"red, blue",Aroha`]);
    assert.deepEqual((await shown(created?.id)).slice(7, 10), [
      ['email', 'mele@example.com'],
      ['filled', 'name, stage, source, source_external_original_name, imported_at'],
      ['project', LIVE],
    ]);
    await mergeContacts(db, await accountIdOf(db, developer), KEEP, [TWIN], { dryRun: false });
    await command('retry', developer.slug, '--open');
    const settled = await shown(refused?.id);
    assert.deepEqual(
      settled.find(([label]) => label === 'settled')?.[1],
      (await listed(developer))[0]?.settledAt,
    );
    assert.ok(settled.some(([label, text]) => label === 'contact' && text === `${KEEP}, merged`));
  });

  test('prints one line and exits with 1 for an id that the account does not have', async () => {
    const [developer, other] = [await makeDeveloper(), await makeDeveloper()];
    await post(other, { email: EMAIL });
    const [foreign] = await listed(other);
    for (const id of [NOWHERE, 'x', foreign?.id ?? '']) {
      const { code, stdout, stderr } = await command('show', developer.slug, id);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, new RegExp(`^offplan: [^\\n]*has no import ${id};[^\\n]*\\n$`));
    }
  });
});

test('offplan imports list and show say that an import was dismissed, by whom and why', async () => {
  const developer = await makeDeveloper();
  await post(developer, { email: 'x' });
  const key = await service.key(developer.slug, 'all');
  const [record] = await listed(developer);
  const url = `/api/v1/imports/${record?.id}/dismiss`;
  await service.send({ method: 'POST', url, key, payload: { reason: 'A test of our website.' } });
  const [[, id = '', , outcome] = []] = linesOf(
    (await command('list', developer.slug)).stdout,
  ).slice(1);
  assert.equal(outcome, 'refused, dismissed');
  const { stdout } = await command('show', developer.slug, id);
  assert.match(stdout, /^outcome +refused, dismissed$/m);
  assert.match(stdout, /^dismissed by +\S+$/m);
  assert.match(stdout, /^reason +A test of our website\.$/m);
});

describe('offplan imports retry', () => {
  const mergeTwins = async (of: Developer) =>
    mergeContacts(db, await accountIdOf(db, of), KEEP, [TWIN], { dryRun: false });
  const goLive = async (of: Developer) =>
    run(db, `update projects set publication = 'live' where account_id = $1 and id = $2`, [
      await accountIdOf(db, of),
      DRAFT,
    ]);

  test('settles, once, a record that was refused because of duplicates which have been merged since', async () => {
    const developer = await makeDeveloper(TWINS);
    await post(developer, { email: EMAIL, phone: '021', notes: 'Hi' });
    const [before] = await listed(developer);
    await mergeTwins(developer);
    const { code, stdout, stderr } = await command('retry', developer.slug, '--open');
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(linesOf(stdout), [
      [before?.id, 'merged', `contact ${KEEP}`],
      ['1 retried: 1 accepted, 0 refused again.'],
    ]);
    const { phone, activities } = await developer.contact(EMAIL);
    assert.deepEqual([phone, activities.length], ['021', 1]);
    const [record, ...others] = await listed(developer);
    assert.deepEqual(others, []);
    const { settledAt, settlement, ...rest } = record as Listed;
    assert.deepEqual({ ...rest, settledAt: null, settlement: null }, before);
    assert.ok(Date.now() - Date.parse(settledAt ?? '') < 60_000);
    assert.deepEqual([settlement?.action, settlement?.contactId], ['merged', KEEP]);

    const exported = await developer.exported();
    const again = await command('retry', developer.slug, '--open');
    assert.deepEqual([again.code, again.stdout], [0, '']);
    assert.match(again.stderr, new RegExp(`^No import of account "${developer.slug}"[^\\n]*\\n$`));
    assert.equal((await command('retry', developer.slug, '--open', '--json')).stdout, '[]\n');
    assert.deepEqual(await developer.exported(), exported);
  });

  test('keeps their order; one that is refused again stays open, and the others are retried', async () => {
    const developer = await makeDeveloper();
    const draft = (name: string, more = {}) => ({ email: EMAIL, name, projectId: DRAFT, ...more });
    await postBatch(developer, [
      draft('First', { notes: '1' }),
      draft('Nowhere', { unitId: NOWHERE }),
      draft('Second', { phone: '021', notes: '2' }),
      { email: 'mele@example.com', projectId: NOWHERE },
    ]);
    await goLive(developer);
    const before = await listed(developer);
    const { code, stdout } = await command('retry', developer.slug, '--open', '--json');
    assert.equal(code, 0);
    const [created, noUnit, merged, noProject] = JSON.parse(stdout);
    const { name, phone, activities } = await developer.contact(EMAIL);
    assert.deepEqual([name, phone, activities.length], ['First', '021', 2]);
    assert.deepEqual(collectIds([created, noUnit, merged, noProject]), collectIds(before));
    assert.deepEqual([created.outcome, created.result.linkedProjectId], ['created', DRAFT]);
    assert.deepEqual(
      [merged.outcome, merged.result.contactId],
      ['merged', created.result.contactId],
    );
    assert.deepEqual([noUnit.outcome, noUnit.problem.code], ['refused', 'unit_not_in_project']);
    assert.deepEqual(
      [noProject.outcome, noProject.problem.code],
      ['refused', 'project_not_available'],
    );
    // An import that was refused again has its new problem.
    const refusedAgain = { ...before[1], result: noUnit.problem };
    assert.deepEqual(await listed(developer, '--open'), [refusedAgain, before[3]]);
    const lines = linesOf((await command('retry', developer.slug, '--open')).stdout);
    assert.deepEqual(
      lines.map((line) => line.slice(0, 2)),
      [
        [before[1]?.id, 'refused'],
        [before[3]?.id, 'refused'],
        ['2 retried: 0 accepted, 2 refused again.'],
      ],
    );
  });

  test('retries the records with these IDs, and says why it skips one', async () => {
    const developer = await makeDeveloper(TWINS);
    await post(developer, { email: 'mele@example.com' });
    for (const notes of ['1', '2', '3']) await post(developer, { email: EMAIL, notes });
    await postBatch(developer, []);
    const [accepted = '', one = '', two = '', three = '', batch = ''] = collectIds(
      await listed(developer),
    );
    await mergeTwins(developer);
    await command('retry', developer.slug, one);
    const ids = [batch, three, accepted, one, two.toUpperCase(), two];
    const { code, stdout } = await command('retry', developer.slug, ...ids);
    assert.equal(code, 0);
    const lines = linesOf(stdout);
    assert.deepEqual(
      lines.map((line) => line.slice(0, 2)),
      [
        [accepted, 'skipped'],
        [one, 'skipped'],
        [two, 'merged'],
        [three, 'merged'],
        [batch, 'skipped'],
        ['2 retried: 2 accepted, 0 refused again. 3 skipped.'],
      ],
    );
    assert.match(lines[0]?.[2] ?? '', /not refused/);
    assert.match(lines[1]?.[2] ?? '', /settled on \d{4}-/);
    assert.match(lines[4]?.[2] ?? '', /whole batch/);
    const { activities } = await developer.contact(EMAIL);
    assert.deepEqual(
      activities.map(({ body }: { body: string }) => body),
      ['1', '2', '3'],
    );
    const inJson = await command('retry', developer.slug, '--open', '--json');
    const [skipped] = JSON.parse(inJson.stdout);
    assert.deepEqual([skipped.id, skipped.outcome], [batch, 'skipped']);
  });

  test('says that an import was settled meanwhile by somebody else', async () => {
    const developer = await makeDeveloper();
    await post(developer, { email: EMAIL, projectId: NOWHERE });
    const [id = ''] = collectIds(await listed(developer));
    const { retrying } = await whileEmailsLocked(
      db,
      await accountIdOf(db, developer),
      [EMAIL],
      async () => {
        const started = command('retry', developer.slug, id);
        await someoneWaits(db);
        await run(db, 'update imports set settled_at = now() where id = $1', [id]);
        return { retrying: started };
      },
    );
    const { stdout } = await retrying;
    assert.deepEqual(linesOf(stdout)[0], [id, 'skipped', 'it was settled meanwhile']);
  });

  test('retries nothing when one of the IDs is not of the account', async () => {
    const [developer, other] = [await makeDeveloper(TWINS), await makeDeveloper(TWINS)];
    for (const each of [developer, other]) {
      await post(each, { email: EMAIL });
      await mergeTwins(each);
    }
    const [[mine], [theirs]] = [await listed(developer), await listed(other)];
    for (const unknown of [theirs?.id ?? '', NOWHERE, 'x']) {
      const { code, stdout, stderr } = await command(
        'retry',
        developer.slug,
        mine?.id ?? '',
        unknown,
      );
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, new RegExp(`^offplan: [^\\n]*has no import ${unknown};[^\\n]*\\n$`));
    }
    assert.deepEqual(await listed(developer), [mine]);
    assert.deepEqual(await listed(other), [theirs]);
  });

  test('settles a record that an error of the service had refused, once the error is fixed, even when another record fails again', async (t) => {
    const broken = await build(t);
    const developer = await developersOf(broken)();
    const url = { ...environment, DATABASE_URL: await databaseUrl(broken.db) };
    await run(broken.db, `alter table activities add constraint odd check (body <> 'odd')`);
    await run(broken.db, `alter table contacts add constraint even check (name <> 'even')`);
    for (const body of [
      { email: EMAIL, notes: 'odd' },
      { email: 'mele@example.com', name: 'even' },
    ])
      assert.equal((await developer.post(body)).status, 500);
    await run(broken.db, 'alter table contacts drop constraint even');
    const onBroken = createCommand(url);
    const retry = () => onBroken('imports', 'retry', developer.slug, '--open');
    const [odd, even, ...rest] = linesOf((await retry()).stdout);
    assert.deepEqual([odd?.[1], even?.[1]], ['refused', 'created']);
    assert.match(odd?.[2] ?? '', /^internal_error: /);
    assert.deepEqual(rest, [['2 retried: 1 accepted, 1 refused again.']]);
    await run(broken.db, 'alter table activities drop constraint odd');
    assert.match((await retry()).stdout, /^1 retried: 1 accepted, 0 refused again\.$/m);
    assert.equal((await developer.contact(EMAIL)).activities.length, 1);
  });

  test('ends when the connection to the database is lost; the next call stores nothing twice', async (t) => {
    const { pool, breakNextCommit } = await faultyDatabase(t, db);
    const developer = await makeDeveloper();
    const accountId = await accountIdOf(db, developer);
    for (const notes of ['1', '2', '3'])
      await post(developer, { email: EMAIL, notes, projectId: DRAFT });
    await goLive(developer);
    const retry = async (): Promise<unknown[]> => {
      const told: unknown[] = [];
      const pages = retryImports(pool, accountId, { open: true }, SYSTEM);
      for await (const page of pages) told.push(...page);
      return told;
    };
    breakNextCommit('commit is lost');
    await assert.rejects(retry, /the connection was lost in COMMIT/);
    assert.equal((await listed(developer, '--open')).length, 3);
    breakNextCommit('answer is lost');
    await assert.rejects(retry, /the connection was lost in COMMIT/);
    assert.deepEqual(await retry(), []);
    assert.equal((await developer.contact(EMAIL)).activities.length, 3);
  });

  test('reads a row of a file as the import of the file read it', async () => {
    const developer = await makeDeveloper(TWINS);
    await importFile(developer, 'leads.csv', HEADER, `${EMAIL},"red, blue","Aroha, N."`);
    await importFile(developer, 'leads.ndjson', `{"email":"${EMAIL}","lastName":"Ngata"}`);
    await mergeTwins(developer);
    await command('retry', developer.slug, '--open');
    const { firstName, lastName } = await developer.contact(EMAIL);
    assert.deepEqual([firstName, lastName], ['Aroha, N.', 'Ngata']);
  });

  test('refuses a row again when the log has only a part of its text', async () => {
    const developer = await makeDeveloper();
    const torn = ['a@example.com,,A,B', 'b@example.com,,\0'];
    await importFile(developer, 'leads.csv', HEADER, ...torn);
    await importFile(
      developer,
      'leads.ndjson',
      '{"email":"c@example.com","name":"\0"}',
      '{"email"',
    );
    const before = await listed(developer);
    assert.equal(before.length, 4);
    const { stdout } = await command('retry', developer.slug, '--open');
    assert.match(stdout, /^4 retried: 0 accepted, 4 refused again\.$/m);
    assert.deepEqual(await listed(developer), before);
    assert.deepEqual((await developer.exported()).contacts, []);
  });

  test('retries all open records, however many there are', async () => {
    const developer = await makeDeveloper();
    await addRecords(
      developer,
      Array.from({ length: 450 }, (_, n) => Date.now() - DAY_MS + n),
    );
    const { stdout } = await command('retry', developer.slug, '--open');
    assert.match(stdout, /^450 retried: 450 accepted, 0 refused again\.$/m);
    assert.deepEqual(await listed(developer, '--open'), []);
  });
});

test('wrong usage exits 2 with one line, an unknown account exits 1, and each command has a help', async () => {
  const { slug } = await makeDeveloper();
  const wrong: [args: string[], message: RegExp][] = [
    [['list'], /missing required argument 'account'/],
    [['list', slug, 'x'], /too many arguments/],
    [['list', slug, '--since', 'yesterday'], /--since .* must be an ISO 8601 date/],
    [['list', slug, '--since', '2026-02-30'], /--since .* must be an ISO 8601 date/],
    [['show', slug], /missing required argument 'id'/],
    [['show', slug, NOWHERE, 'x'], /too many arguments/],
    [['retry'], /missing required argument 'account'/],
    [['retry', slug], /IDs, or all that are open with --open/],
    [['retry', slug, NOWHERE, '--open'], /IDs, or all that are open with --open/],
  ];
  const refusals = wrong.map(async ([args, message]) => {
    const { code, stdout, stderr } = await command(...args);
    assert.deepEqual([code, stdout], [2, ''], args.join(' '));
    assert.match(stderr, /^offplan: [^\n]*; try --help\n$/);
    assert.match(stderr, message);
  });
  await Promise.all(refusals);
  for (const args of [['list'], ['show'], ['retry']]) {
    const help = await command(...args, '--help');
    assert.match(help.stdout, /^(Usage: )?offplan imports (list|show|retry)/);
    const more = { list: [], show: [NOWHERE], retry: ['--open'] }[args[0] ?? ''] ?? [];
    const { code, stdout, stderr } = await command(...args, 'nobody', ...more);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^offplan: there is no account "nobody"[^\n]*\n$/);
  }
});

test('a command prints one line and exits with 1 when it cannot reach the database', async () => {
  const nowhere = { ...environment, DATABASE_URL: 'postgresql://me:hush@127.0.0.1:1/db' };
  const withoutDatabase = createCommand(nowhere);
  for (const args of [['list'], ['show', 'x', NOWHERE], ['retry', 'x', '--open']]) {
    const [name = '', slug = 'x', ...rest] = args;
    const { code, stdout, stderr } = await withoutDatabase('imports', name, slug, ...rest);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^offplan: the database cannot be reached: [^\n]*\n$/);
  }
});

describe('in a log of many accounts and imports', () => {
  const RECORDS = 20_000;

  async function fill(): Promise<string> {
    const [developer, other] = [await makeDeveloper(), await makeDeveloper()];
    const accountIds = [await accountIdOf(db, developer), await accountIdOf(db, other)];
    await run(
      db,
      `insert into imports (account_id, id, received_at, channel, payload, outcome, result)
        select account_id, (lpad(to_hex(ms), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid,
          to_timestamp(ms / 1000.0), 'single', repeat('x', 300),
          case when n % 100 = 0 then 'refused' else 'created' end, '{}'
        from unnest($1::uuid[]) as account_id, generate_series(1, $2::int) as n,
          lateral (select $3::bigint - n * 300000::bigint as ms) as times`,
      [accountIds, RECORDS, Date.now()],
    );
    await run(db, 'analyze imports');
    return accountIds[0] ?? '';
  }

  /** The plan, for whatever values, of the statement with that name among those of some work. */
  async function planOf(name: string, work: (db: Queryable) => Promise<unknown>): Promise<string> {
    const lines: string[] = [];
    const explaining: Queryable = {
      query: async (statement) => {
        if (statement.name === name && lines.length === 0) {
          const rows = await explain(statement.text, statement.values);
          lines.push(...rows);
        }
        return db.query<never>(statement);
      },
    };
    await work(explaining);
    return lines.join('\n');
  }

  async function explain(text: string, values: unknown[]): Promise<string[]> {
    return runInTransaction(db, async (tx) => {
      await run(tx, `prepare explained as ${text}`);
      const literals = values.map((value) =>
        value instanceof Date ? `'${value.toISOString()}'` : `'${String(value)}'`,
      );
      const { rows } = await run(tx, `explain execute explained (${literals.join(', ')})`);
      await run(tx, 'deallocate explained');
      return rows.map((row) => String(Object.values(row)[0]));
    });
  }

  async function firstPage(on: Queryable, accountId: string, open: boolean): Promise<void> {
    const since = new Date(Date.now() - DAY_MS);
    await readRecordPages(on, accountId, { open, since }).next();
  }

  test(
    'a page of records, a page of open ones and a step of a sweep are each read by an index',
    { skip: isCitus() && 'a worker plans for the values, so it may sort the few rows of the test' },
    async () => {
      const accountId = await fill();
      const from = (index: string, cond: string): RegExp =>
        new RegExp(`using ${index} on imports.*\\n +Index Cond: \\(+account_id = \\$1\\)${cond}`);
      const after = String.raw` AND \(id > \$2\)`;
      const before = String.raw` AND \(id < \$2\)`;
      const plans: [string, RegExp, (on: Queryable) => Promise<unknown>][] = [
        [RECORD_PAGE_READ, from('imports_pkey', after), (on) => firstPage(on, accountId, false)],
        [
          OPEN_RECORD_PAGE_READ,
          from('imports_open', after),
          (on) => firstPage(on, accountId, true),
        ],
        [
          RECORD_SWEEP,
          from('imports_pkey', before),
          (on) => deleteOldRecords(on, accountId, new Date(Date.now() - 60 * 24 * 60 * 60 * 1000)),
        ],
      ];
      for (const [name, index, work] of plans) {
        const plan = await planOf(name, work);
        assert.match(plan, index, plan);
        assert.doesNotMatch(plan, /Seq Scan on imports|Bitmap|Sort/, plan);
      }
    },
  );
});
