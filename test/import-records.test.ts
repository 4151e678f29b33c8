import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { runInTransaction, type Pool } from '../src/platform/database/index.ts';
import { accountIdOf } from './support/accounts.ts';
import {
  developersOf,
  DRAFT,
  INACTIVE_USER,
  LIVE,
  NOWHERE,
  UNIT,
  type Developer,
} from './support/developer.ts';
import { faultyDatabase } from './support/faults.ts';
import { build } from './support/harness.ts';
import {
  BATCH,
  logOf,
  idempotencyKey,
  sender,
  sendTo,
  SINGLE,
  readImportTables,
  type Row,
} from './support/imports.ts';
import { instance } from './support/instances.ts';
import { lockEmails, someoneWaits } from './support/locks.ts';
import { assertProblem } from './support/problem.ts';
import { run } from './support/sql.ts';

const service = await build({ after });
const makeDeveloper = developersOf(service);
const send = sender(service);
const { db } = service;

const EMAIL = 'aroha@example.com';
const OTHER_EMAIL = 'mele@example.com';

const logged = async (developer: Developer, on: Pool = db): Promise<Row[]> =>
  logOf(on, await accountIdOf(on, developer));

async function keyIdOf(developer: Developer, on: Pool = db): Promise<string> {
  const text = 'select id from api_keys where account_id = $1';
  const { rows } = await run(on, text, [await accountIdOf(on, developer)]);
  return (rows[0] as { id: string }).id;
}

/** The one line of an account's log. */
async function only(developer: Developer, on: Pool = db): Promise<Row> {
  const [row, ...others] = await logged(developer, on);
  assert.ok(row);
  assert.deepEqual(others, []);
  return row;
}

/** A problem as the log keeps it: without the request, which has a column of its own. */
function detailsOf(problem: Record<string, unknown>): Record<string, unknown> {
  const { instance: _, requestId: __, ...details } = problem;
  return details;
}

/** JSON as other programs write it, which to parse and write again would change. */
const LONG_NUMBER = '123456789012345678901234567890.10';
const ODD_TEXTS = [
  `{"email":"${EMAIL}"}`,
  ` \r\n\t{ "email" : "${EMAIL}" ,\n "budget" : 1e5 }  \n`,
  `{"budget":1.0,"budget":-0.0,"email":"x","email":"${EMAIL}"}`,
  String.raw`{"\u0065mail":"${EMAIL}","notes":"\u0041\/\ud83c\udfe1 \\ \" \b\f"}`,
  `{"email":"${EMAIL}","notes":"🏡 Ā A\u0304 \u200d\u2028\ufeff\u007f"}`,
  `{"email":"${EMAIL}","budget":1.50,"extra":${LONG_NUMBER}}`,
  `{"email":"${EMAIL}","__proto__":{"email":1},"nested":[[{}],null,true],"":""}`,
];

