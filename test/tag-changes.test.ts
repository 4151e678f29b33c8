import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { runInTransaction, type Queryable } from '../src/platform/database/index.ts';
import { testAccountsOf, type Api } from './support/test-accounts.ts';
import { readEvents } from './support/event-log.ts';
import { build, type Answer } from './support/harness.ts';
import { finishRenames } from './support/internals.ts';
import { someoneWaits, waitingForLocks } from './support/locks.ts';
import { assertProblem } from './support/problem.ts';
import { run } from './support/sql.ts';
import { until } from './support/until.ts';

const service = await build({ after });
const { db } = service;
const makeAccount = testAccountsOf(service);

/** More than one transaction writes. */
const MANY = 300;
const many = (count: number, tags: string[]) =>
  Array.from({ length: count }, (_, n) => ({ email: `c${n}@example.com`, tags }));

interface ShownContact {
  id: string;
  email: string;
  etag: string;
  updatedAt: string;
  tags: { id: string; label: string }[];
}

async function setUp(contacts: object[]) {
  const account = await makeAccount(contacts);
  const api = await account.program('contacts:read', 'settings:write', 'audit:read');
  const listed = await listTags(api);
  const idOf = (label: string) => listed.find((tag) => tag.label === label)?.id ?? assert.fail();
  const { sequence = 0 } = (await readEvents(db, account.accountId)).at(-1) ?? {};
  const newEvents = async () =>
    (await readEvents(db, account.accountId)).filter((event) => event.sequence > sequence);
  return { ...account, api, idOf, newEvents, contacts: () => listContacts(api) };
}

async function listTags(api: Api) {
  const { data } = (await api.get('/tags?limit=100')).body;
  return data as { id: string; label: string; contactCount: number; etag: string }[];
}

async function listContacts(api: Api): Promise<ShownContact[]> {
  const found: ShownContact[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { body }: Answer = await api.get(
      `/contacts?archived=any&limit=100${cursor && `&cursor=${cursor}`}`,
    );
    found.push(...body.data);
    cursor = body.pagination.nextCursor;
  }
  return found.toSorted((a, b) => a.email.localeCompare(b.email));
}

const labelsOf = ({ tags }: ShownContact) => tags.map(({ label }) => label).toSorted();
const typesOf = (events: { type: string }[]) => events.map(({ type }) => type);

/** Runs `work` while another transaction holds the lock that the last writes of every writer need. */
async function whileRevisionLocked<T>(
  accountId: string,
  work: (holder: Queryable) => Promise<T>,
): Promise<T> {
  return runInTransaction(db, async (tx) => {
    await run(tx, 'select from account_revisions where account_id = $1 for update', [accountId]);
    return work(tx);
  });
}

