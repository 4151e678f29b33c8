import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import pino from 'pino';
import { accountFindBySlug } from '../src/accounts/store.ts';
import { buildApp } from '../src/app.ts';
import { importLeads } from '../src/contacts/import.ts';
import { toLead } from '../src/contacts/lead.ts';
import { emailsLock } from '../src/contacts/store.ts';
import { transaction, type Pool } from '../src/database/pool.ts';
import type { Queryable } from '../src/database/query.ts';
import type { Server } from '../src/http/server.ts';
import { developerFile, developersOf, LIVE, UNIT, type Developer } from './developer.ts';
import { faultyDatabase } from './faults.ts';
import { build, MEDIA_BASE_URL } from './harness.ts';
import { assertProblem } from './problem.ts';

const service = await build({ after });
const developer = developersOf(service);
const { db } = service;

const EMAIL = 'aroha@example.com';
const CONTACTS = '/api/v1/contacts';
const fifty = Array.from({ length: 50 }, (_, index) => index);

const run = (on: Queryable, text: string, values: unknown[] = []) =>
  on.query({ name: '', text, values });

/** Another instance of the service, with a queue of its own, on the same database. */
async function instance(pool: Pool = db): Promise<Server> {
  const config = { mediaBaseUrl: MEDIA_BASE_URL, rateLimitPerMinute: null };
  const app = await buildApp({ config, db: pool, logger: pino({ level: 'silent' }) });
  after(() => app.close());
  return app;
}

const instances = [service.app, await instance(), await instance()];

async function postTo(app: Server, { key }: Developer, payload: object) {
  const headers = { authorization: `Bearer ${key}` };
  const response = await app.inject({ method: 'POST', url: CONTACTS, headers, payload });
  const { statusCode: status, headers: answered, payload: text } = response;
  return { status, headers: answered, text, body: response.json() };
}

/** Sends each body at the same moment, the instances in turn. */
const postAll = (made: Developer, bodies: object[], among = instances) =>
  Promise.all(bodies.map((body, n) => postTo(among[n % among.length] ?? service.app, made, body)));

async function accountIdOf({ slug }: Developer): Promise<string> {
  return (await accountFindBySlug(db, slug)) ?? '';
}