describe('the import log', () => {
  test('keeps an import with its outcome, its API key, its time and its request id', async () => {
    const developer = await makeDeveloper();
    const before = new Date();
    const { headers, body } = await send(developer, ODD_TEXTS[1] ?? '');
    const { id, received_at: receivedAt, ...row } = await only(developer);
    assert.deepEqual(row, {
      channel: 'single',
      api_key_id: await keyIdOf(developer),
      request_id: headers['x-request-id'],
      position: null,
      file: null,
      payload: ODD_TEXTS[1],
      outcome: 'created',
      result: body,
      settled_at: null,
      settlement: null,
    });
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    assert.ok(before <= receivedAt && receivedAt <= new Date(), receivedAt.toISOString());
  });

  test('keeps the body as it was received, however it was written', async () => {
    const developer = await makeDeveloper();
    for (const text of ODD_TEXTS) assert.ok((await send(developer, text)).status < 300, text);
    const rows = await logged(developer);
    assert.deepEqual(
      rows.map(({ payload }) => payload),
      ODD_TEXTS,
    );
    const merged = ODD_TEXTS.slice(1).map(() => 'merged');
    assert.deepEqual(
      rows.map(({ outcome }) => outcome),
      ['created', ...merged],
    );
  });

  test('keeps a body of 1 MiB', async () => {
    const developer = await makeDeveloper();
    const [before, behind] = [`{"email":"${EMAIL}","notes":"`, '"}'];
    const text = before + 'x'.repeat(1_048_576 - before.length - behind.length) + behind;
    assert.equal((await send(developer, text)).status, 201);
    assert.equal((await only(developer)).payload, text);
  });

  const refusals: [string, object, string][] = [
    ['that is invalid', { email: 'x', tags: ['a', 1], budget: 'x'.repeat(201) }, 'invalid_request'],
    ['with an escaped U+0000', { email: EMAIL, notes: 'a\0b' }, 'invalid_request'],
    ['with half of a surrogate pair', { email: 'a\ud83c@example.com' }, 'invalid_request'],
    ['whose email several contacts have', { email: OTHER_EMAIL }, 'duplicate_contacts'],
    ['for a project that is not live', { email: EMAIL, projectId: DRAFT }, 'project_not_available'],
    ['for a unit without its project', { email: EMAIL, unitId: UNIT }, 'unit_requires_project'],
    [
      'for a unit that is not there, and a user',
      { email: EMAIL, projectId: LIVE, unitId: NOWHERE, assignedAccountUserId: NOWHERE },
      'unit_not_in_project',
    ],
    [
      'for a user who is not active',
      { email: EMAIL, assignedAccountUserId: INACTIVE_USER },
      'user_not_active',
    ],
  ];
  for (const [what, body, code] of refusals)
    test(`keeps an import ${what} with the problem, and nothing else of it is stored`, async () => {
      const developer = await makeDeveloper([{ email: OTHER_EMAIL }, { email: OTHER_EMAIL }]);
      const { contacts } = await developer.exported();
      const lead = { ...body, tag: 'Hot' };
      const answer = await send(developer, lead);
      const row = await only(developer);
      assert.deepEqual(
        [row.channel, row.outcome, row.payload, row.request_id, row.settled_at],
        ['single', 'refused', JSON.stringify(lead), answer.headers['x-request-id'], null],
      );
      assert.equal(row.result.code, code);
      assert.deepEqual(row.result, detailsOf(answer.body));
      const { contacts: afterwards, tags } = await developer.exported();
      assert.deepEqual([afterwards, tags], [contacts, []]);
    });

  test('keeps an import that fills nothing, and each repeat without an Idempotency-Key', async () => {
    const developer = await makeDeveloper();
    for (let n = 0; n < 3; n += 1) await send(developer, { email: EMAIL });
    const rows = await logged(developer);
    assert.deepEqual(
      rows.map(({ outcome, result }) => [outcome, result.filledFields.length]),
      [
        ['created', 4],
        ['merged', 0],
        ['merged', 0],
      ],
    );
  });

  test('keeps an import whose contact is gone', async () => {
    const developer = await makeDeveloper();
    await send(developer, { email: EMAIL });
    const before = await only(developer);
    await run(db, 'delete from contacts where account_id = $1', [await accountIdOf(db, developer)]);
    assert.deepEqual(await only(developer), before);
  });

  test('shows an import together with its contact, not before', async () => {
    const developer = await makeDeveloper();
    const accountId = await accountIdOf(db, developer);
    const { underWay } = await runInTransaction(db, async (tx) => {
      await lockEmails(tx, accountId, [EMAIL]);
      const started = send(developer, { email: EMAIL });
      await someoneWaits(db);
      assert.deepEqual(await logged(developer), []);
      return { underWay: started };
    });
    assert.equal((await underWay).status, 201);
    await only(developer);
  });
});

