import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { accountIdOf } from './support/accounts.ts';
import { developersOf, DRAFT, LIVE, NOWHERE, UNIT, type Developer } from './support/developer.ts';
import { faultyDatabase } from './support/faults.ts';
import { build, type Answer, type Cleaner } from './support/harness.ts';
import {
  assertKeyProblem,
  BATCH,
  logOf,
  idempotencyKey,
  sender,
  sendTo,
  SINGLE,
  readImportTables,
  readImportTablesWithoutLog,
} from './support/imports.ts';
import { instance } from './support/instances.ts';
import { subtractTime } from './support/times.ts';
import { endWaiting, someoneWaits, whileEmailsLocked } from './support/locks.ts';
import { assertProblem } from './support/problem.ts';
import { run } from './support/sql.ts';

const service = await build({ after });
const other = await instance({ after }, service.db);
const makeDeveloper = developersOf(service);
const send = sender(service);
const { app, db } = service;

const EMAIL = 'aroha@example.com';
const LOCKED_EMAIL = 'locked@example.com';
const LEAD = { email: EMAIL, notes: 'Hi', tag: 'Hot' };
const headers = idempotencyKey('lead-1');
const keyed = (body: object | string) => [body, { headers }] as const;

/** Asserts that an answer is a replay of the first one. */
function assertReplayed(answer: Answer, first: Answer): void {
  assert.deepEqual([answer.status, answer.text], [first.status, first.text]);
  assert.equal(answer.headers['idempotent-replayed'], 'true');
  assert.equal(answer.headers['content-type'], first.headers['content-type']);
  assert.equal(answer.headers['cache-control'], first.headers['cache-control']);
}

/** Asserts that an answer is no replay. */
function assertFirst(answer: Answer, status: number): void {
  const replayed = answer.headers['idempotent-replayed'];
  assert.deepEqual([answer.status, replayed], [status, undefined], answer.text);
}

async function notesOf(developer: Developer, email = EMAIL): Promise<string[]> {
  const { activities } = await developer.contact(email);
  return activities.map(({ body }: { body: string }) => body);
}

interface Kept {
  key: string;
  claimed_at: Date;
  status: number | null;
  body: string | null;
}

async function keptOf(developer: Developer): Promise<Kept[]> {
  const accountId = await accountIdOf(db, developer);
  const text = 'select key, claimed_at, status, body from idempotency_keys where account_id = $1';
  return (await run(db, text, [accountId])).rows as Kept[];
}

/** Makes the stored keys of an account older by an interval. */
const age = async (developer: Developer, interval: string) =>
  run(
    db,
    `update idempotency_keys set claimed_at = ${subtractTime('claimed_at', '$2::interval')} where account_id = $1`,
    [await accountIdOf(db, developer), interval],
  );

/** Runs `work` while another transaction holds the locks of these emails. */
const whileLocked = async <T>(developer: Developer, emails: string[], work: () => Promise<T>) =>
  whileEmailsLocked(db, await accountIdOf(db, developer), emails, work);

/** Counts the accepted imports of an account. */
async function acceptedOf(developer: Developer): Promise<number> {
  const log = await logOf(db, await accountIdOf(db, developer));
  return log.filter(({ outcome }) => outcome !== 'refused').length;
}

