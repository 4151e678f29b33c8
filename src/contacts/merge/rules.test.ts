import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEmptyContact } from '../rules.ts';
import type { Contact, FullContact } from '../schemas.ts';
import { MergeError, planMerge } from './rules.ts';

const id = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const KEEP = id(1);
const FIRST = id(2);
const SECOND = id(3);
const UNKNOWN = id(9);
const EMAIL = 'aroha@example.com';
const EARLIER = '2025-01-02T03:04:05.006Z';
const LATER = '2026-01-02T03:04:05.006Z';

interface Given extends Partial<Contact> {
  tags?: { id: string; tagId: string }[];
  links?: { id: string; projectId: string; unitId: string | null }[];
  activities?: { id: string; body: string; occurredAt?: string }[];
}

function contact(contactId: string, given: Given = {}): FullContact {
  const { tags = [], links = [], activities = [], ...fields } = given;
  const note = { contactId, type: 'note', occurredAt: EARLIER } as const;
  return {
    contact: { ...createEmptyContact({ id: contactId, email: EMAIL, emailKey: EMAIL }), ...fields },
    tags: tags.map((tag) => ({ ...tag, contactId })),
    links: links.map((link) => ({ ...link, contactId })),
    activities: activities.map((activity) => ({ ...note, ...activity })),
  };
}

/** Plans the merge of contacts with these fields into the first one. */
function plan(remaining: Given, ...duplicates: Given[]): ReturnType<typeof planMerge> {
  const ids = [FIRST, SECOND].slice(0, duplicates.length);
  const found = duplicates.map((given, index) => contact(ids[index] ?? '', given));
  return planMerge(KEEP, ids, [...found, contact(KEEP, remaining)]);
}

const tag = (row: number, tagId: number) => ({ id: id(row), tagId: id(tagId) });
const link = (row: number, projectId: number, unitId?: number) => ({
  id: id(row),
  projectId: id(projectId),
  unitId: unitId === undefined ? null : id(unitId),
});

test('an empty field is filled, and a filled one stays', () => {
  const { report, changes } = plan(
    { name: 'A. Ngata', phone: ' ', cityName: '', budget: 0, notes: null },
    { name: ' ', phone: '1', cityName: 'Taupō', stage: 'Lost', importedAt: LATER, notes: 'Hi' },
  );
  assert.deepEqual(report.filledFields, [
    'phone_primary',
    'notes',
    'stage',
    'city_name',
    'imported_at',
  ]);
  assert.deepEqual(changes.remaining, {
    ...contact(KEEP).contact,
    name: 'A. Ngata',
    phone: '1',
    notes: 'Hi',
    stage: 'Lost',
    budget: 0,
    cityName: 'Taupō',
    importedAt: LATER,
  });
  assert.deepEqual(report.leftBehind, []);
});

test('the first named duplicate with a value fills the field', () => {
  const { report, changes } = plan({}, { phone: '1' }, { phone: '2', mobilePhone: '3' });
  const { remaining } = changes;
  assert.deepEqual([remaining.phone, remaining.mobilePhone], ['1', '3']);
  assert.deepEqual(report.leftBehind, [{ contactId: SECOND, field: 'phone_primary', value: '2' }]);
});

test('every lost value is reported with its contact', () => {
  const { report } = plan(
    { name: 'Aroha', budget: 0, notes: 'Hi', importedAt: LATER },
    { name: 'Aroha', budget: '0', notes: 'Hi ', importedAt: EARLIER },
    { name: 'aroha', budget: 5, notes: '\n' },
  );
  assert.deepEqual(report.leftBehind, [
    { contactId: FIRST, field: 'notes', value: 'Hi ' },
    { contactId: FIRST, field: 'budget', value: '0' },
    { contactId: FIRST, field: 'imported_at', value: EARLIER },
    { contactId: SECOND, field: 'name', value: 'aroha' },
    { contactId: SECOND, field: 'budget', value: 5 },
  ]);
});

test('a chosen contact gives its value of the field, unless it has none', () => {
  const found = [
    contact(KEEP, { name: 'Aroha', stage: 'Lost', cityName: 'Taupō' }),
    contact(FIRST, { name: 'A. Ngata', phone: '1', stage: 'Viewing' }),
    contact(SECOND, { phone: '2' }),
  ];
  const takeFrom = { phone: SECOND, stage: FIRST, cityName: FIRST, name: KEEP };
  const { report, changes } = planMerge(KEEP, [FIRST, SECOND], found, takeFrom);
  const { name, phone, stage, cityName } = changes.remaining;
  assert.deepEqual([name, phone, stage, cityName], ['Aroha', '2', 'Viewing', 'Taupō']);
  assert.deepEqual(report.filledFields, ['phone_primary']);
  assert.deepEqual(report.leftBehind, [
    { contactId: KEEP, field: 'stage', value: 'Lost' },
    { contactId: FIRST, field: 'name', value: 'A. Ngata' },
    { contactId: FIRST, field: 'phone_primary', value: '1' },
  ]);
});

