import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  developersOf,
  LIVE,
  OTHER_LIVE,
  OTHER_UNIT,
  OTHER_USER,
  UNIT,
  USER,
} from '../support/developer.ts';
import { build } from '../support/harness.ts';

/* Checks the list of contacts against a plain filter and sort in memory. */

const service = await build({ after });
const makeDeveloper = developersOf(service);

interface ListedContact {
  id: string;
  email: string;
  tags: { id: string; label: string }[];
}

const STAGES = ['New', 'Contacted', 'Viewing', 'Lost', null];
const SOURCES = ['Website', 'Referral', null];
const BUYERS = ['Investor', 'Other', null];
const LABELS = ['Hot', 'Brochure', 'VIP'];
const NAMES = ['Aroha Ngata', 'Mele Taufa', 'aroha smith', 'Zoë', 'Zoe', null];

let seed = 7;
/** A small generator of numbers, so that each run tries the same. */
function random(count: number): number {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed % count;
}
const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T;
const day = () => `2026-0${1 + random(9)}-${10 + random(15)}T00:00:00.000Z`;

interface ModelContact {
  email: string;
  name: string | null;
  phone: string | null;
  stage: string | null;
  source: string | null;
  buyerType: string | null;
  assignedAccountUserId: string | null;
  createdAt: string;
  archivedAt: string | null;
  tags: string[];
  links: { projectId: string; unitId: string | null }[];
  activities: { type: string; body: string; occurredAt: string }[];
}

function makeContact(_: unknown, n: number): ModelContact {
  const links = [
    { projectId: LIVE, unitId: null },
    { projectId: LIVE, unitId: UNIT },
    { projectId: OTHER_LIVE, unitId: OTHER_UNIT },
  ];
  return {
    email: `c${n}@x.nz`,
    name: pick(NAMES),
    phone: pick(['021 555 0123', null]),
    stage: pick(STAGES),
    source: pick(SOURCES),
    buyerType: pick(BUYERS),
    assignedAccountUserId: pick([USER, OTHER_USER, null]),
    createdAt: day(),
    archivedAt: random(5) === 0 ? '2026-10-01T00:00:00.000Z' : null,
    tags: LABELS.filter(() => random(3) === 0),
    links: links.filter(() => random(4) === 0),
    activities: random(2) === 0 ? [] : [{ type: 'note', body: 'x', occurredAt: day() }],
  };
}

const lastActivityOf = ({ activities, createdAt }: ModelContact): string =>
  activities[0]?.occurredAt ?? createdAt;

type Condition = (contact: ModelContact) => boolean;

/** The condition of a parameter that takes several values, `none` among them. */
const hasAnyOf =
  (given: string[], read: (contact: ModelContact) => (string | null)[]): Condition =>
  (contact) => {
    const own = read(contact).filter((value) => value !== null);
    return own.length === 0 ? given.includes('none') : own.some((value) => given.includes(value));
  };