describe('a repeat with the same Idempotency-Key', () => {
  test('gets the first answer again, byte for byte, and imports nothing', async () => {
    const developer = await makeDeveloper();
    const first = await send(developer, ...keyed(LEAD));
    assertFirst(first, 201);
    // A different note, so that a second import of LEAD would add an activity.
    await send(developer, { email: EMAIL, notes: 'Ho' });
    const before = await readImportTables(db);
    for (let n = 0; n < 3; n += 1) assertReplayed(await send(developer, ...keyed(LEAD)), first);
    assert.deepEqual(await readImportTables(db), before);
    assert.deepEqual(await notesOf(developer), ['Hi', 'Ho']);
  });

  test('gets the first answer to a merge again', async () => {
    const developer = await makeDeveloper([{ email: EMAIL }]);
    const first = await send(developer, ...keyed(LEAD));
    assertFirst(first, 200);
    assertReplayed(await send(developer, ...keyed(LEAD)), first);
  });

  const refusals: [string, object, number, (accountId: string) => Promise<unknown>][] = [
    ['that is invalid', { email: 'x', tags: [1] }, 400, async () => undefined],
    [
      'whose email several contacts have',
      { email: 'twice@example.com' },
      409,
      (accountId) => run(db, 'delete from contacts where account_id = $1', [accountId]),
    ],
    [
      'for a project that is not live',
      { email: EMAIL, projectId: DRAFT },
      422,
      (accountId) =>
        run(db, `update projects set publication = 'live' where account_id = $1`, [accountId]),
    ],
  ];
  for (const [what, body, status, mend] of refusals)
    test(`gets the same refusal of an import ${what}, also when the import would succeed now`, async () => {
      const developer = await makeDeveloper([
        { email: 'twice@example.com' },
        { email: 'TWICE@example.com' },
      ]);
      const first = await send(developer, ...keyed(body));
      assertFirst(first, status);
      assertProblem(first, first.body.code, SINGLE);
      await mend(await accountIdOf(db, developer));
      const before = await readImportTables(db);
      assertReplayed(await send(developer, ...keyed(body)), first);
      assert.deepEqual(await readImportTables(db), before);
    });

  test('gets the first answer to a batch again, and imports nothing', async () => {
    const developer = await makeDeveloper();
    const contacts = [LEAD, { ...LEAD, notes: 'Ho' }, { email: EMAIL, projectId: NOWHERE }, null];
    const first = await send(developer, { contacts }, { url: BATCH, headers });
    assertFirst(first, 200);
    const before = await readImportTables(db);
    assertReplayed(await send(developer, { contacts }, { url: BATCH, headers }), first);
    assert.deepEqual(await readImportTables(db), before);
    const none = { url: BATCH, headers: idempotencyKey('none') };
    const refused = await send(developer, { contacts: [] }, none);
    assertFirst(refused, 400);
    assertReplayed(await send(developer, { contacts: [] }, none), refused);
  });

  test('gets the first answer again from another server, and after a restart', async (t) => {
    const developer = await makeDeveloper();
    const first = await send(developer, ...keyed(LEAD));
    assertReplayed(await sendTo(other, developer, ...keyed(LEAD)), first);
    assertReplayed(await sendTo(await instance(t, db), developer, ...keyed(LEAD)), first);
    assert.deepEqual(await notesOf(developer), ['Hi']);
  });

  test('gets the first answer for 24 hours, and is a new request after that', async () => {
    const developer = await makeDeveloper();
    const first = await send(developer, ...keyed(LEAD));
    await send(developer, { email: EMAIL, notes: 'Ho' });
    await age(developer, '23:59');
    assertReplayed(await send(developer, ...keyed(LEAD)), first);
    await age(developer, '00:01');
    const second = await send(developer, ...keyed(LEAD));
    assertFirst(second, 200);
    assertReplayed(await send(developer, ...keyed(LEAD)), second);
    assert.deepEqual(await notesOf(developer), ['Hi', 'Ho', 'Hi']);
    await age(developer, '24:00');
    assertFirst(await send(developer, ...keyed({ email: 'mele@example.com' })), 201);
  });

  test('gets the first answer from every server when many repeats arrive at once', async () => {
    const developer = await makeDeveloper();
    const first = await send(developer, ...keyed(LEAD));
    const apps = Array.from({ length: 40 }, (_, n) => (n % 2 ? app : other));
    const answers = await Promise.all(apps.map((each) => sendTo(each, developer, ...keyed(LEAD))));
    for (const answer of answers) assertReplayed(answer, first);
    const contacts = { contacts: [LEAD] };
    const reused = await Promise.all(
      apps.map((each) => sendTo(each, developer, contacts, { url: BATCH, headers })),
    );
    for (const answer of reused) assertKeyProblem(answer, 'idempotency_key_reused');
  });
});

