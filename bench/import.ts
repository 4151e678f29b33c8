/*
 * Imports of new leads over HTTP, against a floor measured in the same run: a bare Fastify that does one
 * hand-written insert for each request, committed and flushed, which is the least that keeps a lead.
 *
 *   node bench/import.ts [SECONDS]
 */
import Fastify from 'fastify';
import { uuidv7 } from 'uuidv7';
import { issueKey } from '../src/accounts/issue.ts';
import type { Pool } from '../src/database/pool.ts';
import { loadAccount } from '../src/portability/load.ts';
import { accountFile, machine, measure, withService } from './service.ts';

const duration = Number(process.argv[2] ?? 8);

const lead = (run: string) =>
  JSON.stringify({
    email: `lead-[<id>]-${run}@example.com`,
    firstName: 'Aroha',
    lastName: 'Ngata',
    mobilePhone: '+64 21 555 0142',
    source: 'Website',
    tags: ['Website lead', 'Brochure'],
    notes: 'Would like to see a two-bedroom apartment.',
  });

async function floor(db: Pool, accountId: string, connections: number): Promise<number> {
  const app = Fastify();
  app.post('/contacts', async (request, reply) => {
    const { email, firstName, lastName } = request.body as Record<string, string>;
    const id = uuidv7();
    await db.query({
      name: 'floor',
      text: `insert into contacts (account_id, id, email, email_key, first_name, last_name) values ($1, $2, $3, $3, $4, $5)`,
      values: [accountId, id, email, firstName, lastName],
    });
    return reply.code(201).send({ contactId: id });
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const result = await post(`${url}/contacts`, 'none', connections);
  await app.close();
  return result;
}

let runs = 0;

async function post(url: string, key: string, connections: number): Promise<number> {
  const { requests } = await measure({
    url,
    method: 'POST',
    connections,
    duration,
    idReplacement: true,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: lead(String((runs += 1))),
  });
  return requests.average;
}

await withService(async ({ db, url }) => {
  await loadAccount(db, accountFile('bench'));
  const { rows } = await db.query<{ account_id: string }>({
    name: 'bench_account',
    text: 'select account_id from account_slugs',
    values: [],
  });
  const accountId = rows[0]?.account_id ?? '';
  const key = await issueKey(db, accountId, { name: 'bench', access: 'read-write' });
  console.log(machine());
  for (const connections of [1, 8, 32, 128]) {
    const least = await floor(db, accountId, connections);
    const ours = await post(`${url}/api/v1/contacts`, key, connections);
    const ratio = (ours / least).toFixed(2);
    console.log(
      `${connections} clients: ${Math.round(ours)} leads/s, floor ${Math.round(least)}/s, ratio ${ratio}`,
    );
  }
});
