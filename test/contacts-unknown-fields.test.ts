import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { accountIdOf } from './support/accounts.ts';
import { developersOf, type Developer } from './support/developer.ts';
import { build, type Answer } from './support/harness.ts';
import {
  assertKeyProblem,
  BATCH,
  idempotencyKey,
  sender,
  SINGLE,
  readImportTables,
} from './support/imports.ts';
import { assertProblem } from './support/problem.ts';
import { run } from './support/sql.ts';

const service = await build({ after });
const makeDeveloper = developersOf(service);
const send = sender(service);
const { db } = service;

const EMAIL = 'aroha@example.com';
const STRICT = { prefer: 'handling=strict' };

const ignoredIn = ({ headers }: Answer) => headers['ignored-fields'];
const pointersOf = ({ body }: Answer): unknown[] =>
  body.errors.map(({ pointer }: { pointer?: string }) => pointer);

async function loggedNames(of: Developer): Promise<unknown[]> {
  const text = 'select ignored_fields as names from imports where account_id = $1 order by id';
  const { rows } = await run(db, text, [await accountIdOf(db, of)]);
  return rows.map(({ names }) => names);
}

describe('POST /contacts names unknown fields in Ignored-Fields', () => {
  test('and imports the lead without them, and keeps their names in the import log', async () => {
    const developer = await makeDeveloper();
    const lead = { email: EMAIL, message: 'Hi', utm_source: 'x', name: 'Aroha' };
    const answer = await send(developer, lead);
    assert.equal(answer.status, 201);
    assert.equal(ignoredIn(answer), '"message", "utm_source"');
    assert.deepEqual(await loggedNames(developer), [['message', 'utm_source']]);
  });

  test('and has no such header, and no such names in the log, when every field is known', async () => {
    const developer = await makeDeveloper();
    const answer = await send(developer, { email: EMAIL, name: null, tags: [] });
    assert.deepEqual(
      [ignoredIn(answer), answer.headers['preference-applied']],
      [undefined, undefined],
    );
    assert.deepEqual(await loggedNames(developer), [null]);
  });

  test('also when the lead is refused, and in a dry run', async () => {
    const developer = await makeDeveloper();
    const refused = await send(developer, { 'e-mail': EMAIL });
    assertProblem(refused, 'invalid_request', SINGLE);
    assert.equal(ignoredIn(refused), '"e-mail"');
    assert.deepEqual(await loggedNames(developer), [['e-mail']]);
    const dry = await send(developer, { email: EMAIL, fax: 1 }, { url: `${SINGLE}?dryRun=true` });
    assert.equal(ignoredIn(dry), '"fax"');
    const twice = await send(developer, { email: EMAIL, fax: 1 }, { url: `${SINGLE}?a=1&a=2` });
    assertProblem(twice, 'invalid_request', SINGLE);
    assert.equal(ignoredIn(twice), '"fax"');
  });

  test('as strings that a header can have, from which the names can be read', async () => {
    const developer = await makeDeveloper();
    const names = [
      'a"b',
      'a\\b',
      '100%',
      'tūī',
      '\u0000',
      '\r\nX-A: 1',
      '',
      'a, b',
      '🏡',
      '__proto__',
    ];
    const body = `{"email":"${EMAIL}",${names.map((name) => `${JSON.stringify(name)}:1`).join()}}`;
    const text = String(ignoredIn(await send(developer, body)));
    assert.match(text, /^[\x20-\x7e]*$/);
    const items = [...text.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, item = '']) =>
      decodeURIComponent(item.replace(/\\(.)/g, '$1')),
    );
    assert.deepEqual(
      items,
      names.map((name) => name.replace('\0', '\uFFFD')),
    );
  });

  test('at most 20 of them, in at most a thousand characters', async () => {
    const developer = await makeDeveloper();
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`x${n}`, n]));
    const answer = await send(developer, { email: EMAIL, ...many });
    assert.equal(String(ignoredIn(answer)).split(', ').length, 20);
    const long = Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => [`${n}${'ā'.repeat(5_000)}`, n]),
    );
    const { headers, status } = await send(developer, { email: EMAIL, ...long });
    assert.equal(status, 200);
    assert.ok(String(headers['ignored-fields']).length <= 1_000);
    const [first, second] = await loggedNames(developer);
    assert.deepEqual([(first as string[]).length, (second as string[]).length], [20, 20]);
  });

  test('again with a repeat that has the same Idempotency-Key', async () => {
    const developer = await makeDeveloper();
    const sending = { headers: idempotencyKey('lead-1') };
    const answers = [await send(developer, { email: EMAIL, fax: 1 }, sending)];
    answers.push(await send(developer, { email: EMAIL, fax: 1 }, sending));
    assert.deepEqual(answers.map(ignoredIn), ['"fax"', '"fax"']);
    assert.equal(answers[1]?.text, answers[0]?.text);
  });
});

