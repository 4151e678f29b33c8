import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { accountIdOf } from './support/accounts.ts';
import {
  developersOf,
  DRAFT,
  INACTIVE_USER,
  LIVE,
  OTHER_UNIT,
  UNIT,
  USER,
  type Developer,
} from './support/developer.ts';
import { build } from './support/harness.ts';
import { BATCH, idempotencyKey, sender, SINGLE, readImportTables } from './support/imports.ts';
import { whileEmailsLocked } from './support/locks.ts';
import { assertProblem } from './support/problem.ts';

const service = await build({ after });
const makeDeveloper = developersOf(service);
const send = sender(service);
const { db } = service;

const EMAIL = 'aroha@example.com';
const TWICE = 'twice@example.com';
const GONE = 'gone@example.com';

/** Slips in the name of the parameter. */
const SPELLINGS = [
  'dryrun',
  'DryRun',
  'dry_run',
  'dry-run',
  'DRY_RUN',
  'dry--run',
  'dryRun[]',
  'dryRun[0]',
  ' dryRun',
  'dryRun\u00a0',
  'dry run',
  'dry.run',
  'dry\u2010run',
  'dryRun\u200b',
  '"dryRun"',
  'dryRun:',
  'dryRun;',
];

const contacts = [
  { email: TWICE },
  { email: TWICE.toUpperCase() },
  { email: GONE, archivedAt: '2026-01-01T00:00:00.000Z', tags: ['Hot'] },
];

/** Sends a dry run, and asserts that it changes no table. */
async function sendDryRun(developer: Developer, body: object | string, url = SINGLE) {
  const before = await readImportTables(db);
  const answer = await send(developer, body, { url: `${url}?dryRun=true` });
  assert.deepEqual(await readImportTables(db), before);
  return answer;
}

const FULL = {
  email: EMAIL,
  firstName: 'Aroha',
  tags: 'Hot, New',
  notes: 'Hi',
  source: 'Billboard',
  budget: 0,
  projectId: LIVE,
  unitId: UNIT,
  assignedAccountUserId: USER,
};
const LEADS: Record<string, unknown> = {
  'that creates a contact': FULL,
  'that fills in a contact that is archived': { ...FULL, email: GONE.toUpperCase() },
  'that is invalid': { email: 'x', buyerType: 'Speculator', tags: ['a', 1] },
  'whose email several contacts have': { email: TWICE },
  'for a project that is not live': { email: EMAIL, projectId: DRAFT },
  'for a unit of another project': { email: EMAIL, projectId: LIVE, unitId: OTHER_UNIT },
  'for a unit without its project': { email: EMAIL, unitId: UNIT },
  'for a user who is not active': { email: EMAIL, assignedAccountUserId: INACTIVE_USER },
};

// Removes the ids that differ between a dry run and an import.
const same = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, each) =>
      key === 'contactId' || key === 'requestId' ? undefined : each,
    ),
  );

describe('a dry run of an import', () => {
  for (const [what, body] of Object.entries(LEADS))
    test(`${what} gives what the import then gives, and stores nothing`, async () => {
      const developer = await makeDeveloper(contacts);
      const dry = await sendDryRun(developer, body as object);
      const real = await send(developer, body as object);
      assert.equal(dry.status, real.status);
      assert.equal(dry.headers['content-type'], real.headers['content-type']);
      assert.deepEqual(same(dry.body), same(real.body));
      if (real.status === 200) assert.equal(dry.body.contactId, real.body.contactId);
      if (real.status >= 400) assertProblem(dry, dry.body.code, SINGLE);
    });

  test('can be repeated', async () => {
    const developer = await makeDeveloper();
    for (let n = 0; n < 3; n += 1) assert.equal((await sendDryRun(developer, FULL)).status, 201);
    assert.equal((await send(developer, FULL)).status, 201);
    assert.equal((await sendDryRun(developer, FULL)).body.filledFields.length, 0);
  });

  test('does not wait for a locked email', async () => {
    const developer = await makeDeveloper();
    const accountId = await accountIdOf(db, developer);
    await whileEmailsLocked(db, accountId, [EMAIL], async () => {
      const { status } = await send(developer, FULL, { url: `${SINGLE}?dryRun=true` });
      assert.equal(status, 201);
    });
  });
});

