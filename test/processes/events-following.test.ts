import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { accountIdOf } from '../support/accounts.ts';
import { developersOf } from '../support/developer.ts';
import { build, databaseUrl } from '../support/harness.ts';
import { serving, type Serving } from '../support/process.ts';
import { run } from '../support/sql.ts';
import { until } from '../support/until.ts';

const WRITERS = 8;
const KILLS = 2;
const BATCHES_BEFORE_KILL = 25;

interface Event {
  id: string;
  type: string;
  sequence: number;
  data: { id: string; importId?: string };
}

const service = await build({ after });
const { db } = service;
const mine = await developersOf(service)();
const accountId = await accountIdOf(db, mine);
const reader = await service.key(mine.slug, 'all');
const environment = { DATABASE_URL: await databaseUrl(db), LOG_LEVEL: 'silent' };

// PostgreSQL refuses these contacts when their rows are written: the transaction, with its events, is rolled back.
await run(db, `alter table contacts add constraint refuse check (email not like 'refuse%')`);

const OTHER_TRANSACTIONS = `select pid from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`;

async function serve(): Promise<Serving> {
  const server = await serving(environment);
  after(async () => void (await server.stop('SIGKILL')));
  return server;
}

test('a follower gets each committed event once and in order, while 8 writers roll back and processes are killed', async () => {
  const stopWriting = new AbortController();
  let haveWritersEnded = false;
  const servers = [await serve(), await serve()];
  let answered = 0;
  let made = 0;

  async function write(writer: number): Promise<void> {
    for (let turn = writer; !stopWriting.signal.aborted; turn += 1) {
      const contacts = Array.from({ length: 1 + (turn % 5) }, (_, at) => {
        made += 1;
        // Some leads find the contact of another one, and some transactions are rolled back.
        if (at === 3) return { email: `refuse-${made}@example.com` };
        return {
          email: `lead-${made - (made % 3)}@example.com`,
          phone: `${made}`,
          tag: `${made % 7}`,
        };
      });
      const { url } = servers[turn % servers.length] as Serving;
      const response = await fetch(`${url}/api/v1/contacts/batch`, {
        method: 'POST',
        headers: { authorization: `Bearer ${mine.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ contacts }),
        // The process may be killed meanwhile.
      }).catch(() => undefined);
      await response?.arrayBuffer().catch(() => undefined);
      if (response?.ok) answered += 1;
    }
  }

  const events: Event[] = [];
  async function follow(): Promise<void> {
    let cursor = '';
    for (;;) {
      // When the writers have ended before the request, an empty page is the last one.
      const isComplete = haveWritersEnded;
      const url = `/api/v1/events?limit=50&wait=${isComplete ? 0 : 1}${cursor}`;
      const { body } = await service.send({ url, key: reader });
      events.push(...(body.data as Event[]));
      cursor = `&after=${body.cursor}`;
      if (isComplete && !body.hasMore && body.data.length === 0) return;
    }
  }

  const writing = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
  const following = follow();
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const before = answered;
    await until(() => answered > before + BATCHES_BEFORE_KILL);
    await servers[1]?.stop('SIGKILL');
    servers[1] = await serve();
  }
  stopWriting.abort();
  await writing;
  // PostgreSQL goes on with a statement after its process was killed, and can commit.
  await until(async () => (await run(db, OTHER_TRANSACTIONS)).rows.length === 0);
  haveWritersEnded = true;
  await following;

  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    events.map((_, index) => index + 1),
  );
  assert.equal(new Set(events.map(({ id }) => id)).size, events.length);
  const subjectsOf = (type: string) =>
    events.filter((event) => event.type === type).map(({ data }) => data.id);
  const idsOf = async (text: string): Promise<string[]> =>
    (await run(db, text, [accountId])).rows.map((row) => String(row['id']));
  const contacts = await idsOf('select id from contacts where account_id = $1 order by id');
  assert.deepEqual(subjectsOf('contact.created').toSorted(), contacts);
  const accepted = await idsOf(
    `select id from imports where account_id = $1 and outcome <> 'refused' order by id`,
  );
  const enquired = events.flatMap(({ type, data }) =>
    type === 'contact.enquired' ? String(data.importId) : [],
  );
  assert.deepEqual(enquired.toSorted(), accepted);
  const refused = await idsOf(
    `select id from imports where account_id = $1 and outcome = 'refused' order by id`,
  );
  assert.deepEqual(subjectsOf('import.refused').toSorted(), refused);
  assert.ok(refused.length > 10 && accepted.length > contacts.length);
  const changed = await idsOf(
    `select distinct subject as id from changes
      where account_id = $1 and subject_type = 'contact' order by id`,
  );
  assert.deepEqual(changed, contacts);
});