describe('the same Idempotency-Key', () => {
  test('is a 422 with another body, and changes nothing', async () => {
    const developer = await makeDeveloper();
    const first = await send(developer, ...keyed(LEAD));
    const before = await readImportTablesWithoutLog(db);
    const contacts = { contacts: [LEAD] };
    for (const answer of [
      await send(developer, ...keyed({ ...LEAD, phone: '1' })),
      await send(developer, ...keyed({ email: 'x' })),
      await send(developer, contacts, { url: BATCH, headers }),
      await sendTo(other, developer, ...keyed({ ...LEAD, email: 'mele@example.com' })),
    ])
      assertKeyProblem(answer, 'idempotency_key_reused');
    assert.deepEqual(await readImportTablesWithoutLog(db), before);
    assertReplayed(await send(developer, ...keyed(LEAD)), first);
    const [, ...refused] = await logOf(db, await accountIdOf(db, developer));
    assert.deepEqual(
      refused.map(({ outcome, result }) => [outcome, (result as { code: string }).code]),
      Array.from({ length: 4 }, () => ['refused', 'idempotency_key_reused']),
    );
    assert.deepEqual(JSON.parse(refused[0]?.payload ?? ''), { ...LEAD, phone: '1' });
  });

  test('is a 422 with the same body on the other endpoint', async () => {
    const developer = await makeDeveloper();
    const both = { ...LEAD, contacts: [LEAD] };
    assertFirst(await send(developer, ...keyed(both)), 201);
    const answer = await send(developer, both, { url: BATCH, headers });
    assertKeyProblem(answer, 'idempotency_key_reused');
  });

  test('names another request when another API key sends it, also within one account', async () => {
    const [developer, stranger] = [await makeDeveloper(), await makeDeveloper()];
    const sibling = { key: await service.key(developer.slug, 'read-write') };
    const first = await send(developer, ...keyed(LEAD));
    assertFirst(await send(sibling, ...keyed({ ...LEAD, notes: 'Ho' })), 200);
    assertFirst(await send(stranger, ...keyed(LEAD)), 201);
    assertReplayed(await send(developer, ...keyed(LEAD)), first);
    assert.deepEqual(await notesOf(developer), ['Hi', 'Ho']);
    assert.deepEqual(await notesOf(stranger), ['Hi']);
  });

  test('may be quoted or not', async () => {
    const developer = await makeDeveloper();
    const first = await send(developer, LEAD, { headers: idempotencyKey('abc') });
    assertReplayed(await send(developer, LEAD, { headers: idempotencyKey('"abc"') }), first);
    assertFirst(await send(developer, LEAD, { headers: idempotencyKey('ABC') }), 200);
    const second = await send(developer, LEAD, { headers: idempotencyKey(String.raw`"a\"\\b"`) });
    assertReplayed(
      await send(developer, LEAD, { headers: idempotencyKey(String.raw`a"\b`) }),
      second,
    );
  });

  test('makes one import of many requests that arrive at once', async () => {
    const developer = await makeDeveloper();
    const apps = Array.from({ length: 40 }, (_, n) => (n % 2 ? app : other));
    const answers = await Promise.all(apps.map((each) => sendTo(each, developer, ...keyed(LEAD))));
    for (const answer of answers)
      if (answer.status !== 201) assertKeyProblem(answer, 'idempotency_key_in_use');
    const first = answers.filter((answer) => answer.headers['idempotent-replayed'] === undefined);
    const created = first.filter(({ status }) => status === 201);
    assert.equal(created.length, 1);
    for (const each of [app, other])
      assert.equal((await sendTo(each, developer, ...keyed(LEAD))).text, created[0]?.text);
    assert.equal(await acceptedOf(developer), 1);
    assert.deepEqual(await notesOf(developer), ['Hi']);
  });
});

