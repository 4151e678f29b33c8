import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { LIVE, NOWHERE, OTHER_LIVE, UNIT } from '../support/developer.ts';
import { build, type Answer } from '../support/harness.ts';
import { testAccountsOf, type Api } from '../support/test-accounts.ts';

/* Six clients change the contacts of one account at once. Afterwards the events, the changes and the contacts must agree. */

/** `SEED=1` repeats a run, except for the order in which the clients take turns. `STEPS=5000` makes it longer. */
const SEED = Number(process.env['SEED'] ?? randomInt(2 ** 31));
const STEPS = Number(process.env['STEPS'] ?? 400);
const CLIENTS = 6;

const service = await build({ after });
const makeAccount = testAccountsOf(service);

const EMAILS = Array.from({ length: 10 }, (_, n) => `lead-${n}@example.com`);
const LABELS = ['Hot', 'Investor', 'Māori', 'Open home'];
const STAGES = ['New', 'Contacted', 'Viewing', 'Lost'];

interface Row {
  id: string;
  [field: string]: unknown;
}

/** The rows that a client has found when it takes a step. */
interface Known {
  contacts: Row[];
  activities: Row[];
  tags: Row[];
}

/** Numbers that choose the rows and values of a step. */
type Numbers = [number, number, number];

/** Chooses one of these values by a number. */
const choose = <Value>(values: readonly Value[], n: number): Value =>
  values[n % values.length] as Value;
/** Chooses the id of one of these rows by a number. Returns an id that no row has when there are no rows. */
const idOf = (rows: Row[], n: number): string => rows[n % rows.length]?.id ?? NOWHERE;

const ANY_VERSION = { 'if-match': '*' };
const HOUR_MS = 3_600_000;
const timeOf = (n: number): string => new Date(Date.now() - n * HOUR_MS).toISOString();

const lead = ([a, b, c]: Numbers): object => ({
  email: choose(EMAILS, a),
  ...(b % 2 && { phone: `021 555 0${100 + (c % 900)}` }),
  ...(b % 3 && { tags: [choose(LABELS, c), choose(LABELS, a)] }),
  ...(c % 2 && { notes: `note ${b % 5}` }),
  ...(a % 2 &&
    choose([{ projectId: LIVE }, { projectId: LIVE, unitId: UNIT }, { projectId: OTHER_LIVE }], b)),
});

const FIELDS: [string, unknown[]][] = [
  ['firstName', ['Ana', 'Zoë', null]],
  ['lastName', ['Ngata', null]],
  ['phone', ['09 555 0100', null]],
  ['mobilePhone', ['021 555 0100', null]],
  ['stage', [...STAGES, null]],
  ['source', ['Website', 'Agent', null]],
  ['notes', ['Mornings', null]],
  ['budget', [850_000, null]],
  ['email', EMAILS],
];

const STEPS_OF_CLIENTS: Record<
  string,
  (api: Api, known: Known, numbers: Numbers) => Promise<Answer>