describe('the import log of a batch', () => {
  test('has one entry for each item, with its JSON and its index', async () => {
    const developer = await makeDeveloper();
    const texts = [
      ...ODD_TEXTS.map((text) => text.trim()),
      '{ }',
      'null',
      ' "x" '.trim(),
      '1e400',
      '[ {"contacts":[1]} ]',
      `{"email":"${OTHER_EMAIL}","contacts":[{"email":"z"}]}`,
      String.raw`{"email":"${OTHER_EMAIL}","notes":"\u0000]}\\"}`,
    ];
    const text = `\n{"contacts":[],"a":"]}","\\u0063ontacts" : [ ${texts.join(' ,\n\t')} ] , "b":[1]}`;
    const { headers, body } = await send(developer, text, { url: BATCH });
    const rows = await logged(developer);
    assert.deepEqual(
      rows.map(({ position, payload }) => [position, payload]),
      // The values of the item, not its spelling. A number that JavaScript would change is kept as it was sent.
      texts.map((each, index) => [
        index,
        JSON.stringify(JSON.parse(each)).replace('1.2345678901234568e+29', LONG_NUMBER),
      ]),
    );
    const keyId = await keyIdOf(developer);
    for (const [index, row] of rows.entries()) {
      const { index: _, problem, ...result } = body.results[index];
      assert.deepEqual(
        [row.channel, row.api_key_id, row.request_id, row.file, row.settled_at],
        ['batch', keyId, headers['x-request-id'], null, null],
      );
      assert.equal(row.outcome, problem ? 'refused' : result.action);
      assert.deepEqual(row.result, problem ? detailsOf(problem) : result);
    }
    assert.deepEqual(body.summary, { created: 2, merged: ODD_TEXTS.length - 1, refused: 6 });
  });

  test('has the items in their order, however many there are', async () => {
    const developer = await makeDeveloper();
    const contacts = Array.from({ length: 1_000 }, (_, n) => ({ email: `${n % 700}@b.nz`, n }));
    await send(developer, { contacts }, { url: BATCH });
    const rows = await logged(developer);
    assert.deepEqual(
      rows.map(({ position, payload }) => [position, payload]),
      contacts.map((each, index) => [index, JSON.stringify(each)]),
    );
  });

  test('has one entry for a batch that is refused as a whole', async () => {
    const developer = await makeDeveloper();
    const many = JSON.stringify(Array.from({ length: 1_001 }, () => ({ email: EMAIL })));
    const texts = ['{ "contacts" : [ ] }', '{"contacts":1e5}', '{}', `{"contacts":${many}}`];
    for (const text of texts) {
      const answer = await send(developer, text, { url: BATCH });
      const row = (await logged(developer)).at(-1);
      assert.ok(row);
      const { channel, position, payload, outcome, result } = row;
      assert.deepEqual([channel, position, payload, outcome], ['batch', null, null, 'refused']);
      assert.deepEqual(result, detailsOf(answer.body));
    }
    assert.equal((await logged(developer)).length, texts.length);
  });
});

describe('the import log does not keep', () => {
  test('a request whose caller may not import, or that asks for no import', async () => {
    const developer = await makeDeveloper();
    const read = { key: await service.key(developer.slug, 'read') };
    const body = { email: EMAIL };
    const before = await readImportTables(db);
    for (const [url, list] of [
      [SINGLE, body],
      [BATCH, { contacts: [body] }],
    ] as const) {
      const sent = [
        await send({ key: 'x' }, list, { url }),
        await send(read, list, { url }),
        await send(developer, JSON.stringify(list), {
          url,
          headers: { 'content-type': 'text/csv' },
        }),
        await send(developer, `{"notes":"${'x'.repeat(5 * 1_048_576)}"}`, { url }),
        ...(await Promise.all(
          ['', '{', '[]', 'null', '1', '"x"'].map((text) => send(developer, text, { url })),
        )),
      ];
      assert.deepEqual(
        sent.map(({ status }) => status),
        [401, 403, 415, 413, 400, 400, 400, 400, 400, 400],
      );
    }
    assert.deepEqual(await readImportTables(db), before);
  });

  test('a dry run, or a repeat with the same Idempotency-Key', async () => {
    const developer = await makeDeveloper();
    const headers = idempotencyKey('lead-1');
    await send(developer, { email: EMAIL }, { headers });
    const before = await readImportTables(db);
    await send(developer, { email: EMAIL }, { headers });
    await send(developer, { email: OTHER_EMAIL }, { url: `${SINGLE}?dryRun=true` });
    await send(developer, { contacts: [{ email: 'x' }] }, { url: `${BATCH}?dryRun=true` });
    assert.deepEqual(await readImportTables(db), before);
    await only(developer);
  });
});