describe('PATCH /tags/:id', () => {
  test('renames a tag, and each contact that shows it gets a new version, event and change', async () => {
    const { api, idOf, contacts, newEvents, accountId } = await setUp([
      { email: 'a@example.com', tags: ['Hot', 'Warm'] },
      { email: 'b@example.com', tags: ['Warm'] },
      { email: 'c@example.com', tags: ['Hot'], archivedAt: '2026-01-01T00:00:00.000Z' },
    ]);
    const id = idOf('Hot');
    const before = await contacts();
    const answer = await api.patch(`/tags/${id}`, { label: ' Very  hot ' }, { 'if-match': '"1"' });
    assert.deepEqual(
      [answer.status, answer.body],
      [200, { id, label: 'Very hot', contactCount: 1, etag: '"2"' }],
    );
    assert.equal(answer.headers['etag'], '"2"');
    const now = await contacts();
    assert.deepEqual(now.map(labelsOf), [['Very hot', 'Warm'], ['Warm'], ['Very hot']]);
    assert.deepEqual(
      now.map(({ etag }, index) => etag !== before[index]?.etag),
      [true, false, true],
    );
    const times = new Set(now.map(({ updatedAt }) => updatedAt));
    assert.equal(times.size, 3);
    const events = await newEvents();
    assert.deepEqual(typesOf(events), ['contact.updated', 'contact.updated']);
    assert.deepEqual(events[0]?.data, { changed: ['tags'], importId: null });
    const changes = await api.get(`/changes?field=tags&subject=${now[0]?.id}&limit=2`);
    assert.deepEqual(
      changes.body.data.map(({ before: from, after: to }: { before: object; after: object }) => [
        from,
        to,
      ]),
      [
        [{ id, label: 'Hot' }, null],
        [null, { id, label: 'Very hot' }],
      ],
    );
    assert.deepEqual(
      (
        await run(db, 'select from tags where account_id = $1 and renamed_from is not null', [
          accountId,
        ])
      ).rows,
      [],
    );
  });

  test('changes nothing for the same label, and takes another spelling of the own one', async () => {
    const { api, idOf, contacts, newEvents } = await setUp(many(1, ['Hot']));
    const id = idOf('Hot');
    const before = await contacts();
    for (const body of [{ label: 'Hot' }, {}])
      assert.equal((await api.patch(`/tags/${id}`, body)).body.etag, '"1"');
    assert.deepEqual([await contacts(), await newEvents()], [before, []]);
    const { status, body } = await api.patch(`/tags/${id}`, { label: 'HOT' });
    assert.deepEqual([status, body.label, body.etag], [200, 'HOT', '"2"']);
    assert.deepEqual((await contacts()).map(labelsOf), [['HOT']]);
  });

  test('refuses the label of another tag, a version that is gone, and a label that is none', async () => {
    const { api, idOf, contacts, newEvents } = await setUp(many(1, ['Hot', 'Warm']));
    const url = `/tags/${idOf('Hot')}`;
    const instance = `/api/v1${url}`;
    assertProblem(await api.patch(url, { label: 'WARM' }), 'label_taken', instance);
    const stale = await api.patch(url, { label: 'WARM' }, { 'if-match': '"9"' });
    assertProblem(stale, 'precondition_failed', instance);
    assert.deepEqual([stale.body.etag, stale.body.current.label], ['"1"', 'Hot']);
    for (const label of ['', ' ', 'x'.repeat(101), null, 1])
      assertProblem(await api.patch(url, { label }), 'invalid_request', instance);
    assertProblem(await api.patch(url, { id: 'x' }), 'invalid_request', instance);
    assert.deepEqual((await contacts()).map(labelsOf), [['Hot', 'Warm']]);
    assert.deepEqual(await newEvents(), []);
  });

  test('lets one of ten renames of one version win', async () => {
    const { api, idOf } = await setUp(many(1, ['Hot']));
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        api.patch(`/tags/${idOf('Hot')}`, { label: `New ${n}` }, { 'if-match': '"1"' }),
      ),
    );
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, ...Array<number>(9).fill(412)],
    );
  });

  test(`goes in chunks for a tag that ${MANY} contacts have; a repeat or a sweep finishes one that was cut off`, async () => {
    const { api, idOf, contacts, newEvents, accountId } = await setUp(many(MANY, ['Hot']));
    const id = idOf('Hot');
    const before = await contacts();
    const last = before
      .map((each) => each.id)
      .toSorted()
      .at(-1);
    await run(
      db,
      `alter table contacts add constraint cut check (id <> '${last}' or version = 1) not valid`,
    );
    const label = 'Very hot';
    assert.equal((await api.patch(`/tags/${id}`, { label })).status, 500);
    assert.equal((await newEvents()).length, 200);
    assert.equal((await api.patch(`/tags/${id}`, { label })).status, 500);
    await run(db, 'alter table contacts drop constraint cut');
    await finishRenames(db, accountId);
    assert.equal((await api.patch(`/tags/${id}`, { label })).body.etag, '"2"');
    const events = await newEvents();
    assert.deepEqual(
      events.map(({ subject }) => subject).toSorted(),
      before.map((each) => each.id).toSorted(),
    );
    const etags = new Map(before.map((each) => [each.id, each.etag]));
    for (const contact of await contacts()) {
      assert.deepEqual(labelsOf(contact), [label]);
      assert.notEqual(contact.etag, etags.get(contact.id));
    }
  });
});