> = {
  lead: (api, _known, numbers) => api.post('/contacts', lead(numbers)),
  batch: (api, _known, [a, b, c]) =>
    api.post('/contacts/batch', { contacts: [lead([a, b, c]), lead([b, c, a]), lead([c, a, b])] }),
  change: (api, { contacts }, [a, b, c]) => {
    const [field, values] = choose(FIELDS, b);
    return api.patch(`/contacts/${idOf(contacts, a)}`, { [field]: choose(values, c) }, ANY_VERSION);
  },
  archive: (api, { contacts }, [a, b]) =>
    api.post(`/contacts/${idOf(contacts, a)}/${choose(['archive', 'restore'], b)}`),
  erase: (api, { contacts }, [a]) => api.remove(`/contacts/${idOf(contacts, a)}`, ANY_VERSION),
  tag: (api, { contacts }, [a, b, c]) =>
    api.post(`/contacts/${idOf(contacts, a)}/tags`, {
      add: [choose(LABELS, b)],
      remove: [choose(LABELS, c)],
    }),
  link: (api, { contacts }, [a, b]) =>
    api.post(
      `/contacts/${idOf(contacts, a)}/links`,
      choose(
        [{ projectId: LIVE }, { projectId: LIVE, unitId: UNIT }, { projectId: OTHER_LIVE }],
        b,
      ),
    ),
  unlink: (api, { contacts }, [a, b]) => {
    const links = contacts[a % contacts.length]?.['links'] ?? [];
    return api.remove(`/contacts/${idOf(contacts, a)}/links/${idOf(links as Row[], b)}`);
  },
  note: (api, { contacts }, [a, b, c]) =>
    api.post(`/contacts/${idOf(contacts, a)}/activities`, {
      type: choose(['note', 'call', 'email'], b),
      body: `text ${c % 5}`,
      occurredAt: timeOf(c),
    }),
  changeActivity: (api, { activities }, [a, b]) =>
    api.patch(`/activities/${idOf(activities, a)}`, { occurredAt: timeOf(b) }, ANY_VERSION),
  removeActivity: (api, { activities }, [a]) =>
    api.remove(`/activities/${idOf(activities, a)}`, ANY_VERSION),
  bulk: (api, { contacts }, [a, b, c]) =>
    api.post('/contacts/bulk', {
      ...choose(
        [{ ids: [idOf(contacts, a), idOf(contacts, a + 1)] }, { filter: { stage: ['New'] } }],
        b,
      ),
      ...choose<object>(
        [
          { set: { stage: choose(STAGES, a) } },
          { addTags: [choose(LABELS, a)] },
          { removeTags: [choose(LABELS, a)] },
          { archive: a % 2 === 0 },
        ],
        c,
      ),
    }),
  merge: async (api, _known, [a]) => {
    const { body } = await api.get('/contacts/duplicates');
    const [kept, ...others] = choose<{ contacts: Row[] }>(body.data, a)?.contacts ?? [];
    const path = `/contacts/${kept?.id ?? NOWHERE}/merge`;
    return api.post(path, { duplicateIds: others.map(({ id }) => id) });
  },
  renameTag: (api, { tags }, [a, b]) =>
    api.patch(`/tags/${idOf(tags, a)}`, { label: `${choose(LABELS, b)} ${b % 2}` }, ANY_VERSION),
  mergeTags: (api, { tags }, [a, b]) =>
    api.post(`/tags/${idOf(tags, a)}/merge`, { into: idOf(tags, b) }),
  removeTag: (api, { tags }, [a]) => api.remove(`/tags/${idOf(tags, a)}`, ANY_VERSION),
};

const STEP = fc.tuple(
  fc.constantFrom(...Object.keys(STEPS_OF_CLIENTS)),
  fc.tuple(fc.nat(999), fc.nat(999), fc.nat(999)),
);

async function listAll(api: Api, path: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor = ''; ;) {
    const { status, text, body } = await api.get(`${path}limit=100${cursor}`);
    assert.equal(status, 200, text);
    rows.push(...body.data);
    if (body.pagination.nextCursor === null) return rows;
    cursor = `&cursor=${encodeURIComponent(body.pagination.nextCursor)}`;
  }
}

const listContacts = (api: Api) => listAll(api, '/contacts?archived=any&include=links&');
const listActivities = (api: Api) => listAll(api, '/activities?');

/** The names of the steps that changed something. */
const succeeded = new Set<string>();

/** Takes steps until there are none. Each third step looks at the account again. */
async function takeSteps(api: Api, steps: Iterator<[string, Numbers]>): Promise<void> {
  let known: Known | undefined;
  for (let turn = 0; ; turn += 1) {
    const { value, done } = steps.next();
    if (done === true) return;
    const [name, numbers] = value;
    if (turn % 3 === 0 || known === undefined)
      known = {
        contacts: await listContacts(api),
        activities: await listActivities(api),
        tags: (await api.get('/tags')).body.data,
      };
    const answer = await STEPS_OF_CLIENTS[name]?.(api, known, numbers);
    assert.ok((answer?.status ?? 500) < 500, `${name}: ${answer?.text}`);
    if (answer?.status !== undefined && answer.status < 300) succeeded.add(name);
  }
}

/** Contacts and activities of another system, which follows the events. */
class Copy {
  readonly contacts = new Map<string, Row>();
  readonly activities = new Map<string, Row>();
  readonly #api: Api;
  #cursor = '';

  constructor(api: Api) {
    this.#api = api;
  }

  /** Reads the events that it has not read, and what they name. Returns how many there were. */
  async catchUp(): Promise<number> {
    const { body } = await this.#api.get(`/events?limit=100${this.#cursor}`);
    for (const { type, data } of body.data) await this.#apply(type, data);
    this.#cursor = `&after=${body.cursor}`;
    return body.data.length;
  }

