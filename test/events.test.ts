import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { accountIdOf } from './support/accounts.ts';
import { developersOf, LIVE, UNIT, USER, type Developer } from './support/developer.ts';
import { readChanges, readEvents } from './support/event-log.ts';
import { build } from './support/harness.ts';
import { BATCH, sender } from './support/imports.ts';
import { run } from './support/sql.ts';

const service = await build({ after });
const { db } = service;
const makeDeveloper = developersOf(service);
const send = sender(service);

async function eventsOf(of: Developer) {
  return readEvents(db, await accountIdOf(db, of));
}

const listTypes = (events: { type: string }[]): string[] => events.map(({ type }) => type);

test('a lead that makes a contact appends its events and one change with the filled fields', async () => {
  const mine = await makeDeveloper();
  const before = await eventsOf(mine);
  const lead = { email: 'Hana@example.com', phone: '1', tags: ['Hot'], notes: 'Hello' };
  const { body } = await send(mine, { ...lead, projectId: LIVE, unitId: UNIT });
  const events = (await eventsOf(mine)).slice(before.length);
  assert.deepEqual(listTypes(events), [
    'contact.created',
    'contact.tagged',
    'contact.linked',
    'activity.created',
    'contact.enquired',
  ]);
  const [created, tagged, linked, noted, enquired] = events;
  assert.deepEqual(
    [created, tagged, linked, enquired].map((each) => each?.subject),
    Array.from({ length: 4 }, () => body.contactId),
  );
  const fields = [
    'email',
    'phone',
    'source',
    'sourceExternalOriginalName',
    'stage',
    'importedAt',
    'createdAt',
  ];
  assert.deepEqual(created?.data['changed'], fields);
  assert.match(created?.actor ?? '', /^key [0-9a-f-]{36}$/);
  assert.deepEqual(linked?.data, { projectId: LIVE, unitId: UNIT });
  assert.deepEqual(noted?.data, { contactId: body.contactId, activityType: 'note' });
  const { importId } = created?.data ?? {};
  const enquiry = { action: 'created', projectId: LIVE, unitId: UNIT, importId };
  assert.deepEqual(enquired?.data, enquiry);
  const [change, ...others] = await readChanges(db, await accountIdOf(db, mine), body.contactId);
  assert.deepEqual([change?.sequence, change?.before, others], [created?.sequence, null, []]);
  const { tags, links, ...values } = { ...change?.after } as Record<string, unknown>;
  assert.deepEqual(Object.keys(values), fields);
  const [tag] = tags as { id: string; label: string }[];
  assert.deepEqual([tag?.label, [tag?.id]], ['Hot', tagged?.data['tagIds']]);
  assert.equal((links as object[]).length, 1);
});

test('a lead that fills a field of a contact appends contact.updated, and the assignment beside it', async () => {
  const mine = await makeDeveloper();
  await send(mine, { email: 'hana@example.com' });
  const before = await eventsOf(mine);
  const { body } = await send(mine, { email: 'hana@example.com', assignedAccountUserId: USER });
  const events = (await eventsOf(mine)).slice(before.length);
  assert.deepEqual(listTypes(events), ['contact.updated', 'contact.assigned', 'contact.enquired']);
  assert.deepEqual(events[1]?.data, { from: null, to: USER });
  const changes = await readChanges(db, await accountIdOf(db, mine), body.contactId);
  assert.deepEqual(changes.at(-1)?.after, { assignedAccountUserId: USER });
});

test('a lead that changes nothing appends contact.enquired alone, and a refused one import.refused', async () => {
  const mine = await makeDeveloper();
  await send(mine, { email: 'hana@example.com' });
  const before = await eventsOf(mine);
  await send(mine, { email: 'hana@example.com' });
  await send(mine, { email: 'hana' });
  await send(mine, { email: 'hana@example.com', unitId: UNIT });
  const events = (await eventsOf(mine)).slice(before.length);
  assert.deepEqual(listTypes(events), ['contact.enquired', 'import.refused', 'import.refused']);
  assert.deepEqual(
    events.slice(1).map(({ data }) => data['code']),
    ['invalid_request', 'unit_requires_project'],
  );
});

test('the events of a batch are numbered without gaps, and its contacts have revisions of their own', async () => {
  const mine = await makeDeveloper();
  const start = (await eventsOf(mine)).length;
  const contacts = Array.from({ length: 120 }, (_, n) => ({
    email: `n${n}@example.com`,
    tag: 'A',
  }));
  await send(mine, { contacts: [...contacts, { email: 'x' }, ...contacts] }, { url: BATCH });
  const events = await eventsOf(mine);
  assert.equal(events.length - start, 120 * 3 + 1 + 120);
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    events.map((_, index) => index + 1),
  );
  const { rows } = await run(
    db,
    `select count(*)::int, count(distinct revision)::int as revisions,
        max(revision) = (select revision from account_revisions where account_id = $1) as "isLast"
      from contacts where account_id = $1`,
    [await accountIdOf(db, mine)],
  );
  assert.deepEqual(rows, [{ count: 120, revisions: 120, isLast: true }]);
});
