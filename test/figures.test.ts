import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import {
  developerFile,
  LIVE,
  NOWHERE,
  OTHER_LIVE,
  OTHER_USER,
  UNIT,
  USER,
} from './support/developer.ts';
import { importerOf } from './support/contact-files.ts';
import { testAccountsOf } from './support/test-accounts.ts';
import { build, type Answer } from './support/harness.ts';
import { assertProblem } from './support/problem.ts';
import { run } from './support/sql.ts';

const service = await build({ after });
const makeAccount = testAccountsOf(service);

const LEADS = '/stats/leads';
const AUCKLAND = 'timeZone=Pacific/Auckland';

/** Contacts around two midnights in Auckland. On 5 April 2026 its clocks are put back from UTC+13 to UTC+12. */
const AROUND_MIDNIGHT = [
  { email: 'a@x.nz', createdAt: '2026-04-03T10:59:59.999Z', source: 'Website', stage: 'New' },
  { email: 'b@x.nz', createdAt: '2026-04-03T11:00:00.000Z', source: 'Website', stage: 'Lost' },
  { email: 'c@x.nz', createdAt: '2026-04-04T10:59:59.999Z', source: 'Agent' },
  { email: 'd@x.nz', createdAt: '2026-04-04T11:00:00.000Z' },
  {
    email: 'e@x.nz',
    createdAt: '2026-04-05T11:59:59.999Z',
    source: 'Website',
    archivedAt: '2026-05-01T00:00:00Z',
  },
  { email: 'f@x.nz', createdAt: '2026-04-05T12:00:00.000Z', source: 'Website' },
];

interface Figure extends Record<string, unknown> {
  start: string;
  group: string | null;
  newContacts: number;
  enquiries: number;
  refused: number | null;
}

/** An account with these contacts, and a program that reads its figures. */
async function analystOf(contacts: object[]) {
  const account = await makeAccount(contacts);
  const api = await account.program(
    'stats:read',
    'contacts:manage',
    'settings:write',
    'stock:read',
  );
  async function read<Row = Figure>(path: string): Promise<Row[]> {
    const { status, body, text } = await api.get(path);
    assert.equal(status, 200, text);
    return body.data as Row[];
  }
  const days = async (query: string) =>
    (await read(`${LEADS}?${query}`)).map(({ start, newContacts }) => [start, newContacts]);
  const groups = async (query: string) =>
    (await read(`${LEADS}?${query}`)).map(({ start, group, newContacts }) => [
      start,
      group,
      newContacts,
    ]);
  return { ...account, api, read, days, groups };
}

