import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { developerFile } from '../support/developer.ts';
import { createDatabase, databaseUrl } from '../support/harness.ts';
import { BIN, offplan, serving, type Serving } from '../support/process.ts';
import { freePort } from '../support/ports.ts';
import { until } from '../support/until.ts';

const DAY_MS = 86_400_000;

// The test knows the shapes of the answers that it reads.
// eslint-disable-next-line typescript/no-explicit-any
type Answer = any;

const db = await createDatabase({ after });
const environment = { DATABASE_URL: await databaseUrl(db), LOG_LEVEL: 'error' };

describe('the demo account', () => {
  let server: Serving;
  let cookie: string;

  before(async () => {
    server = await serving(environment, '--demo');
    await until(() => server.printed().includes('/contacts/batch'));
    const token = /offplan_link_\w+/.exec(server.printed())?.[0];
    const accepted = await fetch(`${server.url}/api/v1/links/accept`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    cookie = accepted.headers.get('set-cookie')?.split(';')[0] ?? '';
  });
  after(() => server.stop());

  async function read(path: string): Promise<Answer> {
    const response = await fetch(`${server.url}${path}`, { headers: { Cookie: cookie } });
    assert.equal(response.status, 200, path);
    return response.json();
  }

  const count = async (list: string): Promise<number> => {
    const separator = list.includes('?') ? '&' : '?';
    const { pagination } = await read(`/api/v1/${list}${separator}limit=1&count=true`);
    return pagination.totalCount;
  };

  const dayOf = (daysAgo: number) =>
    new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);

  test('has projects with pictures that load, units of every status, and a team', async () => {
    const { data: projects } = await read('/api/v1/stock/projects?limit=100');
    assert.ok(projects.length >= 4);
    for (const { heroImage, galleryImages } of projects)
      for (const { url } of [heroImage, ...galleryImages])
        assert.equal((await fetch(url)).status, 200, url);
    assert.ok((await count('stock/units')) >= 380);
    const { data: figures } = await read('/api/v1/stats/stock');
    assert.equal(new Set(figures.map(({ status }: Answer) => status)).size, 8);
    assert.ok((await count('users')) >= 3);
  });

  test('has stock in two currencies, with a sum for each', async () => {
    const { data: figures } = await read('/api/v1/stats/stock');
    const available = figures.filter(({ status }: Answer) => status === 'Available');
    const sums = new Map(available.map(({ currency, value }: Answer) => [currency, value]));
    assert.deepEqual(new Set(sums.keys()), new Set(['AUD', 'NZD']));
    assert.ok([...sums.values()].every((sum) => Number(sum) > 1e6));
  });

  test('has prices and statuses that managers changed over the months, in the order of the log', async () => {
    const { data: changes } = await read('/api/v1/changes?subjectType=unit&limit=100');
    const times = changes.map(({ at }: Answer) => at);
    assert.deepEqual(times, times.toSorted().toReversed());
    assert.ok(
      (await count(`changes?subjectType=unit&field=price&before=${dayOf(90)}T00:00:00Z`)) > 500,
    );
    const { data: units } = await read('/api/v1/stock/units?status=Under+Contract&limit=20');
    assert.ok(units.length > 0);
    for (const { id, name, status, projectSlug } of units) {
      const { data: own } = await read(`/api/v1/changes?subject=${id}&field=status&limit=20`);
      const [latest, ...earlier] = own.filter(({ before }: Answer) => before !== null);
      assert.deepEqual([latest?.after, latest?.actor.type], [status, 'user'], name ?? projectSlug);
      assert.equal(latest.before, earlier[0]?.after ?? own.at(-1).after, name);
      assert.ok(Date.parse(latest.at) < Date.now() - 4 * DAY_MS);
    }
  });

  test('knows who gave the values of a contact: the website or a person, when the contact came in', async () => {
    for (const [source, type] of [
      ['Website', 'key'],
      ['Open Home', 'user'],
    ] as const) {
      const query = `source=${source.replace(' ', '+')}&createdBefore=${dayOf(9)}T00:00:00Z&limit=10`;
      const { data: contacts } = await read(`/api/v1/contacts?${query}`);
      assert.equal(contacts.length, 10);
      for (const { id, createdAt } of contacts) {
        const { provenance } = await read(`/api/v1/contacts/${id}?include=provenance`);
        assert.equal(provenance.email.actor.type, type);
        assert.equal(provenance.email.at, createdAt);
        if (type === 'key') assert.equal(provenance.email.actor.name, 'Website');
      }
    }
  });

  test('has a contact file that was imported, with a report and refused rows', async () => {
    const { data: files } = await read('/api/v1/contact-files');
    const [{ name, status, actor, run }] = files;
    assert.deepEqual([name, status, actor.type], ['open-home-lakefold.csv', 'completed', 'user']);
    const { created, merged, refused, reasons } = run;
    assert.deepEqual([created, merged, refused], [22, 1, 3]);
    assert.ok(reasons.length > 0);
  });

  test('has 5,000 contacts of a year up to today, in every stage and from every source', async () => {
    // The generated people depend on the time of the load. If one had the email of a lead or of a row of the file, the two would
    // be one contact, and there would be fewer.
    const { created: visitors } = (await read('/api/v1/contact-files')).data[0].run;
    const leads = 9;
    assert.equal(await count('contacts?archived=any'), 5_000 + visitors + leads);
    assert.ok((await count('contacts?archived=true')) > 0);
    // Whole months: one that the span cuts short can have any number.
    const today = new Date();
    const first = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 10, 1));
    const year = `/api/v1/stats/leads?interval=month&from=${first.toISOString().slice(0, 10)}`;
    const { data: months } = await read(year);
    for (const { start, newContacts } of months.slice(0, -1)) assert.ok(newContacts > 50, start);
    const { data: days } = await read(`/api/v1/stats/leads?from=${dayOf(6)}`);
    assert.ok(days.reduce((sum: number, { newContacts }: Answer) => sum + newContacts, 0) > 20);
    const groups = async (groupBy: string) => {
      const { data } = await read(`${year}&groupBy=${groupBy}`);
      return new Set(data.flatMap(({ group }: Answer) => group ?? [])).size;
    };
    assert.deepEqual([await groups('stage'), await groups('source')], [9, 6]);
  });

  test('has activities of every kind, with outcomes and the people who recorded them', async () => {
    const types = ['note', 'call', 'email', 'text', 'meeting', 'viewing', 'enquiry'];
    const counts = await Promise.all(types.map((type) => count(`activities?type=${type}`)));
    for (const [index, each] of counts.entries()) assert.ok(each > 100, types[index]);
    const { data: viewings } = await read('/api/v1/activities?type=viewing&limit=100');
    for (const { outcome, actor, occurredAt, body } of viewings) {
      assert.ok(outcome, body);
      assert.equal(actor.type, 'user');
      assert.ok(Date.parse(occurredAt) <= Date.now());
      assert.doesNotMatch(body, /[[\]{}|]|undefined|null/);
    }
  });

  test('links each unit that is sold or reserved to its buyer', async () => {
    const sold = 'status=Reserved,Under+Contract,Unconditional,Settled';
    const { data: units } = await read(`/api/v1/stock/units?${sold}&limit=100`);
    const alone = [];
    for (const { id, name } of units)
      if ((await count(`contacts?unit=${id}&archived=any`)) === 0) alone.push(name);
    assert.deepEqual(alone, []);
  });

  test('has refused leads of several kinds, some of them settled, and contacts that share an email', async () => {
    const { data: imports } = await read('/api/v1/imports?outcome=refused&limit=100');
    assert.ok(imports.length >= 40);
    const codes = new Set(imports.map(({ problem }: Answer) => problem.code));
    assert.deepEqual(
      codes,
      new Set([
        'invalid_request',
        'duplicate_contacts',
        'project_not_available',
        'unit_not_in_project',
        'user_not_active',
      ]),
    );
    const settlements = new Set(imports.map(({ settlement }: Answer) => settlement));
    assert.deepEqual(settlements, new Set([null, 'retried', 'dismissed']));
    assert.ok((await count('imports?open=true')) >= 30);
    const { data: duplicates } = await read('/api/v1/contacts/duplicates?limit=100');
    assert.ok(duplicates.length >= 8);
  });

  test('is not loaded when the port is in use; serve says so in one line before it opens the database', async () => {
    const { port } = new URL(server.url);
    const nowhere = { ...environment, DATABASE_URL: 'postgresql://offplan@127.0.0.1:1/none' };
    const { code, stdout, stderr } = await offplan(['serve', '--demo', '--port', port], nowhere);
    assert.deepEqual(
      [code, stdout, stderr],
      [1, '', `offplan: port ${port} on 127.0.0.1 is in use; name another with --port or PORT\n`],
    );
  });

  test('is not loaded into a database that has an account; serve says so', async (t) => {
    const other = { ...environment, DATABASE_URL: await databaseUrl(await createDatabase(t)) };
    const { code, stderr } = await offplan(
      ['load', '-'],
      other,
      JSON.stringify(developerFile('mine')),
    );
    assert.equal(code, 0, stderr);
    const mine = await serving(other, '--demo');
    t.after(() => mine.stop());
    await until(() => mine.printed().includes('keys create ACCOUNT'));
    assert.match(mine.printed(), /^The demo is not loaded, because there are accounts already: /m);
  });

  test('runs when its first lines cannot be printed; a later start prints how to make a key', async (t) => {
    const other = { LOG_LEVEL: 'warn', DATABASE_URL: await databaseUrl(await createDatabase(t)) };
    const port = await freePort();
    const child = spawn(BIN, ['serve', '--demo', '--port', String(port)], {
      env: { ...process.env, ...other },
    });
    t.after(() => void child.kill('SIGKILL'));
    child.stdout.destroy();
    let logged = '';
    child.stderr.on('data', (chunk: Buffer) => (logged += chunk.toString()));
    await until(() => child.exitCode !== null || logged.includes('was not printed'));
    assert.match(
      logged,
      /its reader has closed it.*how to sign in was not printed; the next start prints it/,
    );
    assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200);
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    assert.deepEqual(await ended, [0, null]);
    const again = await serving(other, '--demo');
    t.after(() => again.stop());
    await until(() => again.printed().includes('/contacts/batch'));
    assert.match(again.printed(), / keys create kowhai-lane --access read-write /);
  });

  test('an address that the machine does not have is refused with what to use', async () => {
    const { code, stderr } = await offplan(['serve', '--host', '203.0.113.5'], environment);
    assert.deepEqual(
      [code, stderr],
      [
        1,
        'offplan: this machine has no address 203.0.113.5; use 127.0.0.1, or 0.0.0.0 for all of its addresses\n',
      ],
    );
  });

  test('is exported into a file that loads into another installation, to the same account', async (t) => {
    const { stdout: file } = await offplan(['export', 'kowhai-lane'], environment);
    const other = { DATABASE_URL: await databaseUrl(await createDatabase(t)) };
    const { code, stderr } = await offplan(['load', '-'], other, file);
    assert.equal(code, 0, stderr);
    const { stdout } = await offplan(['export', 'kowhai-lane'], other);
    assert.ok(isDeepStrictEqual(sortEnquiries(stdout), sortEnquiries(file)), 'the files differ');
  });
});

/** Reads an account file. Its enquiries have no ids, so another installation has them in another order. */
function sortEnquiries(file: string): Answer {
  const { enquiries, ...account } = JSON.parse(file);
  return {
    ...account,
    enquiries: enquiries.map((each: object) => JSON.stringify(each)).toSorted(),
  };
}
