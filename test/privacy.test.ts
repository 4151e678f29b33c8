import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { InjectOptions } from 'fastify';
import { developersOf, NOWHERE } from './support/developer.ts';
import { build, type Answer, type TestApp } from './support/harness.ts';

/** Every personal text of these tests contains this word, so no log line may. */
const SECRET = 'sesame';
const EMAIL = `${SECRET}@example.com`;
const CONTACTS = '/api/v1/contacts';
const PERSONAL = {
  email: EMAIL,
  name: `Name ${SECRET}`,
  phone: `Phone ${SECRET}`,
  notes: `Note ${SECRET}`,
  tag: `Tag ${SECRET}`,
  source: `Source ${SECRET}`,
  budget: `Budget ${SECRET}`,
};

const service = await build({ after });
const makeDeveloper = developersOf(service);

type Request = InjectOptions & { url: string; key?: string };

const run = ({ db }: TestApp, text: string) => db.query({ name: '', text, values: [] });

/** Holds all that was logged to the promise: JSON lines, the request named, and nothing personal. */
function assertDiscreet({ log }: TestApp, answers: Answer[], keys: string[]): void {
  const lines = log.map((line) => JSON.parse(line));
  for (const line of log) {
    assert.doesNotMatch(line, new RegExp(`${SECRET}|offplan_|bearer|authorization`, 'i'));
    for (const key of keys) assert.ok(!line.includes(key.slice(8, 40)), line);
  }
  for (const { headers, text } of answers) {
    const mine = lines.filter(({ reqId }) => reqId === headers['x-request-id']);
    assert.ok(mine.length > 0, `nothing in the log for ${text}`);
  }
}

test('requests of every outcome are logged with their id, and nothing personal is', async () => {
  const twins = ['1', '2'].map((n) => ({ email: `twin-${EMAIL}`, name: `${n} ${SECRET}` }));
  const developer = await makeDeveloper(twins);
  const read = await service.key(developer.slug, 'read');
  const typed = { 'content-type': 'application/json' };
  const post = (payload: string | object, headers = typed): Request => ({
    method: 'POST',
    url: CONTACTS,
    key: developer.key,
    payload,
    headers,
  });
  const requests: [number, Request][] = [
    [201, post(PERSONAL)],
    [200, post({ ...PERSONAL, notes: `Other ${SECRET}` })],
    [400, post({ ...PERSONAL, email: SECRET })],
    [400, post({ ...PERSONAL, name: [SECRET], buyerType: SECRET })],
    [400, post({ ...PERSONAL, notes: `${SECRET}\0` })],
    [400, post({ ...PERSONAL, tag: SECRET.repeat(50) })],
    [400, post(`{"email":"${EMAIL}"`)],
    [400, post(`["${EMAIL}"]`)],
    [400, { url: `/api/v1/stocklist?page=${SECRET}&limit=${SECRET}`, key: read }],
    [400, { url: `/api/v1/stocklist?updated_since=${SECRET}`, key: read }],
    [401, { url: `/api/v1/stocklist?city=${SECRET}` }],
    [401, { url: '/api/v1/stocklist', key: `offplan_${SECRET}` }],
    [401, { url: '/api/v1/stocklist', key: `${developer.key.slice(0, -1)}!` }],
    [403, { ...post(PERSONAL), key: read }],
    [404, { url: `/api/v1/projects/${SECRET}`, key: read }],
    [404, { url: `/${SECRET}?email=${EMAIL}` }],
    [404, { url: `/media/${SECRET}.svg` }],
    [404, { url: `/api/v1/projects/%${SECRET}` }],
    [405, { ...post(PERSONAL), method: 'PUT', url: `${CONTACTS}?email=${EMAIL}` }],
    [409, post({ ...PERSONAL, email: `twin-${EMAIL}` })],
    [413, post({ ...PERSONAL, notes: SECRET.repeat(200_000) })],
    [415, post(JSON.stringify(PERSONAL), { 'content-type': `text/${SECRET}` })],
    [422, post({ ...PERSONAL, projectId: NOWHERE })],
    [422, post({ ...PERSONAL, projectId: SECRET, unitId: SECRET })],
    [
      200,
      { url: '/api/v1/stocklist', key: read, headers: { 'user-agent': SECRET, cookie: SECRET } },
    ],
  ];
  const answers: Answer[] = [];
  for (const [status, request] of requests) {
    const answer = await service.send(request);
    assert.equal(answer.status, status, JSON.stringify(request).slice(0, 200));
    answers.push(answer);
  }
  assertDiscreet(service, answers, [developer.key, read]);
});

const breaks: [string, string][] = [
  // PostgreSQL quotes the row, and with it the lead, in the detail of such an error.
  ['a check', 'alter table contacts add check (stage is null) not valid'],
  ['a check of the note', `alter table activities add check (body = '') not valid`],
  ['a unique index', 'create unique index on contacts (account_id, source)'],
  ['a value too long', 'alter table contacts alter column name type varchar(3)'],
  ['a value of another type', `alter table tags alter column label type integer using 1`],
  ['a table that is gone', 'drop table contact_tags'],
];
for (const [what, change] of breaks)
  test(`an error of the database is logged without the row that it quotes: ${what}`, async (t) => {
    const broken = await build(t);
    const developer = await developersOf(broken)();
    await developer.post({ email: 'before@example.com', source: 'a' });
    await run(broken, change).catch(() => run(broken, `delete from tags; ${change}`));
    const answer = await developer.post(PERSONAL);
    assert.equal(answer.status, 500);
    assert.ok(!answer.text.includes(SECRET));
    assertDiscreet(broken, [answer], [developer.key]);
    const error = broken.log.map((line) => JSON.parse(line)).find(({ level }) => level >= 50);
    assert.match(error.code, /^[0-9A-Z]{5}$/);
  });

test('a last use of a key that cannot be stored is logged without the key', async (t) => {
  const broken = await build(t);
  const developer = await developersOf(broken)();
  await run(broken, 'alter table api_keys add check (last_used_at is null)');
  const answer = await broken.send({ url: '/api/v1/stocklist', key: developer.key });
  assert.equal(answer.status, 200);
  for (
    let tries = 0;
    tries < 1_000 && !broken.log.some((line) => line.includes('was not stored'));
    tries += 1
  )
    await new Promise((resolve) => setTimeout(resolve, 10));
  const noted = broken.log.filter((line) => line.includes('was not stored'));
  assert.equal(noted.length, 1);
  assertDiscreet(broken, [answer], [developer.key]);
});

test('a database that is gone is logged without what was asked of it', async (t) => {
  const broken = await build(t);
  const developer = await developersOf(broken)();
  const answers: Answer[] = [];
  await run(broken, 'alter table contacts add column gone text');
  await run(
    broken,
    `create function gone() returns text language plpgsql as
      'begin perform pg_terminate_backend(pg_backend_pid()); return null; end'`,
  );
  await run(broken, 'alter table contacts alter column gone set default gone()');
  const answer = await developer.post(PERSONAL);
  assert.equal(answer.status, 503);
  answers.push(answer);
  assertDiscreet(broken, answers, [developer.key]);
});
