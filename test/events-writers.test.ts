import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { deactivatePerson, mergeContacts } from '../src/contacts/index.ts';
import { accountIdOf } from './support/accounts.ts';
import {
  developerFile,
  developersOf,
  LIVE,
  OTHER_USER,
  UNIT,
  USER,
  type Developer,
} from './support/developer.ts';
import { OPERATOR } from '../src/events/index.ts';
import { readChanges, readEvents } from './support/event-log.ts';
import { build } from './support/harness.ts';

/* Events of all ways in but imports, which test/events.test.ts covers. */

const service = await build({ after });
const { db } = service;
const makeDeveloper = developersOf(service);

const KEPT = '0196a000-0000-7000-8000-000000000401';
const TWIN = '0196a000-0000-7000-8000-000000000402';

/** Runs an act, and returns the types and the subjects of its events. */
async function eventsOf(mine: Developer, act: () => Promise<unknown>) {
  const accountId = await accountIdOf(db, mine);
  const before = await readEvents(db, accountId);
  await act();
  const all = await readEvents(db, accountId);
  assert.deepEqual(
    all.map(({ sequence }) => sequence),
    all.map((_, index) => index + 1),
  );
  return all.slice(before.length);
}

const describeEvents = (events: { type: string; subject: string }[]): string[] =>
  events.map(({ type, subject }) => `${type} ${subject}`);

test('a load that creates an account appends the events of everything in it', async () => {
  const mine = await makeDeveloper([{ id: KEPT, email: 'aroha@example.com', tags: ['Hot'] }]);
  const events = await readEvents(db, await accountIdOf(db, mine));
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    events.map((_, index) => index + 1),
  );
  const types = Object.entries(Object.groupBy(events, ({ type }) => type));
  assert.deepEqual(Object.fromEntries(types.map(([type, each]) => [type, each?.length])), {
    'organization.created': 1,
    'project.created': 4,
    'project.published': 2,
    'project.archived': 1,
    'unit.created': 4,
    'user.created': 3,
    'contact.created': 1,
    'contact.tagged': 1,
  });
  assert.deepEqual([...new Set(events.map(({ actor }) => actor))], ['system']);
});

test('a load appends the events of what it changes, with the values before and after', async () => {
  const mine = await makeDeveloper([{ id: KEPT, email: 'aroha@example.com' }]);
  const accountId = await accountIdOf(db, mine);
  const { projects, ...file } = developerFile(mine.slug) as { projects: { slug: string }[] };
  const changed = {
    ...file,
    users: [{ id: USER, active: false }],
    projects: [
      {
        id: LIVE,
        publication: 'draft',
        relatedProjects: ['kauri-rise'],
        units: [{ id: UNIT, status: 'Reserved', price: 1 }],
      },
    ],
    contacts: [{ id: KEPT, stage: 'Lost', archivedAt: '2026-01-01T00:00:00Z' }],
  };
  assert.equal(projects.length, 4);
  const events = await eventsOf(mine, () => service.load(changed));
  assert.deepEqual(describeEvents(events), [
    `project.updated ${LIVE}`,
    `project.unpublished ${LIVE}`,
    `unit.updated ${UNIT}`,
    `unit.status_changed ${UNIT}`,
    `unit.price_changed ${UNIT}`,
    `user.deactivated ${USER}`,
    `contact.updated ${KEPT}`,
    `contact.stage_changed ${KEPT}`,
    `contact.archived ${KEPT}`,
  ]);
  assert.deepEqual(events[3]?.data, { projectId: LIVE, from: 'Available', to: 'Reserved' });
  const { before, after: values } = (await readChanges(db, accountId, UNIT)).at(-1) ?? {};
  assert.deepEqual([before, values], [{ status: 'Available' }, { status: 'Reserved', price: 1 }]);
  const contact = (await readChanges(db, accountId, KEPT)).at(-1);
  assert.deepEqual(contact?.after, { stage: 'Lost', archivedAt: '2026-01-01T00:00:00.000Z' });
  assert.deepEqual(await eventsOf(mine, () => service.load(changed)), []);
});

test('a merge appends the events of the contact that remains and of those that go, and keeps the values left behind', async () => {
  const email = 'aroha@example.com';
  const mine = await makeDeveloper([
    { id: KEPT, email, phone: '1' },
    { id: TWIN, email, phone: '2', companyName: 'Kauri', tags: ['Hot'] },
  ]);
  const accountId = await accountIdOf(db, mine);
  const events = await eventsOf(mine, () =>
    mergeContacts(db, accountId, KEPT, [TWIN], { dryRun: false }),
  );
  assert.deepEqual(describeEvents(events), [
    `contact.updated ${KEPT}`,
    `contact.tagged ${KEPT}`,
    `contact.merged ${TWIN}`,
  ]);
  assert.deepEqual(events[2]?.data, { intoId: KEPT });
  const changes = await readChanges(db, accountId, KEPT);
  assert.equal(changes.length, 4);
  assert.deepEqual(changes.at(-1)?.before, { phone: '2' });
  assert.deepEqual(changes.at(-1)?.after, { phone: '1' });
  assert.deepEqual(await readChanges(db, accountId, TWIN), []);
});

test('the deactivation of a person appends contact.assigned for each of their contacts', async () => {
  const mine = await makeDeveloper([
    { id: KEPT, email: 'aroha@example.com', assignedAccountUserId: USER },
    { id: TWIN, email: 'mele@example.com', assignedAccountUserId: USER },
  ]);
  const accountId = await accountIdOf(db, mine);
  const deactivation = { accountId, userId: USER, reassignTo: OTHER_USER };
  const events = await eventsOf(mine, () => deactivatePerson(db, OPERATOR, deactivation));
  assert.deepEqual(describeEvents(events).toSorted(), [
    `contact.assigned ${KEPT}`,
    `contact.assigned ${TWIN}`,
    `contact.updated ${KEPT}`,
    `contact.updated ${TWIN}`,
    `user.deactivated ${USER}`,
  ]);
  const assigned = events.filter(({ type }) => type === 'contact.assigned');
  for (const { data } of assigned) assert.deepEqual(data, { from: USER, to: OTHER_USER });
  const { contacts } = await mine.exported();
  for (const each of contacts) assert.equal(each.assignedAccountUserId, OTHER_USER);
});
