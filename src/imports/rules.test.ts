import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../platform/http/index.ts';
import { createEmptyContact, type Contact, type Changes } from '../contacts/index.ts';
import { SYSTEM } from '../events/index.ts';
import { toLead, type Lead } from './lead.ts';
import type { FoundContact } from './apply-lead.ts';
import { createPlanner, type LeadContext, type Plan } from './rules.ts';
import type { ContactImport, ContactImportResult } from './schemas.ts';
import type { Import } from './submission.ts';

const NOW = new Date('2026-03-04T05:06:07.089Z');
const id = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const [CONTACT, PROJECT, OTHER_PROJECT, UNIT, USER, UNKNOWN] = [1, 2, 3, 4, 5, 6].map(id) as [
  string,
  string,
  string,
  string,
  string,
  string,
];
const EMAIL = 'aroha@example.com';

const NOTHING: LeadContext = {
  contacts: [],
  liveProjectIds: [PROJECT, OTHER_PROJECT],
  units: [{ id: UNIT, projectId: PROJECT }],
  activeUserIds: [USER],
  tagIds: new Map(),
};

function contact(fields: Partial<FoundContact> = {}): FoundContact {
  const bare = createEmptyContact({ id: CONTACT, email: EMAIL, emailKey: EMAIL });
  return {
    ...bare,
    version: 1,
    tagKeys: new Set(),
    links: [],
    latestNote: null,
    knownNotes: [],
    enquiries: [],
    ...fields,
  };
}

const lead = (fields: Partial<ContactImport> = {}): Lead => toLead({ email: EMAIL, ...fields });
const having = (...contacts: FoundContact[]): LeadContext => ({ ...NOTHING, contacts });

/** Returns ids from 1001 on. */
function ids(): () => string {
  let last = 1000;
  return () => id((last += 1));
}

const toImport = (lead: Lead): Import => ({
  id: id(0),
  receivedAt: NOW,
  origin: {
    channel: 'single',
    apiKeyId: null,
    requestId: null,
    position: null,
    file: null,
    runId: null,
  },
  author: SYSTEM,
  payload: '',
  lead,
});

const plan = (leads: Lead[], found = NOTHING): Plan =>
  createPlanner(structuredClone(found), { now: NOW, newId: ids() })(leads.map(toImport));

/** Imports one lead. Returns its result and the changes. */
function planOne(fields: Partial<ContactImport>, found = NOTHING) {
  const { planned, changes } = plan([lead(fields)], found);
  return { result: planned[0]?.outcome as ContactImportResult, changes };
}

function refusal(fields: Partial<ContactImport>, found = NOTHING): Problem {
  const { planned, changes } = plan([lead(fields)], found);
  const outcome = planned[0]?.outcome;
  assert.ok(outcome instanceof Problem);
  assert.deepEqual(counts(changes), {
    inserted: 0,
    updated: 0,
    tags: 0,
    activities: 0,
    links: 0,
    redated: 0,
  });
  return outcome;
}

const counts = (changes: Changes) =>
  Object.fromEntries(Object.entries(changes).map(([name, rows]) => [name, rows.length]));

test('a lead that matches no contact creates one', () => {
  const { result, changes } = planOne({ firstName: 'Aroha', phone: '1', notes: 'Hi', tag: 'Hot' });
  assert.deepEqual(result, {
    action: 'created',
    contactId: id(1001),
    email: EMAIL,
    matchedBy: null,
    filledFields: [
      'name',
      'first_name',
      'phone_primary',
      'notes',
      'stage',
      'source',
      'source_external_original_name',
      'imported_at',
      'contact_tags',
    ],
    linkedProjectId: null,
    linkedUnitId: null,
  });
  assert.deepEqual(counts(changes), {
    inserted: 1,
    updated: 0,
    tags: 1,
    activities: 1,
    links: 0,
    redated: 0,
  });
  const [created] = changes.inserted;
  assert.equal(created?.importedAt, NOW.toISOString());
  assert.equal(created?.stage, 'New');
  assert.equal(created?.notes, null);
});

test('a merge fills empty fields, and changes no other', () => {
  const found = contact({ name: 'A. Ngata', phone: ' ', cityName: '', stage: 'Lost', budget: 0 });
  const { result, changes } = planOne(
    { name: 'Aroha', phone: '1', cityName: 'Taupō', budget: 5, companyName: 'Kauri' },
    having(found),
  );
  assert.deepEqual(result.filledFields, [
    'phone_primary',
    'company_name',
    'source',
    'source_external_original_name',
    'city_name',
    'imported_at',
  ]);
  const [updated] = changes.updated;
  assert.deepEqual(
    [updated?.name, updated?.phone, updated?.cityName, updated?.stage, updated?.budget],
    ['A. Ngata', '1', 'Taupō', 'Lost', 0],
  );
});

test('a merge that has nothing to add writes nothing', () => {
  const full = contact({ stage: 'New', source: 'Other', importedAt: NOW.toISOString() });
  const found = having({ ...full, tagKeys: new Set(['hot']), latestNote: 'Hi' });
  const { result, changes } = planOne({ tag: 'HOT', notes: 'Hi' }, found);
  assert.equal(result.action, 'merged');
  assert.deepEqual(result.filledFields, []);
  assert.deepEqual(counts(changes), {
    inserted: 0,
    updated: 0,
    tags: 0,
    activities: 0,
    links: 0,
    redated: 0,
  });
});