describe('GET /stats/leads', () => {
  test('counts contacts on the day on which they were created where the office is, also when clocks change', async () => {
    const { days, api } = await analystOf(AROUND_MIDNIGHT);
    const expected = [
      ['2026-04-03', 1],
      ['2026-04-04', 2],
      ['2026-04-05', 2],
      ['2026-04-06', 1],
      ['2026-04-07', 0],
    ];
    assert.deepEqual(await days(`from=2026-04-03&to=2026-04-07&${AUCKLAND}`), expected);
    assert.deepEqual(await days('from=2026-04-03&to=2026-04-05'), [
      ['2026-04-03', 2],
      ['2026-04-04', 2],
      ['2026-04-05', 2],
    ]);
    const patched = await api.patch('/organization', { timeZone: 'Pacific/Auckland' });
    assert.equal(patched.status, 200, patched.text);
    assert.deepEqual(await days('from=2026-04-03&to=2026-04-07'), expected);
  });

  test('equals the counts of the list, each day by each group, for all projects and for one', async () => {
    const account = await analystOf(
      AROUND_MIDNIGHT.map((each, index) => ({
        ...each,
        assignedAccountUserId: [USER, OTHER_USER, null][index % 3],
        links: [
          [],
          [{ projectId: LIVE }, { projectId: LIVE, unitId: UNIT }],
          [{ projectId: LIVE }, { projectId: OTHER_LIVE }],
        ][index % 3],
      })),
    );
    const starts = [
      '2026-04-02T11:00Z',
      '2026-04-03T11:00Z',
      '2026-04-04T11:00Z',
      '2026-04-05T12:00Z',
    ];
    const names = ['2026-04-03', '2026-04-04', '2026-04-05'];
    const reader = await account.program('contacts:read');
    const parameters = { source: 'source', stage: 'stage', user: 'assignedTo', project: 'project' };
    const choices = Object.entries(parameters).flatMap(([groupBy, parameter]) =>
      (groupBy === 'project' ? [''] : ['', `&project=${LIVE}`]).map((chosen) => ({
        groupBy,
        parameter,
        chosen,
      })),
    );
    for (const { groupBy, parameter, chosen } of choices) {
      const figures = await account.read(
        `${LEADS}?from=2026-04-03&to=2026-04-05&${AUCKLAND}&groupBy=${groupBy}${chosen}`,
      );
      assert.ok(chosen !== '' || new Set(figures.map(({ group }) => group)).size >= 2);
      for (const [at, name] of names.entries()) {
        const afterIt = new Date(Date.parse(starts[at] ?? '') - 1).toISOString();
        const before = new Date(starts[at + 1] ?? '').toISOString();
        const span = `createdAfter=${afterIt}&createdBefore=${before}&archived=any&count=true`;
        const groups = new Set(figures.map(({ group }) => group).concat(null));
        for (const group of groups) {
          const own = `${parameter}=${encodeURIComponent(group ?? 'none')}`;
          const { body } = await reader.get(`/contacts?${span}&${own}${chosen}`);
          const figure = figures.find((each) => each.start === name && each.group === group);
          const what = `${groupBy} ${group} ${name} ${chosen}`;
          assert.equal(figure?.newContacts ?? 0, body.pagination.totalCount, what);
        }
      }
    }
  });

  test('counts by weeks from Monday and by months, within the days that are asked for', async () => {
    const { days } = await analystOf(AROUND_MIDNIGHT);
    assert.deepEqual(await days('from=2026-04-03&to=2026-04-14&interval=week'), [
      ['2026-04-03', 6],
      ['2026-04-06', 0],
      ['2026-04-13', 0],
    ]);
    assert.deepEqual(await days('from=2026-03-30&to=2026-05-01&interval=month'), [
      ['2026-03-30', 0],
      ['2026-04-01', 6],
      ['2026-05-01', 0],
    ]);
  });

  test('with groups names only those that have leads, sorted, and nobody last', async () => {
    const { groups } = await analystOf(AROUND_MIDNIGHT);
    assert.deepEqual(await groups('from=2026-04-03&to=2026-04-09&interval=week&groupBy=source'), [
      ['2026-04-03', 'Agent', 1],
      ['2026-04-03', 'Website', 4],
      ['2026-04-03', null, 1],
    ]);
  });

  test('counts the enquiries and the refused imports of today', async (t) => {
    // Keep the day from changing during the test.
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
    const account = await analystOf([{ email: 'a@x.nz', source: 'Agent', companyName: 'Kauri' }]);
    await account.lead({ email: 'a@x.nz', companyName: 'Rimu' });
    await account.lead({ email: 'b@x.nz', source: 'Website' });
    await account.developer.refused(
      { email: 'c@x.nz', unitId: NOWHERE },
      'unit_requires_project',
      '/projectId',
    );
    const today = await account.read(`${LEADS}?groupBy=source`);
    assert.deepEqual(
      today.map(({ group, newContacts, enquiries, refused }) => ({
        group,
        newContacts,
        enquiries,
        refused,
      })),
      [
        { group: 'Agent', newContacts: 1, enquiries: 1, refused: 0 },
        { group: 'Website', newContacts: 1, enquiries: 0, refused: 0 },
        { group: null, newContacts: 0, enquiries: 0, refused: 1 },
      ],
    );
    const all = await account.read(LEADS);
    assert.equal(all.length, 30);
    const { start, ...counts } = all.at(-1) ?? assert.fail('no day');
    assert.equal(start, new Date().toISOString().slice(0, 10));
    assert.deepEqual(counts, { group: null, newContacts: 2, enquiries: 1, refused: 1 });
  });

  test('with a project counts the enquiries of its contacts, and no refused imports', async () => {
    const account = await analystOf([
      { email: 'a@x.nz', companyName: 'Kauri', links: [{ projectId: LIVE }] },
      { email: 'b@x.nz', companyName: 'Kauri' },
    ]);
    for (const email of ['a@x.nz', 'b@x.nz']) await account.lead({ email, companyName: 'Rimu' });
    await account.developer.refused(
      { email: 'c@x.nz', unitId: NOWHERE },
      'unit_requires_project',
      '/projectId',
    );
    const count = async (project: string) => {
      const days = await account.read(`${LEADS}?project=${project}`);
      const sum = (name: 'newContacts' | 'enquiries') =>
        days.reduce((total, day) => total + day[name], 0);
      return [sum('newContacts'), sum('enquiries'), days.at(-1)?.refused];
    };
    assert.deepEqual(await count(LIVE), [1, 1, null]);
    assert.deepEqual(await count(OTHER_LIVE), [0, 0, null]);
    assert.deepEqual(await count('no-id'), [0, 0, null]);
    const { body } = await account.api.get(`/stats/response?project=${LIVE}`);
    assert.deepEqual(body.data, [{ userId: null, contacts: 1, answered: 0, medianSeconds: null }]);
  });

  test('shows an agent who sees only their own contacts no others', async () => {
    const account = await analystOf([]);
    await run(service.db, `update accounts set agents_see = 'own' where account_id = $1`, [
      account.accountId,
    ]);
    const agent = await account.person('agent');
    const people = [agent.id, null, USER];
    for (const [index, assignedAccountUserId] of people.entries()) {
      const lead = { email: `${index}@x.nz`, source: 'Website', companyName: '1' };
      await account.lead({ ...lead, ...(assignedAccountUserId && { assignedAccountUserId }) });
      await account.lead({ ...lead, companyName: '2' });
    }
    // Midnight may pass between the leads and the report.
    const days: Figure[] = (await agent.get(LEADS)).body.data;
    const sum = (name: 'newContacts' | 'enquiries') =>
      days.reduce((total, day) => total + day[name], 0);
    assert.deepEqual([sum('newContacts'), sum('enquiries'), days.at(-1)?.refused], [2, 2, null]);
    const { body: byPerson } = await agent.get('/stats/response');
    const seen = byPerson.data.map(({ userId }: { userId: string | null }) => userId);
    assert.deepEqual(seen, [agent.id, null]);
  });

  test('refuses a span that ends before it begins, has too many days, or is no day', async () => {
    const { api } = await analystOf([]);
    for (const [query, parameter] of [
      ['from=2026-04-03&to=2026-04-02', 'from'],
      ['from=2020-01-01&to=2026-04-02', 'from'],
      ['to=2026-02-30', 'to'],
      ['to=3000-01-01', 'to'],
      ['from=0099-01-01', 'from'],
      ['timeZone=Auckland', 'timeZone'],
      ['interval=year', 'interval'],
      ['groupBy=tag', 'groupBy'],
      ['groupBy=user&groupBy=stage', 'groupBy'],
      ['by=user', 'by'],
    ]) {
      const answer = await api.get(`${LEADS}?${query}`);
      const { errors } = assertProblem(answer, 'invalid_request', `/api/v1${LEADS}`);
      assert.deepEqual(
        errors?.map((fault) => 'parameter' in fault && fault.parameter),
        [parameter],
      );
    }
    for (const [from, to] of [
      ['1900-01-01', '1900-01-02'],
      ['2999-12-31', '2999-12-31'],
    ])
      assert.equal((await api.get(`${LEADS}?from=${from}&to=${to}`)).body.data.at(-1).start, to);
  });
});

