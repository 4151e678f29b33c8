import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import pg from 'pg';
import { uuidv7 } from 'uuidv7';
import { accountIdOf } from './support/accounts.ts';
import {
  developerFile,
  developersOf,
  LIVE,
  UNIT,
  USER,
  type Developer,
} from './support/developer.ts';
import { build, type Answer } from './support/harness.ts';
import { neighbour, withoutRequestId, THEIRS } from './support/neighbours.ts';

const service = await build({ after });
const makeDeveloper = developersOf(service);
const EMAIL = 'aroha@example.com';
const CONTACTS = '/api/v1/contacts';

const query = async (text: string, values: unknown[] = []) =>
  (await service.db.query({ name: '', text, values })).rows;

const mine = await makeDeveloper();
const theirs = await neighbour(service);

const get = ({ key }: Developer, path: string): Promise<Answer> =>
  service.send({ url: `/api/v1${path}`, key });

describe('two accounts with the same slugs and ids', () => {
  test('each read their own stocklist and projects', async () => {
    for (const [developer, own, other] of [
      [mine, 'Tūī Ridge Limited', 'Neighbour'],
      [theirs, 'Neighbour Limited', 'Tūī Ridge Limited'],
    ] as const)
      for (const path of ['/stocklist', '/projects/harbourlight']) {
        const { status, text, body } = await get(developer, path);
        assert.equal(status, 200);
        assert.equal(body.organization.companyName, own);
        assert.ok(!text.includes(other));
      }
    const names = (await get(theirs, '/stocklist')).body.projects.map(
      ({ name }: { name: string }) => name,
    );
    assert.deepEqual(new Set(names), new Set(['Neighbour project']));
    assert.equal((await get(theirs, '/projects/harbourlight')).body.project.name, names[0]);
  });

  test('have different validators for the same path', async () => {
    const [own, other] = [await get(mine, '/stocklist'), await get(theirs, '/stocklist')];
    assert.notEqual(own.headers['etag'], other.headers['etag']);
    const headers = { 'if-none-match': String(other.headers['etag']) };
    const { status } = await service.send({ url: '/api/v1/stocklist', key: mine.key, headers });
    assert.equal(status, 200);
  });

  test('each create a contact with the same email', async () => {
    const [one, two] = [await makeDeveloper(), await makeDeveloper()];
    const first = await one.post({ email: EMAIL, tag: 'Hot', notes: 'one', projectId: LIVE });
    const before = await one.exported();
    const second = await two.post({ email: EMAIL, tag: 'HOT', notes: 'two', projectId: LIVE });
    assert.deepEqual([first.status, second.status], [201, 201]);
    assert.notEqual(first.body.contactId, second.body.contactId);
    assert.deepEqual(await one.exported(), before);
    assert.deepEqual((await two.exported()).tags, [{ label: 'HOT' }]);
  });

  test('find only their own contacts when they import at the same time', async () => {
    const pair = [await makeDeveloper(), await makeDeveloper()] as const;
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        (n % 2 ? pair[1] : pair[0]).post({
          email: EMAIL,
          notes: `${n % 2}-${n}`,
          tag: `Tag ${n % 2}`,
        }),
      ),
    );
    assert.equal(answers.filter(({ status }) => status === 201).length, 2);
    for (const [index, developer] of pair.entries()) {
      const { activities, tags } = await developer.contact(EMAIL);
      assert.equal(activities.length, 30);
      for (const { body } of activities) assert.ok(body.startsWith(`${index}-`));
      assert.deepEqual(tags, [`Tag ${index}`]);
    }
  });

  test('a 409 duplicate_contacts lists the duplicates of the account alone', async () => {
    const twins = ['x', 'y'].map(() => ({ id: uuidv7(), email: EMAIL }));
    const [clean, doubled] = [await makeDeveloper(), await makeDeveloper(twins)];
    assert.equal((await clean.post({ email: EMAIL })).status, 201);
    const { body } = await doubled.refused({ email: EMAIL }, 'duplicate_contacts');
    assert.deepEqual(
      body.matchingContactIds,
      twins.map(({ id }) => id),
    );
  });

  test('merge into their own contact, even when both contacts have one id', async () => {
    const id = uuidv7();
    const contact = {
      id,
      email: EMAIL,
      tags: ['Hot'],
      activities: [{ type: 'note', body: 'same', occurredAt: '2026-01-01T00:00:00.000Z' }],
      links: [{ projectId: LIVE }],
    };
    const one = await makeDeveloper([{ id, email: EMAIL }]);
    const other = await makeDeveloper([contact]);
    const before = await other.exported();
    const lead = { email: EMAIL, phone: '1', notes: 'same', tag: 'Hot', projectId: LIVE };
    const { body } = await one.post(lead);
    assert.equal(body.contactId, id);
    for (const field of ['phone_primary', 'notes', 'contact_tags'])
      assert.ok(body.filledFields.includes(field), field);
    assert.equal((await one.contact(EMAIL)).links.length, 1);
    assert.deepEqual(await other.exported(), before);
  });

  test('assign to their own user, even when both users have one id', async () => {
    const one = await makeDeveloper();
    const other = await makeDeveloper();
    await service.load({
      ...developerFile(other.slug),
      users: [{ id: USER, active: false }],
    });
    const fields = { email: EMAIL, assignedAccountUserId: USER };
    assert.equal((await one.post(fields)).status, 201);
    await other.refused(fields, 'user_not_active', '/assignedAccountUserId');
  });
});