/** Makes a random filter: its query, and the condition in memory. */
function makeFilter(tagIds: Map<string, string>): { query: URLSearchParams; matches: Condition } {
  const query = new URLSearchParams();
  const conditions: Condition[] = [];
  const maybe = (name: string, make: () => [value: string, condition: Condition]) => {
    if (random(5) > 0) return;
    const [value, condition] = make();
    query.set(name, value);
    conditions.push(condition);
  };
  const several = (values: string[]) => [...new Set([pick(values), pick(values)])];
  const list = (name: string, values: (string | null)[], read: Parameters<typeof hasAnyOf>[1]) =>
    maybe(name, () => {
      const given = several(values.map((value) => value ?? 'none'));
      return [given.join(), hasAnyOf(given, read)];
    });
  list('stage', STAGES, ({ stage }) => [stage]);
  list('source', SOURCES, ({ source }) => [source]);
  list('buyerType', BUYERS, ({ buyerType }) => [buyerType]);
  list('assignedTo', [USER, OTHER_USER, null], (each) => [each.assignedAccountUserId]);
  list('project', [LIVE, OTHER_LIVE, null], ({ links }) => links.map((link) => link.projectId));
  list('unit', [UNIT, OTHER_UNIT, null], ({ links }) => links.map((link) => link.unitId));
  list('tag', [...LABELS.map((label) => tagIds.get(label) ?? ''), null], ({ tags }) =>
    tags.map((label) => tagIds.get(label) ?? ''),
  );
  maybe('hasPhone', () => {
    const wanted = random(2) === 0;
    return [String(wanted), ({ phone }) => (phone !== null) === wanted];
  });
  const time = (name: string, matches: (contact: ModelContact, at: string) => boolean) =>
    maybe(name, () => {
      const at = day();
      return [at, (contact) => matches(contact, at)];
    });
  time('createdAfter', ({ createdAt }, at) => createdAt > at);
  time('createdBefore', ({ createdAt }, at) => createdAt < at);
  time('lastActivityAfter', (contact, at) => lastActivityOf(contact) > at);
  time('lastActivityBefore', (contact, at) => lastActivityOf(contact) < at);
  maybe('q', () => ['aro', ({ name }) => /\baro/i.test(name ?? '')]);
  const archived = pick(['', 'true', 'any']);
  if (archived !== '') query.set('archived', archived);
  if (archived !== 'any')
    conditions.push(({ archivedAt }) => (archivedAt !== null) === (archived === 'true'));
  return { query, matches: (contact) => conditions.every((condition) => condition(contact)) };
}

test('every filter with every sort gives what a plain filter in memory gives', async () => {
  const contacts = Array.from({ length: 150 }, makeContact);
  const { slug } = await makeDeveloper(contacts);
  const key = await service.key(slug, 'all');
  const ask = (query: string) => service.send({ url: `/api/v1/contacts?${query}`, key });
  const all: ListedContact[] = (await ask('archived=any&limit=100')).body.data;
  const tagIds = new Map(all.flatMap(({ tags }) => tags.map(({ id, label }) => [label, id])));
  const FOLDED: Record<string, string> = { Zoë: 'zoe' };
  const nameOf = ({ name }: ModelContact) => name && (FOLDED[name] ?? name.toLowerCase());
  const KEYS: Record<string, (contact: ModelContact) => string | null> = {
    createdAt: ({ createdAt }) => createdAt,
    lastActivityAt: lastActivityOf,
    name: nameOf,
  };
  for (let round = 0; round < 200; round += 1) {
    const { query, matches } = makeFilter(tagIds);
    const order = pick(Object.keys(KEYS));
    const isDescending = random(2) === 0;
    query.set('sort', `${isDescending ? '-' : ''}${order}`);
    query.set('limit', String(1 + random(60)));
    query.set('count', 'true');
    const found: ListedContact[] = [];
    for (let cursor: string | null = null; ;) {
      if (cursor !== null) query.set('cursor', cursor);
      const { body, text, status } = await ask(query.toString());
      assert.equal(status, 200, `${query.toString()} ${text}`);
      found.push(...body.data);
      cursor = body.pagination.nextCursor;
      if (cursor === null) {
        assert.equal(body.pagination.totalCount, found.length, String(query));
        break;
      }
    }
    const expected = contacts.filter(matches);
    assert.deepEqual(
      found.map(({ email }) => email).toSorted(),
      expected.map(({ email }) => email).toSorted(),
      String(query),
    );
    const byEmail = new Map(contacts.map((contact) => [contact.email, contact]));
    const rows = found.map(({ id, email }) => ({
      id,
      value: KEYS[order]?.(byEmail.get(email) as ModelContact) ?? null,
    }));
    const sorted = rows.toSorted((a, b) => {
      if (a.value === null || b.value === null)
        if (a.value !== b.value) return a.value === null ? 1 : -1;
      const isBefore = (a.value ?? '') < (b.value ?? '') || (a.value === b.value && a.id < b.id);
      return isBefore === isDescending ? 1 : -1;
    });
    assert.deepEqual(rows, sorted, String(query));
  }
});