test('an archived contact becomes active again, even when nothing is filled', () => {
  const full = contact({ stage: 'New', source: 'Other', importedAt: NOW.toISOString() });
  const { result, changes } = planOne({}, having({ ...full, archivedAt: NOW.toISOString() }));
  assert.deepEqual(result.filledFields, []);
  assert.deepEqual(
    changes.updated.map(({ archivedAt }) => archivedAt),
    [null],
  );
});

test('a merge writes the label of source handling only together with the source', () => {
  const merged = (fields: Partial<ContactImport>, found: Partial<Contact>) => {
    const { result, changes } = planOne(fields, having(contact(found)));
    const { source, sourceExternalOriginalName } = changes.updated[0] ?? contact(found);
    const names = result.filledFields.filter((field) => field.startsWith('source'));
    return [source, sourceExternalOriginalName, ...names];
  };
  const BOTH = ['source', 'source_external_original_name'];
  const label = { sourceExternalOriginalName: 'Fair' };
  assert.deepEqual(merged({}, {}), ['Other', 'API Import', ...BOTH]);
  assert.deepEqual(merged({ source: 'Billboard' }, {}), ['Other', 'Billboard', ...BOTH]);
  assert.deepEqual(merged({ source: 'Agent' }, {}), ['Agent', null, 'source']);
  assert.deepEqual(merged({}, { source: 'Agent' }), ['Agent', null]);
  assert.deepEqual(merged({ source: 'Billboard' }, { source: 'Agent' }), ['Agent', null]);
  assert.deepEqual(merged(label, { source: 'Agent' }), ['Agent', 'Fair', BOTH[1]]);
  assert.deepEqual(merged({ ...label, source: 'Billboard' }, { source: 'Agent' }), [
    'Agent',
    'Fair',
    BOTH[1],
  ]);
  assert.deepEqual(merged({ source: 'Billboard' }, label), ['Other', 'Fair', 'source']);
  assert.deepEqual(merged(label, { source: 'Agent', sourceExternalOriginalName: 'Expo' }), [
    'Agent',
    'Expo',
  ]);
});

test('a note is written unless the latest activity says the same, byte for byte', () => {
  const latestNote = 'Call back';
  const noted = (notes: string) =>
    planOne({ notes }, having(contact({ latestNote }))).changes.activities.map(({ body }) => body);
  assert.deepEqual(noted('Call back'), []);
  assert.deepEqual(noted('Call back '), ['Call back ']);
  assert.deepEqual(noted('call back'), ['call back']);
});

test('a link is written once, and the result names what this request asked for', () => {
  const linked = { links: [{ projectId: PROJECT, unitId: null }] };
  const again = planOne({ projectId: PROJECT }, having(contact(linked)));
  assert.equal(again.result.linkedProjectId, PROJECT);
  assert.deepEqual(again.changes.links, []);
  const unit = planOne({ projectId: PROJECT, unitId: UNIT }, having(contact(linked)));
  assert.equal(unit.result.linkedUnitId, UNIT);
  assert.equal(unit.changes.links.length, 1);
});

const refused: [string, Partial<ContactImport>, string, string[]][] = [
  ['an unknown project', { projectId: UNKNOWN }, 'project_not_available', ['/projectId']],
  ['a project that is not a UUID', { projectId: 'x' }, 'project_not_available', ['/projectId']],
  ['a unit alone', { unitId: UNIT }, 'unit_requires_project', ['/projectId']],
  [
    'a unit of another project',
    { projectId: OTHER_PROJECT, unitId: UNIT },
    'unit_not_in_project',
    ['/unitId'],
  ],
  ['an unknown unit', { projectId: PROJECT, unitId: UNKNOWN }, 'unit_not_in_project', ['/unitId']],
  [
    'a unit of an unknown project',
    { projectId: UNKNOWN, unitId: UNIT },
    'project_not_available',
    ['/projectId'],
  ],
  [
    'an unknown user',
    { assignedAccountUserId: UNKNOWN },
    'user_not_active',
    ['/assignedAccountUserId'],
  ],
  [
    'all at once',
    { projectId: UNKNOWN, assignedAccountUserId: UNKNOWN },
    'project_not_available',
    ['/projectId', '/assignedAccountUserId'],
  ],
];
for (const [what, fields, code, pointers] of refused)
  test(`${what} is refused and nothing is written`, () => {
    const problem = refusal({ ...fields, notes: 'Hi', tag: 'Hot' });
    assert.equal(problem.code, code);
    assert.deepEqual(
      problem.members.errors?.map((fault) => 'pointer' in fault && fault.pointer),
      pointers,
    );
  });

test('an email that several contacts have is refused, naming them in the order of their ids', () => {
  const found = having(contact(), contact({ id: id(7), archivedAt: NOW.toISOString() }));
  const problem = refusal({ notes: 'Hi' }, found);
  assert.equal(problem.code, 'duplicate_contacts');
  assert.deepEqual(problem.members.matchingContactIds, [CONTACT, id(7)]);
});

