import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAccount, makeKey, makeStock } from '../../bench/data.ts';
import { isCitus } from '../support/databases.ts';
import { createDatabase } from '../support/harness.ts';
import { instance } from '../support/instances.ts';
import { readAllLists } from '../support/list-reads.ts';
import { run } from '../support/sql.ts';

/**
 * A walk along the index of an order looks up a block of the visibility map for about two of three entries, since the contacts of
 * neighbouring entries lie far apart; the rows of all contacts would be more.
 */
const BLOCKS_MAX = 8_000;

test(
  'no page of a list of 10,000 contacts reads more than a walk and the rows that match',
  { skip: isCitus() && 'the workers read the blocks, and the test counts those of one server' },
  async (t) => {
    const lists = await readAllLists(t, 10_000);
    assert.deepEqual(
      lists.filter(({ blocks }) => blocks > BLOCKS_MAX),
      [],
    );
  },
);

/** Contacts before those that match: more than the first walk along the index reads, so it finds no match. */
const OTHERS = 6_000;
/** Contacts that match: too many to look up and sort, so a second walk finds them. */
const OLD = 21_000;

test('the pages of 21,000 contacts of a project and a tag list them in order, after 6,000 other contacts', async (t) => {
  const db = await createDatabase(t);
  const account = await makeAccount(db, 'lists');
  await makeStock(db, account, { projects: 2, units: 1, images: 0 });
  const idOf = async (text: string) => String((await run(db, text, [account.id])).rows[0]?.['id']);
  const project = await idOf('select id from projects where account_id = $1 limit 1');
  const tag = await idOf(
    `insert into tags (account_id, id, label, label_key) select $1, gen_random_uuid(), 'Old', 'old' returning id`,
  );
  const statements = [
    `insert into contacts (account_id, id, email, email_key, name, name_key, created_at, search_text, has_phone, has_tag, has_project)
      select $1, gen_random_uuid(), n || '@x.nz', n || '@x.nz', name, name, now() - n * interval '1 minute', '', false, n > $2, n > $2
      from generate_series(1, $2::int + $3) n,
        lateral (values (case when n % 500 > 0 then case when n > $2 then 'b' else 'a' end || n % 7000 end)) as named(name)`,
    `insert into contact_links (account_id, id, contact_id, project_id)
      select $1, gen_random_uuid(), id, '${project}' from contacts where has_project and $2::int + $3::int > 0`,
    `insert into contact_tags (account_id, id, contact_id, tag_id)
      select $1, gen_random_uuid(), id, '${tag}' from contacts where has_project and $2::int + $3::int > 0`,
    'analyze contacts, contact_links, contact_tags',
  ];
  for (const text of statements)
    await run(db, text, text.includes('$1') ? [account.id, OTHERS, OLD] : []);
  const key = await makeKey(db, account, ['contacts:read']);
  const app = await instance(t, db);
  const ask = async (query: string) => {
    const headers = { authorization: `Bearer ${key}` };
    const response = await app.inject({ url: `/api/v1/contacts?limit=100&${query}`, headers });
    assert.equal(response.statusCode, 200, response.payload);
    return response.json();
  };
  for (const filter of [`project=${project}`, `tag=${tag}`, `project=${project}&tag=${tag}`])
    for (const sort of ['-createdAt', 'createdAt', 'name', '-name']) {
      const column = sort.includes('name') ? 'name_key' : 'created_at';
      const direction = sort.startsWith('-') ? 'desc' : 'asc';
      const { rows } = await run(
        db,
        `select array_agg(id order by ${column} ${direction} nulls last, id ${direction}) as ids
          from contacts where account_id = $1 and has_project`,
        [account.id],
      );
      const expected: string[] = rows[0]?.['ids'] as string[];
      const found: string[] = [];
      let cursor = '';
      for (let page = 0; page < 3; page += 1) {
        const { data, pagination } = await ask(`${filter}&sort=${sort}${cursor}`);
        found.push(...data.map(({ id }: { id: string }) => id));
        cursor = `&cursor=${pagination.nextCursor}`;
      }
      assert.deepEqual(found, expected.slice(0, 300), `${filter} ${sort}`);
    }
});
