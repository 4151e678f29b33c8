import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { developerFile, developersOf, UNIT, LIVE, type Developer } from '../support/developer.ts';
import { build } from '../support/harness.ts';
import { BATCH, sender, sendTo } from '../support/imports.ts';
import { instance } from '../support/instances.ts';
import { assertProblem } from '../support/problem.ts';
import { run } from '../support/sql.ts';

const service = await build({ after });
const makeDeveloper = developersOf(service);
const send = sender(service);
const { db } = service;

const EMAIL = 'aroha@example.com';
const CONTACTS = '/api/v1/contacts';
const fifty = Array.from({ length: 50 }, (_, index) => index);

const instances = [service.app, await instance({ after }, db), await instance({ after }, db)];

/** Sends all bodies at once, spread over the instances. */
const postAll = (developer: Developer, bodies: object[], among = instances) =>
  Promise.all(
    bodies.map((body, n) => sendTo(among[n % among.length] ?? service.app, developer, body)),
  );

describe('fifty imports of one new email at once', () => {
  for (const [what, among] of [
    ['to one instance', [service.app]],
    ['to three instances', instances],
  ] as const)
    test(`${what} make one contact and fifty activities`, async () => {
      const developer = await makeDeveloper();
      const bodies = fifty.map((n) => ({ email: EMAIL, notes: `note ${n}` }));
      const answers = await postAll(developer, bodies, [...among]);
      const created = answers.filter(({ status }) => status === 201);
      assert.equal(created.length, 1);
      assert.equal(answers.filter(({ status }) => status === 200).length, 49);
      assert.equal(new Set(answers.map(({ body }) => body.contactId)).size, 1);
      for (const { body } of answers) assert.ok(body.filledFields.includes('notes'));
      const { activities } = await developer.contact(EMAIL);
      assert.deepEqual(
        activities.map(({ body }: { body: string }) => body).toSorted(),
        bodies.map(({ notes }) => notes).toSorted(),
      );
    });

  test('that say the same make one activity', async () => {
    const developer = await makeDeveloper();
    const answers = await postAll(
      developer,
      fifty.map(() => ({ email: EMAIL, notes: 'same', tag: 'Hot', projectId: LIVE })),
    );
    const noted = answers.filter(({ body }) => body.filledFields.includes('notes'));
    assert.equal(noted.length, 1);
    const { activities, tags, links } = await developer.contact(EMAIL);
    assert.deepEqual([activities.length, tags.length, links.length], [1, 1, 1]);
  });

  test('in other spellings make one contact, too', async () => {
    const developer = await makeDeveloper();
    const spellings = ['Zoë@example.com', 'ZOË@EXAMPLE.COM', ' zoe\u0308@example.com '];
    const answers = await postAll(
      developer,
      fifty.map((n) => ({ email: spellings[n % spellings.length], notes: `note ${n}` })),
    );
    assert.equal(answers.filter(({ status }) => status === 201).length, 1);
    assert.equal((await developer.exported()).contacts.length, 1);
  });

  test('fill each field once', async () => {
    const developer = await makeDeveloper();
    const answers = await postAll(
      developer,
      fifty.map((n) => ({ email: EMAIL, phone: `phone ${n}` })),
    );
    const filled = answers.filter(({ body }) => body.filledFields.includes('phone_primary'));
    assert.equal(filled.length, 1);
    const winner = answers.findIndex(({ body }) => body.filledFields.includes('phone_primary'));
    assert.equal((await developer.contact(EMAIL)).phone, `phone ${winner}`);
  });
});

describe('a new tag', () => {
  test('from fifty imports at once is one tag, which all fifty contacts have', async () => {
    const developer = await makeDeveloper();
    const spellings = ['Open day', 'OPEN DAY', ' open  day '];
    const answers = await postAll(
      developer,
      fifty.map((n) => ({ email: `${n}@example.com`, tag: spellings[n % 3] })),
    );
    for (const { status, body } of answers) {
      assert.equal(status, 201);
      assert.equal(body.filledFields.at(-1), 'contact_tags');
    }
    const { tags, contacts } = await developer.exported();
    assert.equal(tags.length, 1);
    assert.equal(contacts.length, 50);
    for (const contact of contacts) assert.deepEqual(contact.tags, [tags[0].label]);
  });

  test('that a batch spells in several ways is spelled as its first lead does', async () => {
    const developer = await makeDeveloper();
    const contacts = ['Open Day', 'OPEN DAY', 'open day'].map((tag, n) => ({
      email: `${n}@example.com`,
      tag,
    }));
    await send(developer, { contacts }, { url: BATCH });
    assert.deepEqual((await developer.exported()).tags, [{ label: 'Open Day' }]);
  });
});

