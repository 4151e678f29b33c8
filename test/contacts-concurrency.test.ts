import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { importLeads } from './leads.ts';
import { toLead } from '../src/imports/lead.ts';
import { developerFile, developersOf, UNIT, LIVE, type Developer } from './developer.ts';
import { build } from './harness.ts';
import { accountIdOf, instance, postTo, run } from './instances.ts';
import { assertProblem } from './problem.ts';

const service = await build({ after });
const developer = developersOf(service);
const { db } = service;

const EMAIL = 'aroha@example.com';
const CONTACTS = '/api/v1/contacts';
const fifty = Array.from({ length: 50 }, (_, index) => index);

const instances = [service.app, await instance({ after }, db), await instance({ after }, db)];

/** Sends each body at the same moment, the instances in turn. */
const postAll = (made: Developer, bodies: object[], among = instances) =>
  Promise.all(bodies.map((body, n) => postTo(among[n % among.length] ?? service.app, made, body)));

describe('fifty imports of one new email at once', () => {
  for (const [what, among] of [
    ['to one instance', [service.app]],
    ['to three instances', instances],
  ] as const)
    test(`${what} make one contact and fifty activities`, async () => {
      const made = await developer();
      const bodies = fifty.map((n) => ({ email: EMAIL, notes: `note ${n}` }));
      const answers = await postAll(made, bodies, [...among]);
      const created = answers.filter(({ status }) => status === 201);
      assert.equal(created.length, 1);
      assert.equal(answers.filter(({ status }) => status === 200).length, 49);
      assert.equal(new Set(answers.map(({ body }) => body.contactId)).size, 1);
      for (const { body } of answers) assert.ok(body.filledFields.includes('notes'));
      const { activities } = await made.contact(EMAIL);
      assert.deepEqual(
        activities.map(({ body }: { body: string }) => body).toSorted(),
        bodies.map(({ notes }) => notes).toSorted(),
      );
    });

  test('that say the same make one activity', async () => {
    const made = await developer();
    const answers = await postAll(
      made,
      fifty.map(() => ({ email: EMAIL, notes: 'same', tag: 'Hot', projectId: LIVE })),
    );
    const noted = answers.filter(({ body }) => body.filledFields.includes('notes'));
    assert.equal(noted.length, 1);
    const { activities, tags, links } = await made.contact(EMAIL);
    assert.deepEqual([activities.length, tags.length, links.length], [1, 1, 1]);
  });

  test('in other spellings make one contact, too', async () => {
    const made = await developer();
    const spellings = ['Zoë@example.com', 'ZOË@EXAMPLE.COM', ' zoe\u0308@example.com '];
    const answers = await postAll(
      made,
      fifty.map((n) => ({ email: spellings[n % spellings.length], notes: `note ${n}` })),
    );
    assert.equal(answers.filter(({ status }) => status === 201).length, 1);
    assert.equal((await made.exported()).contacts.length, 1);
  });

  test('fill each field once', async () => {
    const made = await developer();
    const answers = await postAll(
      made,
      fifty.map((n) => ({ email: EMAIL, phone: `phone ${n}` })),
    );
    const filled = answers.filter(({ body }) => body.filledFields.includes('phone_primary'));
    assert.equal(filled.length, 1);
    const winner = answers.findIndex(({ body }) => body.filledFields.includes('phone_primary'));
    assert.equal((await made.contact(EMAIL)).phone, `phone ${winner}`);
  });
});

describe('a new tag', () => {
  test('from fifty imports at once is one tag, which all fifty contacts have', async () => {
    const made = await developer();
    const spellings = ['Open day', 'OPEN DAY', ' open  day '];
    const answers = await postAll(
      made,
      fifty.map((n) => ({ email: `${n}@example.com`, tag: spellings[n % 3] })),
    );
    for (const { status, body } of answers) {
      assert.equal(status, 201);
      assert.equal(body.filledFields.at(-1), 'contact_tags');
    }
    const { tags, contacts } = await made.exported();
    assert.equal(tags.length, 1);
    assert.equal(contacts.length, 50);
    for (const contact of contacts) assert.deepEqual(contact.tags, [tags[0].label]);
  });

  test('that a batch spells in two ways is spelled as its first lead does', async () => {
    const made = await developer();
    const accountId = await accountIdOf(db, made);
    const leads = ['Open Day', 'OPEN DAY', 'open day'].map((tag, n) =>
      toLead({ email: `${n}@example.com`, tag }),
    );
    await importLeads(db, accountId, leads);
    assert.deepEqual((await made.exported()).tags, [{ label: 'Open Day' }]);
  });
});