describe('DELETE /tags/:id', () => {
  test(`takes a tag from its contacts, ${MANY} too, and is a 404 then`, async () => {
    const { api, idOf, contacts, newEvents } = await setUp(many(MANY, ['Hot', 'Warm']));
    const url = `/tags/${idOf('Hot')}`;
    assertProblem(
      await api.remove(url, { 'if-match': '"9"' }),
      'precondition_failed',
      `/api/v1${url}`,
    );
    assert.equal((await api.remove(url, { 'if-match': '"1"' })).status, 204);
    for (const answer of [await api.remove(url), await api.patch(url, { label: 'x' })])
      assertProblem(answer, 'tag_not_found', `/api/v1${url}`);
    assert.ok((await contacts()).every((each) => labelsOf(each).join() === 'Warm'));
    assert.ok((await contacts()).every(({ etag }) => etag === '"2"'));
    const events = await newEvents();
    assert.equal(events.length, MANY);
    assert.deepEqual(
      [events[0]?.type, events[0]?.data],
      ['contact.untagged', { tagIds: [url.slice('/tags/'.length)] }],
    );
  });

  test('lets a lead that has found the tag before make it anew', async () => {
    const { api, idOf, accountId, developer } = await setUp(many(1, ['Hot']));
    const old = idOf('Hot');
    const [deleted, lead] = await whileRevisionLocked(accountId, async () => {
      const deleting = api.remove(`/tags/${old}`);
      await someoneWaits(db);
      const sending = developer.post({ email: 'lead@example.com', tag: 'hot' });
      await someoneWaits(db, 2);
      return [deleting, sending] as const;
    }).then((both) => Promise.all(both));
    assert.deepEqual([deleted.status, lead.status], [204, 201], lead.text);
    const [tag, ...others] = await listTags(api);
    assert.deepEqual([tag?.label, tag?.contactCount, others], ['hot', 1, []]);
    assert.notEqual(tag?.id, old);
  });
});

test('a lead is stored when its tags are deleted one after the other meanwhile', async () => {
  const labels = ['A', 'B', 'C', 'D'];
  const { idOf, contacts, accountId, developer } = await setUp(many(1, labels));
  // The lead may take the lock before the transaction that waited for it. It is then done early, and its tags must stay.
  let isDone = false;
  /** Waits for the lock of the last writes. `remove` deletes a tag, unless the lead is done, and ends the transaction. */
  const lock = () => {
    const [locked, removed] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
    const ended = whileRevisionLocked(accountId, async (tx) => {
      locked.resolve();
      const ids = [accountId, idOf(await removed.promise)];
      if (isDone) return;
      await run(tx, 'delete from contact_tags where account_id = $1 and tag_id = $2', ids);
      await run(tx, 'delete from tags where account_id = $1 and id = $2', ids);
    });
    const remove = async (label: string) => {
      removed.resolve(label);
      await ended;
    };
    return { locked: locked.promise, remove };
  };
  let holder = lock();
  await holder.locked;
  const sending = developer
    .post({ email: 'lead@example.com', tags: labels })
    .finally(() => (isDone = true));
  const someWait = (count: number) =>
    until(async () => isDone || (await waitingForLocks(db)) >= count);
  for (const label of labels.slice(1)) {
    await someWait(1);
    const next = lock();
    await someWait(2);
    await holder.remove(label);
    await next.locked;
    holder = next;
  }
  await someWait(1);
  await holder.remove('A');
  const { status, text } = await sending;
  assert.equal(status, 201, text);
  const lead = (await contacts()).find(({ email }) => email === 'lead@example.com');
  assert.deepEqual(lead && labelsOf(lead), labels);
});