describe('an Idempotency-Key', () => {
  test('may have 255 characters; an empty, longer or non-ASCII one is a 400 that names the header', async () => {
    const developer = await makeDeveloper();
    const longest = 'k'.repeat(255);
    assertFirst(await send(developer, LEAD, { headers: idempotencyKey(longest) }), 201);
    const before = await readImportTablesWithoutLog(db);
    for (const key of ['', '""', '   ', `${longest}k`, 'ké', '\u0101'])
      for (const [url, body] of [
        [SINGLE, LEAD],
        [BATCH, { contacts: [LEAD] }],
      ] as const) {
        const answer = await send(developer, body, { url, headers: idempotencyKey(key) });
        const { errors } = assertProblem(answer, 'invalid_request', url);
        const [fault] = errors ?? [];
        assert.equal(fault && 'header' in fault && fault.header, 'Idempotency-Key');
      }
    assert.deepEqual(await readImportTablesWithoutLog(db), before);
  });

  test('gets the answer of its own lead when many leads arrive at once', async () => {
    const developer = await makeDeveloper();
    const bodies = Array.from({ length: 60 }, (_, n) => ({
      email: `${n % 20}@example.com`,
      notes: `note ${n}`,
      ...(n % 6 === 5 && { unitId: UNIT }),
    }));
    const all = (to = app) =>
      Promise.all(
        bodies.map((body, n) =>
          sendTo(to, developer, body, { headers: idempotencyKey(`lead-${n}`) }),
        ),
      );
    const first = await all();
    const before = await readImportTables(db);
    for (const to of [app, other])
      for (const [n, answer] of (await all(to)).entries())
        assertReplayed(answer, first[n] ?? answer);
    assert.deepEqual(await readImportTables(db), before);
    assert.equal((await logOf(db, await accountIdOf(db, developer))).length, 60);
  });

  test('can be used again after a refusal before the import is read', async () => {
    const developer = await makeDeveloper();
    const read = { key: await service.key(developer.slug, 'read') };
    const plain = { ...headers, 'content-type': 'text/plain' };
    const before = await readImportTables(db);
    assertProblem(await send({ key: 'x' }, ...keyed(LEAD)), 'invalid_api_key', SINGLE);
    assertProblem(await send(read, ...keyed(LEAD)), 'insufficient_access', SINGLE);
    for (const body of ['{', '', '[]', 'null'])
      assertProblem(await send(developer, ...keyed(body)), 'malformed_body', SINGLE);
    const typed = await send(developer, JSON.stringify(LEAD), { headers: plain });
    assertProblem(typed, 'unsupported_media_type', SINGLE);
    const long = await send(developer, ...keyed({ ...LEAD, notes: 'x'.repeat(1_048_576) }));
    assertProblem(long, 'body_too_large', SINGLE);
    const list = await send(developer, '[]', { url: BATCH, headers });
    assertProblem(list, 'malformed_body', BATCH);
    assert.deepEqual(await readImportTables(db), before);
    assertFirst(await send(developer, ...keyed(LEAD)), 201);
  });

  test('gives no stored answer to an API key that may not write', async () => {
    const developer = await makeDeveloper();
    await send(developer, ...keyed(LEAD));
    const read = { key: await service.key(developer.slug, 'read') };
    assertProblem(await send(read, ...keyed(LEAD)), 'insufficient_access', SINGLE);
    assertProblem(await send({ key: 'x' }, ...keyed(LEAD)), 'invalid_api_key', SINGLE);
  });
});