describe('leads that go together', () => {
  test('see those before them: one email in one batch is created once and then merged', async () => {
    const made = await developer();
    const leads = ['one', 'two', 'two', 'one'].map((notes, n) =>
      toLead({
        email: n % 2 ? EMAIL.toUpperCase() : EMAIL,
        notes,
        [n ? 'cityName' : 'phone']: 'x',
      }),
    );
    const outcomes = await importLeads(db, await accountIdOf(db, made), leads);
    assert.deepEqual(
      outcomes.map((outcome) => 'action' in outcome && [outcome.action, outcome.email]),
      [['created', EMAIL], ...Array.from({ length: 3 }, () => ['merged', EMAIL])],
    );
    const { phone, cityName, activities } = await made.contact(EMAIL);
    assert.deepEqual([phone, cityName], ['x', 'x']);
    assert.deepEqual(
      activities.map(({ body }: { body: string }) => body),
      ['one', 'two', 'one'],
    );
  });

  test('may be more than a batch holds', async () => {
    const made = await developer();
    const leads = Array.from({ length: 1_201 }, (_, n) =>
      toLead({ email: `${n % 1_200}@example.com`, notes: `${n}` }),
    );
    const outcomes = await importLeads(db, await accountIdOf(db, made), leads);
    const actions = outcomes.map((outcome) => ('action' in outcome ? outcome.action : outcome));
    assert.equal(actions.filter((action) => action === 'created').length, 1_200);
    assert.equal(actions.at(-1), 'merged');
    assert.equal((await made.exported()).contacts.length, 1_200);
  });

  test('are answered each for itself, and one that fails takes no other along', async (t) => {
    const own = await build(t);
    const made = await developersOf(own)();
    await run(own.db, `alter table contacts add check (company_name <> 'poison')`);
    const bodies = fifty.map((n) => ({
      email: `${n}@example.com`,
      companyName: n % 10 === 3 ? 'poison' : 'Kauri',
      ...(n % 10 === 5 && { unitId: UNIT }),
    }));
    const answers = await Promise.all(bodies.map((body) => made.post(body)));
    for (const [n, answer] of answers.entries())
      if (n % 10 === 3) assertProblem(answer, 'internal_error', CONTACTS);
      else if (n % 10 === 5) assertProblem(answer, 'unit_requires_project', CONTACTS);
      else assert.equal(answer.status, 201);
    assert.equal((await made.exported()).contacts.length, 40);
  });

  test('never deadlock, in whichever order they name emails and tags', async () => {
    const made = await developer();
    const accountId = await accountIdOf(db, made);
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'ā', 'Z'];
    const lead = (n: number, batch: number) =>
      toLead({
        email: `${names[n % names.length]}@example.com`,
        tags: names.map((_, m) => `${names[(m * 3 + n + batch) % names.length]} ${batch % 4}`),
        notes: `${batch}-${n}`,
      });
    const batches = Array.from({ length: 24 }, (_, batch) => {
      const leads = names.map((_, n) => lead(n, batch));
      return importLeads(db, accountId, batch % 2 ? leads : leads.toReversed());
    });
    const outcomes = (await Promise.all(batches)).flat();
    assert.deepEqual(
      outcomes.filter((outcome) => outcome instanceof Error),
      [],
    );
    const { contacts, tags } = await made.exported();
    assert.deepEqual([contacts.length, tags.length], [names.length, names.length * 4]);
    for (const { activities } of contacts) assert.equal(activities.length, 24);
  });
});

test('imports and loads of one email at once make one contact', async () => {
  const made = await developer();
  const loads = Array.from({ length: 5 }, (_, n) =>
    service.load(
      developerFile(made.slug, [{ email: EMAIL.toUpperCase(), tags: ['Hot'], phone: `load ${n}` }]),
    ),
  );
  const imports = postAll(
    made,
    fifty.map((n) => ({ email: EMAIL, tag: 'HOT', notes: `note ${n}` })),
  );
  await Promise.all(loads);
  for (const { status } of await imports) assert.ok(status === 200 || status === 201);
  const { contacts, tags } = await made.exported();
  assert.deepEqual([contacts.length, tags.length], [1, 1]);
  assert.equal(contacts[0].activities.length, 50);
});