describe('POST /tags/:id/merge', () => {
  test(`gives the contacts, ${MANY} too, the other tag in its place`, async () => {
    const { api, idOf, contacts, newEvents } = await setUp([
      ...many(MANY - 1, ['Hot']),
      { email: 'z@example.com', tags: ['Warm', 'Hot'] },
    ]);
    const [from, into] = [idOf('Hot'), idOf('Warm')];
    const { status, body } = await api.post(`/tags/${from}/merge`, { into });
    assert.equal(status, 200);
    assert.deepEqual(body, { id: into, label: 'Warm', contactCount: MANY, etag: '"2"' });
    assert.deepEqual(
      (await listTags(api)).map(({ id }) => id),
      [into],
    );
    assert.ok((await contacts()).every((each) => labelsOf(each).join() === 'Warm'));
    const events = await newEvents();
    const of = (type: string) => events.filter((event) => event.type === type);
    assert.equal(of('contact.tagged').length, MANY - 1);
    assert.equal(of('contact.untagged').length, MANY);
    assert.deepEqual(of('contact.tagged')[0]?.data, { tagIds: [into] });
    const again = await api.post(`/tags/${from}/merge`, { into });
    assertProblem(again, 'tag_not_found', `/api/v1/tags/${from}/merge`);
  });

  test('of two merges in opposite directions at once, one is done and the other stops: no contact changes more than twice', async () => {
    const { api, idOf, contacts, accountId, newEvents } = await setUp([
      ...many(MANY, ['Hot']),
      ...many(MANY, ['Warm']).map(({ tags }, n) => ({ email: `w${n}@example.com`, tags })),
    ]);
    const [hot, warm] = [idOf('Hot'), idOf('Warm')];
    // Both wait before they write, so that their transactions alternate.
    const [first, second] = await whileRevisionLocked(accountId, async () => {
      const merging = api.post(`/tags/${hot}/merge`, { into: warm });
      await someoneWaits(db);
      const opposite = api.post(`/tags/${warm}/merge`, { into: hot });
      await someoneWaits(db, 2);
      return [merging, opposite] as const;
    }).then((both) => Promise.all(both));
    const answers = [first, second].toSorted((one, other) => one.status - other.status);
    assert.equal(answers[0]?.status, 200);
    // The tag is gone already if the other merge has ended before the next step of this one.
    assert.match(answers[1]?.body.code, /^(invalid_transition|tag_not_found)$/);
    const [left, ...others] = await listTags(api);
    assert.deepEqual([left?.contactCount, others], [2 * MANY, []]);
    assert.ok((await contacts()).every(({ tags: [tag, none] }) => tag?.id === left?.id && !none));
    const tagged = (await newEvents()).filter(({ type }) => type === 'contact.tagged');
    const numbers = [...Map.groupBy(tagged, ({ subject }) => subject).values()];
    assert.ok(numbers.every(({ length }) => length <= 2));
  });

  test('refuses to merge a tag into itself, or into one that the account does not have', async () => {
    const other = await setUp(many(1, ['Theirs']));
    const { api, idOf, contacts } = await setUp(many(1, ['Hot']));
    const url = `/tags/${idOf('Hot')}/merge`;
    const itself = await api.post(url, { into: idOf('Hot').toUpperCase() });
    assertProblem(itself, 'invalid_request', `/api/v1${url}`);
    assert.deepEqual(itself.body.errors, [
      { pointer: '/into', detail: 'into must be the id of another tag.' },
    ]);
    for (const into of [other.idOf('Theirs'), 'none', ''])
      assertProblem(await api.post(url, { into }), 'tag_not_found', `/api/v1${url}`);
    assert.deepEqual((await contacts()).map(labelsOf), [['Hot']]);
    assert.deepEqual((await other.contacts()).map(labelsOf), [['Theirs']]);
  });
});