describe('while the first request is running', { timeout: 60_000 }, () => {
  test('every server answers 409 to a repeat, and 422 to another body', async () => {
    const developer = await makeDeveloper();
    const first = await whileLocked(developer, [EMAIL], async () => {
      const started = send(developer, ...keyed(LEAD));
      await someoneWaits(db);
      for (const each of [app, other]) {
        const repeat = await sendTo(each, developer, ...keyed(LEAD));
        assertKeyProblem(repeat, 'idempotency_key_in_use');
        const reused = await sendTo(each, developer, ...keyed({ ...LEAD, phone: '1' }));
        assertKeyProblem(reused, 'idempotency_key_reused');
      }
      return { started };
    }).then(({ started }) => started);
    assertFirst(first, 201);
    for (const each of [app, other])
      assertReplayed(await sendTo(each, developer, ...keyed(LEAD)), first);
    assert.deepEqual(
      [await notesOf(developer), (await developer.contact(EMAIL)).phone],
      [['Hi'], null],
    );
  });

  test('every server answers a batch in the same way', async () => {
    const developer = await makeDeveloper();
    const sending = { url: BATCH, headers };
    const first = await whileLocked(developer, [EMAIL], async () => {
      const started = send(developer, { contacts: [LEAD] }, sending);
      await someoneWaits(db);
      for (const each of [app, other]) {
        const repeat = await sendTo(each, developer, { contacts: [LEAD] }, sending);
        assertKeyProblem(repeat, 'idempotency_key_in_use');
        const reused = await sendTo(each, developer, { contacts: [] }, sending);
        assertKeyProblem(reused, 'idempotency_key_reused');
      }
      return { started };
    }).then(({ started }) => started);
    assertReplayed(await send(developer, { contacts: [LEAD] }, sending), first);
    assert.deepEqual(await notesOf(developer), ['Hi']);
  });

  test('its import stores nothing that others see', async () => {
    const developer = await makeDeveloper();
    await whileLocked(developer, [EMAIL], async () => {
      const started = send(developer, ...keyed(LEAD));
      await someoneWaits(db);
      const kept = await keptOf(developer);
      assert.deepEqual(
        kept.map(({ key, status, body }) => ({ key, status, body })),
        [{ key: 'lead-1', status: null, body: null }],
      );
      assert.deepEqual((await developer.exported()).contacts, []);
      return { started };
    }).then(({ started }) => started);
    const [kept] = await keptOf(developer);
    assert.equal(kept?.status, 201);
  });

  test('other Idempotency-Keys, and the same one of other API keys, do not wait', async () => {
    const [developer, stranger] = [await makeDeveloper(), await makeDeveloper()];
    const sibling = { key: await service.key(developer.slug, 'read-write') };
    await whileLocked(developer, [LOCKED_EMAIL], async () => {
      const started = send(developer, ...keyed({ email: LOCKED_EMAIL }));
      await someoneWaits(db);
      assertFirst(await sendTo(other, developer, LEAD, { headers: idempotencyKey('lead-2') }), 201);
      assertFirst(await sendTo(other, sibling, ...keyed(LEAD)), 200);
      assertFirst(await send(stranger, ...keyed(LEAD)), 201);
      return { started };
    }).then(({ started }) => started);
  });
});