describe('data of another account', () => {
  test('a draft, an archived and an unknown project are the same 404 as a project of another account', async () => {
    const answers = await Promise.all(
      ['matai-lane', 'rimu-court', 'nothing', 'theirs'].map(async (slug) => {
        const { status, headers, text } = withoutRequestId(await get(mine, `/projects/${slug}`));
        return {
          status,
          headers: { ...headers, 'content-length': 0 },
          text: text.replaceAll(slug, ''),
        };
      }),
    );
    for (const answer of answers) assert.deepEqual(answer, answers[0]);
  });

  test('POST /contacts does not merge into a contact of another account with the same email', async () => {
    const before = await theirs.exported();
    const { status, body } = await mine.post({ email: EMAIL, phone: '1', tag: 'Neighbour tag' });
    assert.equal(status, 201);
    assert.notEqual(body.contactId, THEIRS.contact);
    assert.ok(body.filledFields.includes('phone_primary'));
    assert.deepEqual(await theirs.exported(), before);
    assert.ok(!JSON.stringify(await mine.exported()).includes('Neighbour contact'));
  });

  test('no parameter, header or field makes a key write to another account', async () => {
    const { body } = await service.send({
      method: 'POST',
      url: `${CONTACTS}?account=${theirs.slug}`,
      key: mine.key,
      headers: { 'x-account': theirs.slug },
      payload: {
        email: 'own@example.com',
        accountId: await accountIdOf(service.db, theirs),
      },
    });
    assert.equal((await mine.contact('own@example.com')).id, body.contactId);
  });
});

describe('the database', () => {
  test('refuses a link to a unit and a project that the unit does not belong to', async () => {
    const account = await accountIdOf(service.db, mine);
    const { contactId } = (await mine.post({ email: 'unit@example.com' })).body;
    const other = '0196a000-0000-7000-8000-000000000102';
    await assert.rejects(
      query(
        `insert into contact_links (account_id, contact_id, id, project_id, unit_id)
          values ($1, $2, $3, $4, $5)`,
        [account, contactId, uuidv7(), other, UNIT],
      ),
      (error) => error instanceof pg.DatabaseError && error.code === '23503',
    );
  });

  const TENANT_TABLES = `select oid, relname from pg_class
    where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
      and relname not in ('schema_migrations', 'account_slugs', 'sweeps')`;

  test('has account_id first in every primary key of a tenant, and in every index', async () => {
    const rows = await query(`select indexrelid::regclass::text as index, indisprimary as primary,
        (select array_position(array_agg(attname order by place), 'account_id') from pg_attribute
          join unnest(indkey::int2[]) with ordinality as key(attnum, place) using (attnum)
          where attrelid = indrelid) as place
      from (${TENANT_TABLES}) t join pg_index on indrelid = t.oid`);
    assert.ok(rows.length > 15);
    for (const { index, primary, place } of rows) {
      // The account would be in every entry of the words, and slow each search down.
      if (['contacts_by_word', 'units_by_word'].includes(String(index))) continue;
      assert.ok(place !== null, `${index} is without account_id`);
      assert.ok(!primary || place === 1, `${index} is primary and does not begin with account_id`);
    }
  });

  test('has a primary key that begins with account_id in every table of a tenant', async () => {
    const rows = await query(`select relname from (${TENANT_TABLES}) t
      where not exists (select from pg_index where indrelid = t.oid and indisprimary)`);
    assert.deepEqual(rows, []);
    const nullable = await query(`select relname from (${TENANT_TABLES}) t
      where not exists (select from pg_attribute
        where attrelid = t.oid and attname = 'account_id' and attnotnull and atttypid = 'uuid'::regtype)`);
    assert.deepEqual(nullable, []);
  });

  test('has foreign keys from account_id to account_id, not deferrable, that cascade or refuse', async () => {
    const rows = await query(`select conrelid::regclass::text || ': ' || conname as name,
        (select attname from pg_attribute where attrelid = conrelid and attnum = conkey[1]) as "from",
        (select attname from pg_attribute where attrelid = confrelid and attnum = confkey[1]) as "to",
        confdeltype in ('a', 'r', 'c') and confupdtype in ('a', 'r', 'c') as plain,
        condeferrable as deferrable, convalidated as valid
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`);
    assert.ok(rows.length > 10);
    for (const { name, ...rest } of rows)
      assert.deepEqual(
        rest,
        { from: 'account_id', to: 'account_id', plain: true, deferrable: false, valid: true },
        name,
      );
  });

  test('ties every table of a tenant to its account by a foreign key, except the import log, which is swept', async () => {
    const roots = await query(`select relname from (${TENANT_TABLES}) t
      where relname not in ('accounts', 'imports') and not exists (
        select from pg_constraint where conrelid = t.oid and contype = 'f')`);
    assert.deepEqual(roots, []);
  });

  test('has no triggers of its own, no rules, no functions, no row security', async () => {
    // Citus has triggers on its own tables.
    assert.deepEqual(
      await query(`select tgname from pg_trigger where not tgisinternal
        and not exists (select from pg_depend where objid = tgfoid and deptype = 'e')`),
      [],
    );
    assert.deepEqual(await query(`select rulename from pg_rules where schemaname = 'public'`), []);
    assert.deepEqual(
      await query(`select proname from pg_proc where pronamespace = 'public'::regnamespace
        and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')`),
      [],
    );
    assert.deepEqual(await query('select relname from pg_class where relrowsecurity'), []);
  });
});