describe('a dry run of a batch', () => {
  const bodies = [
    ...Object.values(LEADS),
    null,
    { ...FULL, email: EMAIL.toUpperCase(), phone: '1', notes: 'Hi' },
    { email: EMAIL, notes: 'Ho', tag: 'new' },
    { email: 'mele@example.com' },
  ];

  test('gives what the batch then gives, and stores nothing', async () => {
    const developer = await makeDeveloper(contacts);
    const dry = await sendDryRun(developer, { contacts: bodies }, BATCH);
    const real = await send(developer, { contacts: bodies }, { url: BATCH });
    assert.deepEqual([dry.status, real.status], [200, 200]);
    assert.deepEqual(same(dry.body), same(real.body));
    assert.deepEqual(real.body.summary, { created: 2, merged: 3, refused: 7 });
  });

  test('names one new contact by one id', async () => {
    const developer = await makeDeveloper();
    const twice = { contacts: [{ email: EMAIL }, { email: EMAIL }] };
    const [created, merged] = (await sendDryRun(developer, twice, BATCH)).body.results;
    assert.equal(created.contactId, merged.contactId);
  });

  test('of a thousand new emails stores nothing', async () => {
    const developer = await makeDeveloper();
    const many = Array.from({ length: 1_000 }, (_, n) => ({
      email: `${n}@example.com`,
      tag: `${n}`,
    }));
    const { body } = await sendDryRun(developer, { contacts: many }, BATCH);
    assert.deepEqual(body.summary, { created: 1_000, merged: 0, refused: 0 });
  });

  test('that is refused as a whole is refused in the same way', async () => {
    const developer = await makeDeveloper();
    const { body } = await sendDryRun(developer, { contacts: [] }, BATCH);
    assert.deepEqual([body.code, body.errors[0].pointer], ['invalid_request', '/contacts']);
    assertProblem(await sendDryRun(developer, '[]', BATCH), 'malformed_body', BATCH);
  });
});

describe('the parameter dryRun', () => {
  test('that is false or absent stands for an import', async () => {
    const developer = await makeDeveloper();
    for (const [n, query] of ['', '?', '?dryRun=false', '?run=true'].entries()) {
      const { status } = await send(
        developer,
        { email: `${n}@example.com` },
        { url: SINGLE + query },
      );
      assert.equal(status, 201, query);
      const { body } = await send(
        developer,
        { contacts: [{ email: EMAIL }] },
        { url: BATCH + query },
      );
      assert.equal(body.summary[n === 0 ? 'created' : 'merged'], 1, query);
    }
    assert.equal((await developer.exported()).contacts.length, 5);
  });

  test('with any other value is a 400 that names it, and nothing is imported', async () => {
    const developer = await makeDeveloper();
    const before = await readImportTables(db);
    const wrong = [
      '',
      '1',
      'TRUE',
      'yes',
      'true%20',
      'tru',
      'null',
      'true&dryRun=true',
      '&dryRun=true',
    ];
    for (const [url, body] of [
      [SINGLE, { email: EMAIL }],
      [BATCH, { contacts: [{ email: EMAIL }] }],
    ] as const)
      for (const value of wrong) {
        const answer = await send(developer, body, { url: `${url}?dryRun=${value}` });
        const { errors } = assertProblem(answer, 'invalid_request', url);
        assert.deepEqual(
          errors?.map((fault) => 'parameter' in fault && fault.parameter),
          ['dryRun'],
        );
      }
    // Nothing in the import log either, from which someone could retry it.
    assert.deepEqual(await readImportTables(db), before);
  });

  test('in another spelling is a 400 that names the spelling, and nothing is imported', async () => {
    const developer = await makeDeveloper();
    const before = await readImportTables(db);
    for (const name of SPELLINGS)
      for (const query of [`${encodeURIComponent(name)}=true`, `dryRun=true&${name}=1`]) {
        const answer = await send(developer, { email: EMAIL }, { url: `${SINGLE}?${query}` });
        const { errors } = assertProblem(answer, 'invalid_request', SINGLE);
        assert.deepEqual(errors, [{ parameter: name, detail: `${name} is spelled dryRun.` }]);
      }
    assert.deepEqual(await readImportTables(db), before);
  });

  test('is read from an encoded name, and from a name without a value', async () => {
    const developer = await makeDeveloper();
    const stored = await readImportTables(db);
    const { status } = await send(
      developer,
      { email: EMAIL },
      { url: `${SINGLE}?d%72yRun=%74rue` },
    );
    assert.equal(status, 201);
    for (const query of ['dry+run=true', 'dryRun%5B0%5D=true', 'dry%E2%80%90run', 'DRYRUN'])
      assertProblem(
        await send(developer, { email: EMAIL }, { url: `${SINGLE}?${query}` }),
        'invalid_request',
        SINGLE,
      );
    assert.deepEqual(await readImportTables(db), stored);
  });

  test('next to a repeated parameter leaves nothing in the import log', async () => {
    const developer = await makeDeveloper();
    const before = await readImportTables(db);
    const answer = await send(
      developer,
      { email: EMAIL },
      { url: `${SINGLE}?dryRun=true&x=1&x=2` },
    );
    assertProblem(answer, 'invalid_request', SINGLE);
    assert.deepEqual(await readImportTables(db), before);
  });
});