describe('the Idempotency-Key of a request without an answer', () => {
  /** Stores a claim as a process that was killed leaves it. */
  async function leave(developer: Developer, key = 'lead-1'): Promise<void> {
    const accountId = await accountIdOf(db, developer);
    await run(
      db,
      `insert into idempotency_keys (account_id, api_key_id, key, request_sha256, claim_id, claimed_at)
        select account_id, id, $2, '\\x00', $3, now() from api_keys where account_id = $1`,
      [accountId, key, randomUUID()],
    );
  }

  test('can be used again at once when the server was killed, also with another body', async () => {
    const developer = await makeDeveloper();
    await leave(developer);
    const first = await send(developer, ...keyed(LEAD));
    assertFirst(first, 201);
    assertReplayed(await send(developer, ...keyed(LEAD)), first);
    assert.equal((await keptOf(developer)).length, 1);
  });

  test('makes one import of many requests when the server was killed', async () => {
    const developer = await makeDeveloper();
    const apps = Array.from({ length: 20 }, (_, n) => (n % 2 ? app : other));
    const keys = Array.from({ length: 5 }, (_, n) => `lead-${n}`);
    for (const key of keys) {
      await leave(developer, key);
      const sending = { headers: idempotencyKey(key) };
      const answers = await Promise.all(apps.map((each) => sendTo(each, developer, LEAD, sending)));
      for (const answer of answers)
        if (answer.status >= 300) assertKeyProblem(answer, 'idempotency_key_in_use');
      assert.ok(answers.some(({ status }) => status < 300));
    }
    assert.equal(await acceptedOf(developer), keys.length);
  });

  test('can be used on another server while the first request waits in a queue: only one of them imports', async () => {
    const developer = await makeDeveloper();
    const sending = { headers };
    const [blocked, lost] = await whileLocked(developer, [LOCKED_EMAIL], async () => {
      const before = sendTo(app, developer, { email: LOCKED_EMAIL });
      await someoneWaits(db);
      // This lead waits in the queue behind the first one. Its claim is stored, and no transaction locks it.
      const waiting = sendTo(app, developer, LEAD, sending);
      for (; (await keptOf(developer)).length === 0;);
      const winner = await sendTo(other, developer, LEAD, sending);
      assertFirst(winner, 201);
      assertReplayed(await sendTo(other, developer, LEAD, sending), winner);
      await sendTo(other, developer, { email: EMAIL, notes: 'Ho' });
      return [before, waiting];
    }).then((all) => Promise.all(all));
    assert.equal(blocked?.status, 201);
    assert.ok(lost);
    assertKeyProblem(lost, 'idempotency_key_in_use');
    assert.deepEqual(await notesOf(developer), ['Hi', 'Ho']);
    assertReplayed(
      await sendTo(app, developer, LEAD, sending),
      await sendTo(other, developer, LEAD, sending),
    );
    assert.equal(await acceptedOf(developer), 3);
  });

  test('is a 409 on the same server while the first request waits in a queue, and that one imports', async () => {
    const developer = await makeDeveloper();
    const [blocked, first] = await whileLocked(developer, [LOCKED_EMAIL], async () => {
      const before = sendTo(app, developer, { email: LOCKED_EMAIL });
      await someoneWaits(db);
      const waiting = sendTo(app, developer, LEAD, { headers });
      for (; (await keptOf(developer)).length === 0;);
      for (const _ of [1, 2])
        assertKeyProblem(await sendTo(app, developer, LEAD, { headers }), 'idempotency_key_in_use');
      return [before, waiting];
    }).then((all) => Promise.all(all));
    assert.equal(blocked?.status, 201);
    assertFirst(first ?? assert.fail(), 201);
    assert.deepEqual(await notesOf(developer), ['Hi']);
  });

  test('does not fail the other leads in the queue when it is used on another server', async () => {
    const developer = await makeDeveloper();
    const answers = await whileLocked(developer, [LOCKED_EMAIL], async () => {
      // An account has two transactions at most: these leads keep both waiting.
      const before = [0, 1, 2, 3].map(() => sendTo(app, developer, { email: LOCKED_EMAIL }));
      await someoneWaits(db, 2);
      const waiting = [0, 1, 2, 3].map((n) =>
        sendTo(
          app,
          developer,
          { email: `${n}@example.com` },
          { headers: idempotencyKey(`lead-${n}`) },
        ),
      );
      for (; (await keptOf(developer)).length < 4;);
      const winner = await sendTo(
        other,
        developer,
        { email: '1@example.com' },
        { headers: idempotencyKey('lead-1') },
      );
      assertFirst(winner, 201);
      return [...before, ...waiting];
    }).then((all) => Promise.all(all));
    const statuses = answers.map(({ status }) => status);
    assert.deepEqual(
      statuses.slice(0, 4).toSorted((a, b) => a - b),
      [200, 200, 200, 201],
    );
    assert.deepEqual(statuses.slice(4), [201, 409, 201, 201]);
    assert.equal((await developer.exported()).contacts.length, 5);
  });
});

