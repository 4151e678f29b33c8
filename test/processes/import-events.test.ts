import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { issueKey } from '../../src/keys/index.ts';
import { accountIdOf } from '../support/accounts.ts';
import { DRAFT, type Developer } from '../support/developer.ts';
import { readEvents } from '../support/event-log.ts';
import { buildWithCommand } from '../support/file-imports.ts';
import { run } from '../support/sql.ts';

const { db, makeDeveloper, importing, offplan, service } = await buildWithCommand({ after });
const HEADER = 'Email,First name,Project ID';
const row = (n: number) => `lead-${n}@example.com,Lead ${n},`;

const importLines = (to: Developer, lines: string[], ...flags: string[]) =>
  importing(to, [HEADER, ...lines], ...flags);

/** The events of files, and all events of the account. */
async function eventsOf(developer: Developer) {
  const all = await readEvents(db, await accountIdOf(db, developer));
  return { all, files: all.filter(({ type }) => type.startsWith('contact_file.')) };
}

async function runOf(developer: Developer): Promise<string> {
  const { rows } = await run(
    db,
    'select run_id from imports where account_id = $1 order by id desc limit 1',
    [await accountIdOf(db, developer)],
  );
  return String(rows[0]?.['run_id']);
}

describe('an import of a file', () => {
  test('ends with an event that has its counts, and the range of its events', async () => {
    const developer = await makeDeveloper([{ email: 'lead-1@example.com' }]);
    const { all: before } = await eventsOf(developer);
    const lines = [row(1), row(2), row(3), `lead-4@example.com,Lead 4,${DRAFT}`];
    await importLines(developer, lines, '--dry-run');
    assert.deepEqual((await eventsOf(developer)).all, before);
    await importLines(developer, lines);
    const { all, files } = await eventsOf(developer);
    const ofRun = all.slice(before.length, -1).map(({ sequence }) => sequence);
    assert.deepEqual(files, [
      {
        type: 'contact_file.completed',
        subject: await runOf(developer),
        actor: 'system',
        requestId: null,
        sequence: all.length,
        data: {
          created: 2,
          merged: 1,
          refused: 1,
          firstSequence: ofRun[0],
          lastSequence: ofRun.at(-1),
        },
      },
    ]);
    assert.ok(ofRun.length >= 6);
  });

  test('without rows appends no event, and one that fails on the way appends an event that says so', async () => {
    const developer = await makeDeveloper();
    await importLines(developer, []);
    assert.deepEqual((await eventsOf(developer)).files, []);
    const importing = importLines(
      developer,
      Array.from({ length: 3_000 }, (_, n) => row(n + 1)),
    );
    // PostgreSQL ends a connection that writes the second batch, or a later one.
    for (let gone = 0; gone === 0;) {
      const { rows } = await run(
        db,
        `select count(pg_terminate_backend(pid))::int as gone from pg_stat_activity
          where application_name = 'offplan' and datname = current_database() and pid <> pg_backend_pid()
            and query like 'insert into contacts %' and state <> 'idle'
            and exists (select 1 from imports where run_id is not null and account_id = $1)`,
        [await accountIdOf(db, developer)],
      );
      gone = Number(rows[0]?.['gone']);
    }
    assert.equal((await importing).code, 1);
    const { all, files } = await eventsOf(developer);
    assert.deepEqual(
      files.map(({ type, data }) => [type, data['created']]),
      [['contact_file.stopped', all.filter(({ type }) => type === 'contact.created').length]],
    );
  });

  test('that is undone appends an event once, with the numbers of removed and kept contacts', async () => {
    const developer = await makeDeveloper();
    await importLines(
      developer,
      Array.from({ length: 600 }, (_, n) => row(n + 1)),
    );
    const runId = await runOf(developer);
    await developer.post({ email: 'lead-1@example.com', phone: '021' });
    const { all: before } = await eventsOf(developer);
    await offplan('imports', 'undo', developer.slug, runId, '--dry-run');
    assert.deepEqual((await eventsOf(developer)).all, before);
    await offplan('imports', 'undo', developer.slug, runId);
    await offplan('imports', 'undo', developer.slug, runId);
    const { all, files } = await eventsOf(developer);
    const erased = all.filter(({ type }) => type === 'contact.erased');
    assert.deepEqual(
      files.map(({ type, subject }) => [type, subject]),
      [
        ['contact_file.completed', runId],
        ['contact_file.undone', runId],
      ],
    );
    assert.deepEqual(files[1]?.data, {
      removed: 599,
      kept: 1,
      firstSequence: before.length + 1,
      lastSequence: erased.at(-1)?.sequence,
    });
    assert.equal(files[1]?.sequence, all.length);
  });

  test('has an event that only a key which may manage contacts gets', async () => {
    const developer = await makeDeveloper();
    const accountId = await accountIdOf(db, developer);
    await importLines(developer, [row(1)]);
    for (const [scope, count] of [
      ['contacts:manage', 1],
      ['contacts:write', 0],
    ] as const) {
      const key = await issueKey(db, accountId, { name: scope, scopes: [scope, 'events:read'] });
      const url = '/api/v1/events?types=contact_file.*&include=object';
      const { body } = await service.send({ url, key });
      assert.equal(body.data.length, count);
      if (count > 0) assert.equal(body.data[0].object, null);
    }
  });
});