describe('leads that come meanwhile', () => {
  test('and make the tag first that another one is renamed to refuse the rename', async () => {
    const { api, idOf, accountId, developer } = await setUp(many(1, ['Hot']));
    const [lead, renamed] = await whileRevisionLocked(accountId, async () => {
      const sending = developer.post({ email: 'lead@example.com', tag: 'Warm' });
      await someoneWaits(db);
      const renaming = api.patch(`/tags/${idOf('Hot')}`, { label: 'warm' });
      await someoneWaits(db, 2);
      return [sending, renaming] as const;
    }).then((both) => Promise.all(both));
    assert.equal(lead.status, 201);
    assertProblem(renamed, 'label_taken', `/api/v1/tags/${idOf('Hot')}`);
  });

  test('and wait while a merge gives their contact the tag write no second event of it', async () => {
    const { api, idOf, accountId, developer, newEvents } = await setUp([
      { email: 'lead@example.com', tags: ['Hot'] },
      { email: 'other@example.com', tags: ['Warm'] },
    ]);
    const merge = { into: idOf('Warm') };
    const [merged, lead] = await whileRevisionLocked(accountId, async () => {
      const merging = api.post(`/tags/${idOf('Hot')}/merge`, merge);
      await someoneWaits(db);
      const sending = developer.post({ email: 'lead@example.com', tag: 'Warm' });
      await someoneWaits(db, 2);
      return [merging, sending] as const;
    }).then((both) => Promise.all(both));
    assert.deepEqual([merged.status, lead.status], [200, 200]);
    assert.ok(!lead.body.filledFields.includes('contact_tags'));
    const tagged = (await newEvents()).filter(({ type }) => type === 'contact.tagged');
    assert.equal(tagged.length, 1);
  });

  test('lose no tag, while it is renamed, merged and deleted again and again', async () => {
    const { api, developer, accountId, newEvents } = await setUp(many(MANY, ['Hot', 'Warm']));
    const sent: string[] = [];
    const send = async (name: string) => {
      for (let n = 0; n < 6; n += 1) {
        const email = `${name}-${randomUUID()}@example.com`;
        const { status, text } = await developer.post({ email, tags: ['Hot', `Own ${name}`] });
        assert.equal(status, 201, text);
        sent.push(email);
      }
    };
    // Few leads come during each change. The changes write their contacts too, so with leads without end they would never end on a
    // busy machine.
    const whileLeadsCome = async (change: Promise<Answer>) => {
      const [answer] = await Promise.all([change, ...['x', 'y', 'z'].map(send)]);
      return answer;
    };
    const find = async (label: string) =>
      (await listTags(api)).find((tag) => tag.label.toLowerCase() === label)?.id;
    for (let round = 0; round < 4; round += 1) {
      const hot = await find('hot');
      const warm = await find('warm');
      const renamed = await whileLeadsCome(api.patch(`/tags/${hot}`, { label: 'Cold' }));
      assert.equal(renamed.status, 200, renamed.text);
      const merged = await whileLeadsCome(api.post(`/tags/${hot}/merge`, { into: warm }));
      assert.equal(merged.status, 200);
      const next = (await find('hot')) ?? assert.fail();
      const removed = await whileLeadsCome(api.remove(`/tags/${next}`));
      assert.equal(removed.status, 204);
      if ((await find('hot')) === undefined) await api.post('/tags', { label: 'Hot' });
    }
    const stored = await run(
      db,
      `select from contact_tags join tags using (account_id) where tags.id = tag_id and account_id = $1
        and label like 'Own %'`,
      [accountId],
    );
    assert.equal(stored.rows.length, sent.length);
    // A follower of the events knows the tags of each contact.
    const known = new Set<string>();
    for (const { type, subject, data } of await newEvents())
      for (const tagId of (data['tagIds'] ?? []) as string[])
        known[type === 'contact.tagged' ? 'add' : 'delete'](`${subject} ${tagId}`);
    const { rows } = await run(
      db,
      `select contact_id || ' ' || tag_id as pair from contact_tags join contacts c using (account_id)
        where account_id = $1 and c.id = contact_id and c.email not like 'c%'`,
      [accountId],
    );
    assert.deepEqual([...known].filter((pair) => isOfLead(pair, rows)).toSorted(), pairsOf(rows));
  });
});

const pairsOf = (rows: Record<string, unknown>[]) =>
  rows.map(({ pair }) => String(pair)).toSorted();
const isOfLead = (pair: string, rows: Record<string, unknown>[]) =>
  rows.some((row) => String(row['pair']).startsWith(pair.slice(0, 36)));