test('the remaining contact keeps its id and its spelling of the email', () => {
  const { report, changes } = plan({}, { email: 'AROHA@example.com', phone: '1' });
  assert.deepEqual([report.contactId, report.email], [KEEP, EMAIL]);
  assert.deepEqual([changes.remaining.id, changes.remaining.email], [KEEP, EMAIL]);
  assert.deepEqual([report.removedContactIds, changes.removedIds], [[FIRST], [FIRST]]);
});

test('an archived contact becomes active when any duplicate is active, and only then', () => {
  const archived = { archivedAt: EARLIER };
  const alive = plan(archived, { archivedAt: LATER }, {});
  assert.equal(alive.report.activated, true);
  assert.equal(alive.changes.remaining.archivedAt, null);
  const still = plan(archived, { archivedAt: LATER });
  assert.deepEqual([still.report.activated, still.changes.remaining.archivedAt], [false, EARLIER]);
  const filled = plan(archived, { archivedAt: LATER, phone: '1' });
  assert.equal(filled.changes.remaining.archivedAt, EARLIER);
  const active = plan({}, { archivedAt: LATER });
  assert.deepEqual([active.report.activated, active.changes.remaining.archivedAt], [false, null]);
});

test('a tag moves once, from its oldest link, unless the remaining contact has it', () => {
  const { report, changes } = plan(
    { tags: [tag(20, 50)] },
    { tags: [tag(10, 50), tag(14, 51), tag(15, 52)] },
    { tags: [tag(12, 51), tag(13, 53)] },
  );
  assert.deepEqual(changes.movedTagIds.toSorted(), [id(12), id(13), id(15)]);
  assert.equal(report.moved.tags, 3);
  assert.deepEqual(changes.remaining, contact(KEEP, { tags: [tag(20, 50)] }).contact);
});

test('a link moves once; links to a project and to a unit of it are different links', () => {
  const { report, changes } = plan(
    { links: [link(20, 60)] },
    { links: [link(10, 60), link(11, 60, 70), link(12, 61)] },
    { links: [link(13, 60, 70), link(14, 60, 71)] },
  );
  assert.deepEqual(changes.movedLinkIds.toSorted(), [id(11), id(12), id(14)]);
  assert.equal(report.moved.links, 3);
});

test('every activity moves, and of equal ones the oldest, unless the remaining contact has it', () => {
  const { report, changes } = plan(
    { activities: [{ id: id(20), body: 'Hi' }] },
    {
      activities: [
        { id: id(10), body: 'Hi' },
        { id: id(11), body: 'Hi', occurredAt: LATER },
        { id: id(15), body: 'Ho' },
      ],
    },
    {
      activities: [
        { id: id(12), body: 'Hi ' },
        { id: id(13), body: 'hi' },
        { id: id(14), body: 'Ho' },
      ],
    },
  );
  assert.deepEqual(changes.movedActivityIds.toSorted(), [id(11), id(12), id(13), id(14)]);
  assert.equal(report.moved.activities, 4);
});

test('planning a merge leaves the found contacts unchanged', () => {
  const found = [contact(KEEP), contact(FIRST, { phone: '1', tags: [tag(10, 50)] })];
  const before = structuredClone(found);
  planMerge(KEEP, [FIRST], found);
  assert.deepEqual(found, before);
});

const refused: [what: string, duplicateIds: string[], message: RegExp][] = [
  ['an unknown contact', [FIRST, UNKNOWN], new RegExp(`no contact ${UNKNOWN}$`)],
  ['the remaining contact itself', [FIRST, KEEP], new RegExp(`${KEEP} is named twice$`)],
  ['a contact that is named twice', [FIRST, FIRST], new RegExp(`${FIRST} is named twice$`)],
  ['a contact with another email', [FIRST, SECOND], new RegExp(`${SECOND} has a different email`)],
];
for (const [what, duplicateIds, message] of refused)
  test(`${what} is refused in one line without an email`, () => {
    const found = [
      contact(KEEP),
      contact(FIRST),
      contact(SECOND, { emailKey: 'mele@example.com' }),
    ];
    assert.throws(
      () => planMerge(KEEP, duplicateIds, found),
      (error) => {
        assert.ok(error instanceof MergeError);
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /[\n@]/);
        return true;
      },
    );
  });

test('a merge into an unknown contact is refused', () => {
  assert.throws(() => planMerge(UNKNOWN, [FIRST], [contact(FIRST)]), {
    message: `the account has no contact ${UNKNOWN}`,
  });
});