test('a wrong reference is reported before an email that several contacts have', () => {
  const found = having(contact(), contact({ id: id(7) }));
  assert.equal(refusal({ projectId: UNKNOWN }, found).code, 'project_not_available');
});

test('a refused lead does not change how the others are imported', () => {
  const { planned, changes } = plan([
    lead({ notes: 'one' }),
    lead({ notes: 'two', tag: 'Hot', projectId: UNKNOWN }),
    lead({ notes: 'three' }),
  ]);
  assert.deepEqual(
    planned.map(({ outcome }) => (outcome instanceof Problem ? outcome.code : outcome.action)),
    ['created', 'project_not_available', 'merged'],
  );
  assert.deepEqual(
    changes.activities.map(({ body }) => body),
    ['one', 'three'],
  );
  assert.deepEqual(changes.tags, []);
});

// Leads made from few values, so that they meet each other in every way.
function someLeads(seed: number, count: number): Lead[] {
  let state = seed;
  const draw = <T>(...values: T[]): T => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    const value = values[(state >> 8) % values.length];
    assert.ok(value !== undefined);
    return value;
  };
  return Array.from({ length: count }, () =>
    toLead({
      email: draw('a@example.com', 'A@example.com', 'b@example.com', 'twice@example.com'),
      firstName: draw(null, 'Aroha', 'Mele'),
      phone: draw(null, '1', '2'),
      notes: draw(null, 'one', 'two'),
      source: draw(null, 'Agent', 'Billboard'),
      sourceExternalOriginalName: draw(null, 'Fair'),
      tags: draw<string[] | string | null>(null, ['Hot'], ['HOT', 'Cold'], 'cold,new'),
      projectId: draw(null, null, PROJECT, OTHER_PROJECT, UNKNOWN),
      unitId: draw(null, null, UNIT),
      assignedAccountUserId: draw(null, USER, UNKNOWN),
    }),
  );
}

function applied({ contacts, ...rest }: LeadContext, changes: Changes): LeadContext {
  const byId = new Map(contacts.map((each) => [each.id, { ...each }]));
  for (const each of changes.inserted)
    byId.set(each.id, {
      ...each,
      version: 1,
      tagKeys: new Set(),
      links: [],
      latestNote: null,
      knownNotes: [],
      enquiries: [],
    });
  function of(contactId: string): FoundContact {
    const found = byId.get(contactId);
    assert.ok(found);
    return found;
  }
  for (const each of changes.updated) {
    const { version, tagKeys, links, latestNote, knownNotes, enquiries } = of(each.id);
    byId.set(each.id, {
      ...each,
      version: version + 1,
      tagKeys,
      links,
      latestNote,
      knownNotes,
      enquiries,
    });
  }
  for (const { contactId, tag } of changes.tags)
    of(contactId).tagKeys = new Set([...of(contactId).tagKeys, tag.key]);
  for (const { contactId, type, body, values } of changes.activities)
    if (type === 'enquiry') of(contactId).enquiries.unshift(values ?? {});
    else of(contactId).latestNote = body;
  for (const { contactId, projectId, unitId } of changes.links)
    of(contactId).links = [...of(contactId).links, { projectId, unitId }];
  return { ...rest, contacts: [...byId.values()] };
}

const answers = ({ planned }: Plan) =>
  planned.map(({ outcome }) =>
    outcome instanceof Problem ? outcome.code : { ...outcome, contactId: null },
  );

test('a batch gives what its leads give one by one, in however many chunks it is planned', () => {
  const twice = { email: 'twice@example.com', emailKey: 'twice@example.com' };
  const start = having(contact({ id: id(8), ...twice }), contact({ id: id(9), ...twice }));
  for (let seed = 1; seed <= 50; seed += 1) {
    const leads = someLeads(seed, 12);
    const together = plan(leads, start);
    const newId = ids();
    const oneByOne: unknown[] = [];
    let found = start;
    for (const each of leads) {
      const single = createPlanner(structuredClone(found), { now: NOW, newId })([toImport(each)]);
      oneByOne.push(...answers(single));
      found = applied(found, single.changes);
    }
    assert.deepEqual(answers(together), oneByOne, `seed ${seed}`);
    // Each chunk that changes a contact raises its version.
    const shown = ({ contacts }: LeadContext) =>
      contacts.map((each) => ({
        ...each,
        id: null,
        version: null,
        tagKeys: [...each.tagKeys].toSorted(),
      }));
    assert.deepEqual(shown(applied(start, together.changes)), shown(found), `seed ${seed}`);
    const imports = leads.map(toImport);
    const planner = createPlanner(structuredClone(start), { now: NOW, newId: ids() });
    const first = structuredClone(planner(imports.slice(0, seed % 12)));
    const second = planner(imports.slice(seed % 12));
    const inTwoChunks = applied(applied(start, first.changes), second.changes);
    assert.deepEqual(shown(inTwoChunks), shown(found), `seed ${seed}`);
  }
});