/** Waits until a connection to the database waits for a lock. */
async function someoneWaits(): Promise<void> {
  for (;;) {
    const { rows } = await run(
      db,
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (rows.length > 0) return;
  }
}

/** Does `work` while another transaction has done `first`, which commits when a connection waits for it. */
async function against<T>(
  first: (tx: Queryable) => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  const { underWay } = await transaction(db, async (tx) => {
    await first(tx);
    const started = work();
    await someoneWaits();
    return { underWay: started };
  });
  return underWay;
}

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
    const accountId = await accountIdOf(made);
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
    const outcomes = await importLeads(db, await accountIdOf(made), leads);
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
    const outcomes = await importLeads(db, await accountIdOf(made), leads);
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
    const accountId = await accountIdOf(made);
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

describe('the lock of an email', () => {
  const locked = async (accountId: string, emailKey: string): Promise<boolean> =>
    transaction(db, async (tx) => {
      const { rows } = await run(
        tx,
        `select from email_locks where account_id = $1 and email_key = $2 for update skip locked`,
        [accountId, emailKey],
      );
      return rows.length === 0;
    });
  const rowVersion = async (accountId: string): Promise<unknown> =>
    (await run(db, 'select xmin, ctid from email_locks where account_id = $1', [accountId])).rows;

  test('is held until the transaction ends, without writing the row again', async () => {
    const accountId = await accountIdOf(await developer());
    await transaction(db, (tx) => emailsLock(tx, accountId, [EMAIL]));
    assert.equal(await locked(accountId, EMAIL), false);
    const before = await rowVersion(accountId);
    await transaction(db, async (tx) => {
      await emailsLock(tx, accountId, [EMAIL]);
      assert.equal(await locked(accountId, EMAIL), true);
    });
    assert.equal(await locked(accountId, EMAIL), false);
    assert.deepEqual(await rowVersion(accountId), before);
  });

  test('makes an import wait for whoever holds it, and then see what was written', async () => {
    const made = await developer();
    const accountId = await accountIdOf(made);
    const id = '0196a000-0000-7000-8000-000000000777';
    const { status, body } = await against(
      async (tx) => {
        await emailsLock(tx, accountId, [EMAIL]);
        await run(
          tx,
          'insert into contacts (account_id, id, email, email_key) values ($1, $2, $3, $3)',
          [accountId, id, EMAIL],
        );
      },
      () => made.post({ email: EMAIL }),
    );
    assert.deepEqual([status, body.contactId], [200, id]);
  });

  test('holds up no other email and no other account', async () => {
    const made = await developer();
    const other = await developer();
    const accountId = await accountIdOf(made);
    await transaction(db, async (tx) => {
      await emailsLock(tx, accountId, [EMAIL]);
      assert.equal((await made.post({ email: 'mele@example.com' })).status, 201);
      assert.equal((await other.post({ email: EMAIL })).status, 201);
    });
  });
});

test('a unit that is removed while a lead is linked to it is a unit that is not there', async () => {
  const made = await developer();
  const accountId = await accountIdOf(made);
  const answer = await against(
    (tx) => run(tx, 'delete from units where account_id = $1 and id = $2', [accountId, UNIT]),
    () => made.post({ email: EMAIL, projectId: LIVE, unitId: UNIT }),
  );
  assertProblem(answer, 'unit_not_in_project', CONTACTS);
  assert.deepEqual((await made.exported()).contacts, []);
});

describe('a connection that is lost', () => {
  test('before COMMIT is a 503, nothing is there, and the lead can be sent again', async () => {
    const made = await developer();
    const accountId = await accountIdOf(made);
    const before = await made.exported();
    const lead = { email: EMAIL, notes: 'Hi', tag: 'Hot' };
    const held = transaction(db, async (tx) => {
      await emailsLock(tx, accountId, [EMAIL]);
      const answer = made.post(lead);
      await someoneWaits();
      await run(
        tx,
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`,
      );
      assertProblem(await answer, 'unavailable', CONTACTS);
    });
    await held;
    assert.deepEqual(await made.exported(), before);
    assert.equal((await made.post(lead)).status, 201);
  });

  for (const [fault, there] of [
    ['commit is lost', false],
    ['answer is lost', true],
  ] as const)
    test(`in COMMIT, when its ${fault}, is a 503, and sending again doubles nothing`, async (t) => {
      const { pool, breakNextCommit } = await faultyDatabase(t, db);
      const app = await instance(pool);
      const made = await developer();
      const lead = { email: EMAIL, notes: 'Hi', tag: 'Hot', projectId: LIVE };
      breakNextCommit(fault);
      const answer = await postTo(app, made, lead);
      assertProblem(answer, 'unavailable', CONTACTS);
      assert.equal(answer.headers['retry-after'], '1');
      assert.equal((await made.exported()).contacts.length, there ? 1 : 0);
      const again = await postTo(app, made, lead);
      assert.equal(again.status, there ? 200 : 201);
      const { tags, activities, links } = await made.contact(EMAIL);
      assert.deepEqual([tags.length, activities.length, links.length], [1, 1, 1]);
    });

  test('in COMMIT is a 503 for each lead that went together, and none is doubled', async (t) => {
    const { pool, breakNextCommit } = await faultyDatabase(t, db);
    const app = await instance(pool);
    const made = await developer();
    const bodies = fifty.map((n) => ({ email: `${n}@example.com`, notes: 'Hi' }));
    const first = postTo(app, made, { email: EMAIL });
    const others = bodies.map((body) => postTo(app, made, body));
    await first;
    breakNextCommit('answer is lost');
    const answers = await Promise.all(others);
    for (const answer of answers)
      if (answer.status !== 201) assertProblem(answer, 'unavailable', CONTACTS);
    assert.ok(answers.some(({ status }) => status === 503));
    await Promise.all(bodies.map((body) => postTo(app, made, body)));
    const { contacts } = await made.exported();
    assert.equal(contacts.length, 51);
    for (const { email, activities } of contacts)
      assert.equal(activities.length, email === EMAIL ? 0 : 1);
  });
});