  async #apply(type: string, data: Record<string, string>): Promise<void> {
    const { id = '', contactId, intoId } = data;
    if (type === 'contact.erased' || type === 'contact.merged') this.#forget(id);
    if (intoId !== undefined) await this.#readContact(intoId, true);
    else if (contactId !== undefined) {
      await this.#readActivity(id);
      await this.#readContact(contactId);
    } else if (type.startsWith('contact.')) await this.#readContact(id);
  }

  #forget(contactId: string): void {
    this.contacts.delete(contactId);
    for (const [id, activity] of this.activities)
      if (activity['contactId'] === contactId) this.activities.delete(id);
  }

  async #readContact(id: string, withActivities = false): Promise<void> {
    const { status, body } = await this.#api.get(`/contacts/${id}`);
    if (withActivities || status === 404) this.#forget(id);
    if (status === 404) return;
    this.contacts.set(id, body);
    if (!withActivities) return;
    for (const activity of await listAll(this.#api, `/contacts/${id}/activities?`))
      this.activities.set(activity.id, activity);
  }

  async #readActivity(id: string): Promise<void> {
    const { status, body } = await this.#api.get(`/activities/${id}`);
    if (status === 404) this.activities.delete(id);
    else this.activities.set(id, body);
  }
}

const byId = (rows: Iterable<Row>): Row[] => [...rows].toSorted((a, b) => (a.id < b.id ? -1 : 1));

const account = await makeAccount(
  EMAILS.flatMap((email, n) => [
    { email, name: `First ${n}` },
    { email, phone: `09 555 0${n}`, tags: [choose(LABELS, n)] },
  ]),
);
const api = await account.program(
  'leads:import',
  'contacts:read',
  'contacts:write',
  'contacts:manage',
  'contacts:erase',
  'settings:read',
  'settings:write',
  'events:read',
  'audit:read',
);
const copy = new Copy(api);

/** Lets the clients take all steps, while the copy follows. */
async function changeAccount(): Promise<void> {
  const steps = fc.sample(STEP, { numRuns: STEPS, seed: SEED }).values();
  let areClientsDone = false;
  const clients = Promise.all(Array.from({ length: CLIENTS }, () => takeSteps(api, steps))).finally(
    () => (areClientsDone = true),
  );
  for (let isLast = false; !isLast;) {
    const wereDone = areClientsDone;
    isLast = (await copy.catchUp()) === 0 && wereDone;
  }
  await clients;
}

await changeAccount();

test(`a copy that follows the events is equal to the lists after ${STEPS} steps of ${CLIENTS} clients at once (SEED=${SEED})`, async () => {
  assert.deepEqual([...succeeded].toSorted(), Object.keys(STEPS_OF_CLIENTS).toSorted());
  assert.deepEqual(byId(copy.contacts.values()), byId(await listContacts(api)));
  assert.deepEqual(byId(copy.activities.values()), byId(await listActivities(api)));
});

test('the changes of a contact lead from nothing to what it has now, unless it was merged and has those of others, too', async () => {
  const changes = await listAll(api, '/changes?subjectType=contact&');
  const merges = (await api.get('/events?types=contact.merged&limit=1000')).body.data;
  const merged = new Set(merges.map(({ data }: { data: { intoId: string } }) => data.intoId));
  const valuesOf = new Map<string, Record<string, unknown>>();
  for (const { before, after, ...change } of changes.toReversed()) {
    const subject = String(change['subject']);
    const field = String(change['field']);
    const values = valuesOf.get(subject) ?? {};
    valuesOf.set(subject, values);
    if (field === 'tags' || field === 'links' || merged.has(subject)) continue;
    assert.deepEqual(before, values[field] ?? null, `${subject} ${field}`);
    values[field] = after;
  }
  const contacts = (await listContacts(api)).filter(({ id }) => !merged.has(id));
  assert.notEqual(contacts.length, 0);
  for (const contact of contacts)
    for (const [field, value] of Object.entries(valuesOf.get(contact.id) ?? {}))
      if (field in contact) assert.deepEqual(contact[field], value, `${contact.id} ${field}`);
});

test('each contact shows the time of its latest activity, and no two changed at the same time', async () => {
  const contacts = await listContacts(api);
  const activities = await listActivities(api);
  for (const { id, lastActivityAt, createdAt } of contacts) {
    const times = activities.filter(({ contactId }) => contactId === id);
    const latest = times
      .map(({ occurredAt }) => String(occurredAt))
      .toSorted()
      .at(-1);
    assert.equal(lastActivityAt, latest ?? createdAt);
  }
  assert.equal(new Set(contacts.map(({ updatedAt }) => updatedAt)).size, contacts.length);
});