describe('a first attempt that failed', () => {
  /** Makes each contact of the company `poison` fail. `cure` ends that. */
  async function poisoned(t: Cleaner) {
    await run(
      db,
      `alter table contacts add constraint poison check (company_name <> 'poison') not valid`,
    );
    const cure = async (): Promise<void> => {
      await run(db, 'alter table contacts drop constraint if exists poison');
    };
    t.after(cure);
    return { developer: await makeDeveloper(), cure };
  }

  for (const [what, url, body, status] of [
    ['an import', SINGLE, { ...LEAD, companyName: 'poison' }, 201],
    ['a batch', BATCH, { contacts: [LEAD, { email: LOCKED_EMAIL, companyName: 'poison' }] }, 200],
  ] as const)
    test(`with a 500 leaves the key of ${what} usable`, async (t) => {
      const { developer, cure } = await poisoned(t);
      const sending = { url, headers };
      for (let n = 0; n < 2; n += 1)
        assertProblem(await send(developer, body, sending), 'internal_error', url);
      assert.deepEqual((await developer.exported()).contacts, []);
      await cure();
      const first = await send(developer, body, sending);
      assertFirst(first, status);
      assertReplayed(await send(developer, body, sending), first);
    });

  test('may be followed by another body', async (t) => {
    const { developer } = await poisoned(t);
    const answer = await send(developer, ...keyed({ ...LEAD, companyName: 'poison' }));
    assertProblem(answer, 'internal_error', SINGLE);
    assertFirst(await send(developer, ...keyed(LEAD)), 201);
  });

  test('with a lost connection leaves its key usable', async () => {
    const developer = await makeDeveloper();
    await whileLocked(developer, [EMAIL], async () => {
      const answer = send(developer, ...keyed(LEAD));
      await someoneWaits(db);
      await endWaiting(db);
      assertProblem(await answer, 'unavailable', SINGLE);
    });
    const first = await send(developer, ...keyed(LEAD));
    assertFirst(first, 201);
    assertReplayed(await send(developer, ...keyed(LEAD)), first);
  });

  for (const [fault, kept] of [
    ['commit is lost', false],
    ['answer is lost', true],
  ] as const)
    test(`in COMMIT, when its ${fault}, can be repeated, and is imported once`, async (t) => {
      const { pool, breakNextCommit } = await faultyDatabase(t, db);
      const faulty = await instance(t, pool);
      const developer = await makeDeveloper();
      breakNextCommit(fault);
      assertProblem(await sendTo(faulty, developer, ...keyed(LEAD)), 'unavailable', SINGLE);
      await send(developer, { email: EMAIL, notes: 'Ho' });
      const again = await sendTo(faulty, developer, ...keyed(LEAD));
      assert.equal(again.status, kept ? 201 : 200);
      assert.equal(again.headers['idempotent-replayed'], kept ? 'true' : undefined);
      assert.deepEqual((await notesOf(developer)).toSorted(), ['Hi', 'Ho']);
      assert.equal((await logOf(db, await accountIdOf(db, developer))).length, 2);
    });
});

test('an import without an Idempotency-Key is never a replay', async () => {
  const developer = await makeDeveloper();
  assertFirst(await send(developer, LEAD), 201);
  assertFirst(await send(developer, LEAD), 200);
  assert.deepEqual(await keptOf(developer), []);
});

test('an answer is never replayed to another account, though keys and emails are the same', async () => {
  const [developer, stranger] = [await makeDeveloper(), await makeDeveloper()];
  await Promise.all(
    [developer, stranger].flatMap((each) =>
      [1, 2, 3].map((n) =>
        send(
          each,
          { email: `${n}@example.com`, projectId: LIVE },
          { headers: idempotencyKey(`lead-${n}`) },
        ),
      ),
    ),
  );
  assert.deepEqual([(await keptOf(developer)).length, (await keptOf(stranger)).length], [3, 3]);
  const { contacts } = await developer.exported();
  const ids = new Set(contacts.map(({ id }: { id: string }) => id));
  for (const { body } of await keptOf(developer))
    assert.ok(ids.has((JSON.parse(body ?? '') as { contactId: string }).contactId));
});