describe('a member dryRun', () => {
  for (const name of ['dryRun', ...SPELLINGS, 'dry/run~'])
    for (const value of [true, false, null])
      test(`of a lead is a 400 and leaves nothing in the import log: ${name}, ${value}`, async () => {
        const developer = await makeDeveloper();
        const before = await readImportTables(db);
        for (const more of [{}, { budget: [] }]) {
          const body = JSON.stringify({ email: EMAIL, ...more, [name]: value });
          const { errors } = assertProblem(await send(developer, body), 'invalid_request', SINGLE);
          const pointer = `/${name.replace('~', '~0').replace('/', '~1')}`;
          const detail = `${name} cannot be in the body. Ask for a dry run with ?dryRun=true in the URL.`;
          assert.deepEqual(errors?.at(-1), { pointer, detail });
          assert.equal(errors?.length, 'budget' in more ? 2 : 1);
        }
        assert.deepEqual(await readImportTables(db), before);
      });

  test('of a batch refuses the batch and leaves nothing in the import log', async () => {
    const developer = await makeDeveloper();
    const before = await readImportTables(db);
    const body = { dry_run: true, contacts: [{ email: EMAIL }] };
    const { errors } = assertProblem(
      await send(developer, body, { url: BATCH }),
      'invalid_request',
      BATCH,
    );
    assert.equal(errors?.[0] && 'pointer' in errors[0] && errors[0].pointer, '/dry_run');
    assert.deepEqual(await readImportTables(db), before);
  });

  test('of an item refuses the item, and the others go on', async () => {
    const developer = await makeDeveloper();
    const items = [{ email: EMAIL, dryRun: true }, { email: 'mele@example.com' }];
    const { body } = await send(developer, { contacts: items }, { url: BATCH });
    assert.deepEqual(body.summary, { created: 1, merged: 0, refused: 1 });
    assert.equal(body.results[0].problem.errors[0].pointer, '/dryRun');
    assert.equal((await developer.exported()).contacts.length, 1);
  });

  test('is any other name, too, and then ignored', async () => {
    const developer = await makeDeveloper();
    for (const name of ['run', 'dryRuns', 'isDryRun', 'dry', ''])
      assert.ok((await send(developer, { email: EMAIL, [name]: true })).status < 300, name);
  });
});

describe('a dry run with an Idempotency-Key', () => {
  test('neither stores an answer for the key nor replays one', async () => {
    const developer = await makeDeveloper();
    const headers = idempotencyKey('lead-1');
    const dryRun = { url: `${SINGLE}?dryRun=true`, headers };
    const before = await readImportTables(db);
    for (const email of [EMAIL, 'mele@example.com']) {
      const { status, headers: answered } = await send(developer, { email }, dryRun);
      assert.deepEqual([status, answered['idempotent-replayed']], [201, undefined]);
    }
    assert.deepEqual(await readImportTables(db), before);
    const first = await send(developer, { email: EMAIL }, { headers });
    assert.deepEqual([first.status, first.headers['idempotent-replayed']], [201, undefined]);
    const dry = await send(developer, { email: EMAIL }, dryRun);
    assert.deepEqual([dry.status, dry.headers['idempotent-replayed']], [200, undefined]);
    assert.equal((await send(developer, { email: EMAIL }, { headers })).text, first.text);
  });
});

test('a dry run needs a key that may write', async () => {
  const developer = await makeDeveloper();
  const read = { key: await service.key(developer.slug, 'read') };
  const answer = await send(read, FULL, { url: `${SINGLE}?dryRun=true` });
  assertProblem(answer, 'insufficient_access', SINGLE);
});