describe('leads that arrive together', () => {
  test('see those before them in a batch: one email is created once and then merged', async () => {
    const developer = await makeDeveloper();
    const contacts = ['one', 'two', 'two', 'one'].map((notes, n) => ({
      email: n % 2 ? EMAIL.toUpperCase() : EMAIL,
      notes,
      [n ? 'cityName' : 'phone']: 'x',
    }));
    const { body } = await send(developer, { contacts }, { url: BATCH });
    assert.deepEqual(
      body.results.map(({ action, email }: Record<string, unknown>) => [action, email]),
      [['created', EMAIL], ...Array.from({ length: 3 }, () => ['merged', EMAIL])],
    );
    const { phone, cityName, activities } = await developer.contact(EMAIL);
    assert.deepEqual([phone, cityName], ['x', 'x']);
    assert.deepEqual(
      activities.map(({ body: note }: { body: string }) => note),
      ['one', 'two', 'one'],
    );
  });

  test('are each answered for itself, and one that fails does not fail another', async (t) => {
    const developer = await makeDeveloper();
    await run(
      db,
      `alter table contacts add constraint poison check (company_name <> 'poison') not valid`,
    );
    t.after(() => run(db, 'alter table contacts drop constraint poison'));
    const bodies = fifty.map((n) => ({
      email: `${n}@example.com`,
      companyName: n % 10 === 3 ? 'poison' : 'Kauri',
      ...(n % 10 === 5 && { unitId: UNIT }),
    }));
    const answers = await Promise.all(bodies.map((body) => developer.post(body)));
    for (const [n, answer] of answers.entries())
      if (n % 10 === 3) assertProblem(answer, 'internal_error', CONTACTS);
      else if (n % 10 === 5) assertProblem(answer, 'unit_requires_project', CONTACTS);
      else assert.equal(answer.status, 201);
    assert.equal((await developer.exported()).contacts.length, 40);
  });

  test('never deadlock, in whichever order batches name emails and tags', async () => {
    const developer = await makeDeveloper();
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'ā', 'Z'];
    const lead = (n: number, batch: number) => ({
      email: `${names[n % names.length]}@example.com`,
      tags: names.map((_, m) => `${names[(m * 3 + n + batch) % names.length]} ${batch % 4}`),
      notes: `${batch}-${n}`,
    });
    const batches = Array.from({ length: 24 }, async (_, batch) => {
      const leads = names.map((__, n) => lead(n, batch));
      const contacts = batch % 2 ? leads : leads.toReversed();
      const app = instances[batch % instances.length] ?? service.app;
      return sendTo(app, developer, { contacts }, { url: BATCH });
    });
    for (const { body } of await Promise.all(batches)) assert.equal(body.summary.refused, 0);
    const { contacts, tags } = await developer.exported();
    assert.deepEqual([contacts.length, tags.length], [names.length, names.length * 4]);
    for (const { activities } of contacts) assert.equal(activities.length, 24);
  });
});

test('imports and loads of one email at once make one contact', async () => {
  const developer = await makeDeveloper();
  const loads = Array.from({ length: 5 }, (_, n) =>
    service.load(
      developerFile(developer.slug, [
        { email: EMAIL.toUpperCase(), tags: ['Hot'], phone: `load ${n}` },
      ]),
    ),
  );
  const imports = postAll(
    developer,
    fifty.map((n) => ({ email: EMAIL, tag: 'HOT', notes: `note ${n}` })),
  );
  await Promise.all(loads);
  for (const { status } of await imports) assert.ok(status === 200 || status === 201);
  const { contacts, tags } = await developer.exported();
  assert.deepEqual([contacts.length, tags.length], [1, 1]);
  assert.equal(contacts[0].activities.length, 50);
});