describe('a request that is refused whatever is in it', () => {
  test('is kept with all its imports, so that they can be retried', async () => {
    const developer = await makeDeveloper();
    await send(developer, { email: EMAIL }, { headers: idempotencyKey('lead-1') });
    const list = { contacts: [{ email: '1@example.com' }, { email: '2@example.com' }] };
    await send(developer, { email: OTHER_EMAIL }, { headers: idempotencyKey('lead-1') });
    await send(developer, list, { url: BATCH, headers: idempotencyKey('') });
    await send(developer, { email: OTHER_EMAIL }, { url: `${SINGLE}?x=1&x=2` });
    const [, ...refused] = await logOf(db, await accountIdOf(db, developer));
    assert.deepEqual(
      refused.map(({ payload, position, result }) => [
        JSON.parse(payload).email,
        position,
        (result as { code: string }).code,
      ]),
      [
        [OTHER_EMAIL, null, 'idempotency_key_reused'],
        ['1@example.com', 0, 'invalid_request'],
        ['2@example.com', 1, 'invalid_request'],
        [OTHER_EMAIL, null, 'invalid_request'],
      ],
    );
  });
});

describe('the log of an account', () => {
  test('has its own imports only, from every channel, each with its answer', async () => {
    const [developer, stranger] = [await makeDeveloper(), await makeDeveloper()];
    const sendAll = (to: Developer, name: string) =>
      Promise.all(
        Array.from({ length: 60 }, (_, n) => {
          const body = {
            email: `${n % 15}@example.com`,
            notes: `${name} ${n}`,
            ...(n % 7 === 3 && { projectId: NOWHERE }),
            ...(n % 7 === 5 && { email: name }),
          };
          return n % 10 === 9
            ? send(to, { contacts: [body] }, { url: BATCH })
            : send(to, body, n % 3 ? {} : { headers: idempotencyKey(`lead-${n}`) });
        }),
      );
    const [mine, theirs] = await Promise.all([
      sendAll(developer, 'mine'),
      sendAll(stranger, 'theirs'),
    ]);
    for (const [to, answers, name] of [
      [developer, mine, 'mine'],
      [stranger, theirs, 'theirs'],
    ] as const) {
      const rows = await logged(to);
      assert.equal(rows.length, 60);
      const keyId = await keyIdOf(to);
      const byRequest = new Map(rows.map((row) => [row.request_id, row]));
      for (const [n, { headers, body }] of answers.entries()) {
        const row = byRequest.get(String(headers['x-request-id']));
        assert.ok(row);
        assert.equal((JSON.parse(row.payload) as { notes: string }).notes, `${name} ${n}`);
        const { index: _, ...item } = body.results?.[0] ?? body;
        const result = item.problem ?? item;
        assert.deepEqual(row.result, detailsOf(result));
        assert.equal(row.api_key_id, keyId);
      }
    }
  });
});