test('20 reports of one account are all answered, and a report of another account does not wait for them', async () => {
  const [{ api: busy }, { api: other }] = [await analystOf(AROUND_MIDNIGHT), await analystOf([])];
  const reports = 20;
  let answered = 0;
  let sayFirst = (): void => undefined;
  const first = new Promise<void>((resolve) => {
    sayFirst = resolve;
  });
  const answers = Array.from({ length: reports }, async () => {
    const { status } = await busy.get(
      `${LEADS}?from=2025-01-01&to=2026-04-30&groupBy=project&${AUCKLAND}`,
    );
    answered += 1;
    sayFirst();
    return status;
  });
  await first;
  const { status } = await other.get('/stats/stock');
  const before = answered;
  assert.equal(status, 200);
  assert.deepEqual(new Set(await Promise.all(answers)), new Set([200]));
  assert.ok(
    before < reports / 2,
    `that of the other was answered after ${before} of ${reports} reports`,
  );
});

describe('GET /stats/stock', () => {
  test('counts the units of each project by status, and adds up the prices of each currency', async () => {
    const account = await analystOf([]);
    const file = developerFile(account.developer.slug) as {
      projects: { id: string; units: object[] }[];
    };
    const prices = [
      { name: '1', status: 'Available', price: 700_000.5, currency: 'NZD' },
      { name: '2', status: 'Available', price: 800_000 },
      { name: '3', status: 'Available', price: 1, currency: 'AUD' },
      { name: '4', status: 'Available' },
      { name: '5', status: 'Settled', price: 900_000, currency: 'NZD' },
    ];
    for (const project of file.projects) if (project.id === LIVE) project.units.push(...prices);
    await service.load(file);
    await account.api.patch('/organization', { defaultCurrency: 'NZD' });
    const of = { projectId: LIVE, currency: 'NZD' };
    const ofLive = [
      { projectId: LIVE, status: 'Available', currency: 'AUD', count: 1, value: 1, priced: 1 },
      { ...of, status: 'Available', count: 4, value: 1_500_000.5, priced: 2 },
      { ...of, status: 'Settled', count: 1, value: 900_000, priced: 1 },
      { ...of, status: 'Withdrawn', count: 1, value: 0, priced: 0 },
    ];
    assert.deepEqual(await account.read(`/stats/stock?project=${LIVE},${NOWHERE},x`), ofLive);
    const all = await account.read<{ projectId: string; count: number }>('/stats/stock');
    assert.deepEqual(all.slice(0, 4), ofLive);
    assert.equal(new Set(all.map(({ projectId }) => projectId)).size, 3);
    assert.deepEqual(await account.read(`/stats/stock?project=${NOWHERE}`), []);
  });

  test('adds up cents exactly', async () => {
    const account = await analystOf([]);
    const file = developerFile(account.developer.slug) as {
      projects: { id: string; units: object[] }[];
    };
    const prices = [
      { name: '1', status: 'On Hold', price: 0.1 },
      { name: '2', status: 'On Hold', price: 0.2 },
    ];
    for (const project of file.projects) if (project.id === LIVE) project.units.push(...prices);
    await service.load(file);
    const figures = await account.read<{ status: string; value: number }>(
      `/stats/stock?project=${LIVE}`,
    );
    const valueOf = (wanted: string) => figures.find(({ status }) => status === wanted)?.value;
    assert.equal(valueOf('On Hold'), 0.3);
  });
});