test('POST /contacts/batch names the unknown fields of all items and of the batch, and logs each with its item', async () => {
  const developer = await makeDeveloper();
  const contacts = [
    { email: EMAIL, fax: 1 },
    { email: EMAIL, fax: 2, pet: 'cat' },
    { email: EMAIL },
    1,
  ];
  const answer = await send(developer, { contacts, campaign: 'Expo' }, { url: BATCH });
  assert.equal(answer.status, 200);
  assert.equal(ignoredIn(answer), '"campaign", "fax", "pet"');
  assert.deepEqual(await loggedNames(developer), [['fax'], ['fax', 'pet'], null, null]);
});

describe('Prefer: handling=strict', () => {
  test('refuses a lead with unknown fields, names each with a pointer beside the other faults, and logs the lead', async () => {
    const developer = await makeDeveloper();
    const lead = { email: 'x', fax: 1, 'a/b~': 2, budget: [] };
    const { contacts } = await developer.exported();
    const answer = await send(developer, lead, { headers: STRICT });
    const { errors } = assertProblem(answer, 'invalid_request', SINGLE);
    const expected = ['/budget', '/email', '/fax', '/a~1b~0'];
    assert.deepEqual(new Set(pointersOf(answer)), new Set(expected));
    const fax = errors?.find((fault) => 'pointer' in fault && fault.pointer === '/fax');
    assert.equal(fax?.detail, 'fax is not a field of this request.');
    assert.equal(answer.headers['preference-applied'], 'handling=strict');
    assert.equal(ignoredIn(answer), undefined);
    assert.deepEqual((await developer.exported()).contacts, contacts);
    assert.deepEqual(await loggedNames(developer), [null]);
  });

  test('imports a lead whose fields are all known', async () => {
    const developer = await makeDeveloper();
    const answer = await send(developer, { email: EMAIL, name: 'Aroha' }, { headers: STRICT });
    assert.deepEqual(
      [answer.status, answer.headers['preference-applied']],
      [201, 'handling=strict'],
    );
  });

  test('refuses only the items of a batch that have unknown fields', async () => {
    const developer = await makeDeveloper();
    const contacts = [{ email: EMAIL, fax: 1 }, { email: EMAIL }, null];
    const answer = await send(developer, { contacts }, { url: BATCH, headers: STRICT });
    assert.deepEqual(answer.body.summary, { created: 1, merged: 0, refused: 2 });
    assert.deepEqual(pointersOf({ ...answer, body: answer.body.results[0].problem }), ['/fax']);
    assert.equal(answer.body.results[2].problem.code, 'malformed_body');
    assert.equal(answer.headers['preference-applied'], 'handling=strict');
  });

  test('refuses a batch that has an unknown field beside its list', async () => {
    const developer = await makeDeveloper();
    const body = { contacts: [{ email: EMAIL }], campaign: 'Expo' };
    const answer = await send(developer, body, { url: BATCH, headers: STRICT });
    assertProblem(answer, 'invalid_request', BATCH);
    assert.deepEqual(pointersOf(answer), ['/campaign']);
    assert.deepEqual((await developer.exported()).contacts, []);
  });

  test('is read as RFC 7240 says: in any case, among others, quoted; the first one counts', async () => {
    const developer = await makeDeveloper();
    const before = await readImportTables(db);
    const strict = [
      'Handling=STRICT',
      'respond-async, handling="strict"; foo=bar',
      ' handling = strict ',
      'handling=strict, handling=lenient',
    ];
    for (const prefer of strict) {
      const sending = { url: `${SINGLE}?dryRun=true`, headers: { prefer } };
      const { status } = await send(developer, { email: EMAIL, fax: 1 }, sending);
      assert.equal(status, 400, prefer);
    }
    const others = [
      'handling=lenient',
      'handling=lenient, handling=strict',
      'strict',
      'handling',
      '',
    ];
    for (const prefer of [...others, 'handling=stricter', 'x-handling=strict']) {
      const sending = { url: `${SINGLE}?dryRun=true`, headers: { prefer } };
      const { status, headers } = await send(developer, { email: EMAIL, fax: 1 }, sending);
      assert.equal(status, 201, prefer);
      const applied = prefer.includes('lenient') ? 'handling=lenient' : undefined;
      assert.equal(headers['preference-applied'], applied, prefer);
    }
    assert.deepEqual(await readImportTables(db), before);
  });

  test('is part of the request that an Idempotency-Key names', async () => {
    const developer = await makeDeveloper();
    const lead = { email: EMAIL, fax: 1 };
    const strict = await send(developer, lead, {
      headers: { ...idempotencyKey('lead-1'), ...STRICT },
    });
    assert.equal(strict.status, 400);
    assertKeyProblem(
      await send(developer, lead, { headers: idempotencyKey('lead-1') }),
      'idempotency_key_reused',
    );
    const again = await send(developer, lead, {
      headers: { ...idempotencyKey('lead-1'), ...STRICT },
    });
    assert.deepEqual([again.text, again.headers['idempotent-replayed']], [strict.text, 'true']);
  });
});