describe('an import that fails because of a fault of the service', () => {
  /** A service of its own, on which a company can not be stored. */
  async function poisoned(t: Parameters<typeof build>[0]) {
    const own = await build(t);
    const developer = await developersOf(own)();
    await run(own.db, `alter table contacts add check (company_name <> 'poison')`);
    return { own, developer, post: sender(own) };
  }
  const POISON = { email: EMAIL, companyName: 'poison', tag: 'Hot', notes: 'Hi' };

  test('is in the log as refused, and stores nothing else', async (t) => {
    const { own, developer, post } = await poisoned(t);
    const { imports: _, ...before } = await readImportTables(own.db);
    const answer = await post(developer, POISON);
    assertProblem(answer, 'internal_error', SINGLE);
    const row = await only(developer, own.db);
    assert.deepEqual(
      [row.outcome, row.result.code, row.payload, row.request_id, row.api_key_id],
      [
        'refused',
        'internal_error',
        JSON.stringify(POISON),
        answer.headers['x-request-id'],
        await keyIdOf(developer, own.db),
      ],
    );
    assert.equal(row.result.status, 500);
    assert.doesNotMatch(JSON.stringify(row.result), /poison|check|contacts_/);
    const { imports: __, ...afterwards } = await readImportTables(own.db);
    assert.deepEqual(afterwards, before);
  });

  test('does not hold up the leads that arrive with it', async (t) => {
    const { own, developer, post } = await poisoned(t);
    const bodies = Array.from({ length: 50 }, (_, n) => ({
      email: `${n}@example.com`,
      notes: 'Hi',
      companyName: n % 10 === 3 ? 'poison' : 'Kauri',
      ...(n % 10 === 5 && { unitId: UNIT }),
    }));
    const answers = await Promise.all(bodies.map((body) => post(developer, body)));
    const rows = await logged(developer, own.db);
    assert.equal(rows.length, 50);
    for (const [n, { status, headers }] of answers.entries()) {
      const mine = rows.filter((row) => row.request_id === headers['x-request-id']);
      assert.deepEqual(
        [status, ...mine.map(({ payload, outcome, result }) => [payload, outcome, result.code])],
        n % 10 === 3
          ? [500, [JSON.stringify(bodies[n]), 'refused', 'internal_error']]
          : n % 10 === 5
            ? [422, [JSON.stringify(bodies[n]), 'refused', 'unit_requires_project']]
            : [201, [JSON.stringify(bodies[n]), 'created', undefined]],
      );
    }
    assert.equal((await developer.exported()).contacts.length, 40);
  });

  test('in a batch refuses each item in the log, and stores nothing else', async (t) => {
    const { own, developer, post } = await poisoned(t);
    const contacts = [
      { email: OTHER_EMAIL, tag: 'x' },
      POISON,
      { email: 'none' },
      { email: 'c@d.nz' },
    ];
    const { imports: _, ...before } = await readImportTables(own.db);
    const answer = await post(developer, { contacts }, { url: BATCH });
    assertProblem(answer, 'internal_error', BATCH);
    const rows = await logged(developer, own.db);
    assert.deepEqual(
      rows.map(({ channel, position, payload }) => [channel, position, payload]),
      contacts.map((body, index) => ['batch', index, JSON.stringify(body)]),
    );
    for (const { outcome, result } of rows)
      assert.deepEqual([outcome, result.code], ['refused', 'internal_error']);
    const { imports: __, ...afterwards } = await readImportTables(own.db);
    assert.deepEqual(afterwards, before);
  });

  test('is in the log once for each attempt with its Idempotency-Key', async (t) => {
    const { developer, own, post } = await poisoned(t);
    for (let n = 0; n < 2; n += 1)
      await post(developer, POISON, { headers: idempotencyKey('lead-1') });
    const codes = (await logged(developer, own.db)).map(({ result }) => result.code);
    assert.deepEqual(codes, ['internal_error', 'internal_error']);
  });
});

for (const [fault, count] of [
  ['commit is lost', 0],
  ['answer is lost', 1],
] as const)
  test(`the log entry and the contact are stored both or neither when COMMIT’s ${fault}`, async (t) => {
    const { pool, breakNextCommit } = await faultyDatabase(t, db);
    const app = await instance(t, pool);
    const developer = await makeDeveloper([{ email: EMAIL }]);
    breakNextCommit(fault);
    const lead = { email: EMAIL, notes: 'Hi' };
    assertProblem(await sendTo(app, developer, lead), 'unavailable', SINGLE);
    const [contact] = (await developer.exported()).contacts;
    const imported = contact?.activities.length ?? 0;
    assert.deepEqual([imported, (await logged(developer)).length], [count, count]);
  });