describe('GET /stats/response', () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 3, 3, 0, minute)).toISOString();
  const contact = (n: number, user: string | null, activities: [string, number][]) => ({
    email: `${n}@x.nz`,
    createdAt: at(0),
    assignedAccountUserId: user,
    activities: activities.map(([type, minute]) => ({ type, body: 'x', occurredAt: at(minute) })),
  });

  test('measures the time to the first answer: not to a note, an older call or an appointment', async () => {
    const account = await analystOf([
      contact(1, USER, [
        ['call', 10],
        ['email', 5],
        ['note', 1],
      ]),
      contact(2, USER, [
        ['meeting', 20],
        ['call', -30],
      ]),
      contact(3, USER, [['note', 1]]),
      contact(4, OTHER_USER, []),
      contact(5, null, [
        ['viewing', 10_000_000],
        ['text', 60],
      ]),
      { email: '6@x.nz', createdAt: '2026-04-02T23:59:59.999Z' },
    ]);
    assert.deepEqual(await account.read('/stats/response?from=2026-04-03&to=2026-04-03'), [
      { userId: USER, contacts: 3, answered: 2, medianSeconds: 750 },
      { userId: OTHER_USER, contacts: 1, answered: 0, medianSeconds: null },
      { userId: null, contacts: 1, answered: 1, medianSeconds: 3600 },
    ]);
  });

  test('follows an answer that is added, edited or removed, a merge, and another time of creation', async () => {
    const [KEPT, TWIN] = [
      '0196d000-0000-7000-8000-000000000001',
      '0196d000-0000-7000-8000-000000000002',
    ];
    const account = await analystOf([
      { ...contact(1, null, [['call', 50]]), id: KEPT },
      { ...contact(1, null, [['text', 40]]), id: TWIN },
    ]);
    const api = await account.program('contacts:write', 'contacts:manage');
    const firstMinute = async (): Promise<number | null> => {
      const [figure] = await account.read<{ medianSeconds: number | null }>(
        '/stats/response?from=2025-01-01&to=2026-04-03',
      );
      assert.ok(figure);
      return figure.medianSeconds === null ? null : figure.medianSeconds / 60;
    };
    const done = async (answer: Promise<Answer>): Promise<Answer['body']> => {
      const { status, text, body } = await answer;
      assert.ok(status < 300, text);
      return body;
    };
    await done(api.post(`/contacts/${KEPT}/merge`, { duplicateIds: [TWIN] }));
    assert.equal(await firstMinute(), 40, 'an answer to the other contact');
    const call = { type: 'call', body: 'x', occurredAt: at(30) };
    const { id, etag } = await done(api.post(`/contacts/${KEPT}/activities`, call));
    assert.equal(await firstMinute(), 30, 'an earlier call');
    const edited = await done(
      api.patch(`/activities/${id}`, { occurredAt: at(45) }, { 'if-match': etag }),
    );
    assert.equal(await firstMinute(), 40, 'the call was later');
    const noted = { type: 'note', body: 'x', occurredAt: at(10) };
    await done(api.post(`/contacts/${KEPT}/activities`, noted));
    assert.equal(await firstMinute(), 40, 'a note is no answer');
    await done(api.remove(`/activities/${id}`, { 'if-match': edited.etag }));
    const earlier = { type: 'email', body: 'x', occurredAt: at(-20) };
    await done(api.post(`/contacts/${KEPT}/activities`, earlier));
    assert.equal(await firstMinute(), 40, 'an email from before the contact was created');
    const load = (createdAt: string) =>
      service.load(
        developerFile(account.developer.slug, [{ id: KEPT, email: '1@x.nz', createdAt }]),
      );
    await load(at(-30));
    assert.equal(await firstMinute(), 10, 'created before the email');
    await load(at(-10));
    assert.equal(await firstMinute(), 50, 'created after the email');
    const importer = await importerOf(service, account);
    const file = await importer.uploadReady(`email,created\n1@x.nz,${at(-25)}\n`);
    const { run } = await importer.importAll(file.id);
    assert.equal(run.merged, 1);
    assert.equal(await firstMinute(), 5, 'a file has an earlier time of creation');
  });

  test('measures a time of more than a lifetime, as a date of another century makes it', async () => {
    const old = { ...contact(1, null, [['call', 0]]), createdAt: '1900-01-01T00:00:00.000Z' };
    const account = await analystOf([old]);
    const medianSeconds = (Date.parse(at(0)) - Date.parse(old.createdAt)) / 1000;
    assert.deepEqual(
      await account.read('/stats/response?from=1900-01-01&to=1900-12-31&timeZone=UTC'),
      [{ userId: null, contacts: 1, answered: 1, medianSeconds }],
    );
  });
});
