import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { accountIdOf } from '../support/accounts.ts';
import { developersOf, DRAFT, type Developer } from '../support/developer.ts';
import { readChanges, readEvents } from '../support/event-log.ts';
import { build, databaseUrl } from '../support/harness.ts';
import { dataFolder, createCommand } from '../support/process.ts';
import { run } from '../support/sql.ts';

const service = await build({ after });
const makeDeveloper = developersOf(service);
const { db } = service;
const environment = { DATABASE_URL: await databaseUrl(db), LOG_LEVEL: 'error' };
const offplan = createCommand(environment);
const folder = dataFolder({ after });

const HEADER = 'Email,First name,Project ID';
const row = (n: number) => `lead-${n}@example.com,Lead ${n},`;
const rows = (count: number) => Array.from({ length: count }, (_, n) => row(n + 1));

let folders = 0;

interface Imported {
  run: string;
  report: string;
  stdout: string;
}

/** Imports a file of this name, and reads the id of the run from the log. */
async function importFile(to: Developer, name: string, lines: string[]): Promise<Imported> {
  const place = join(folder, `run-${(folders += 1)}`);
  mkdirSync(place);
  const [file, report] = [join(place, name), join(place, 'refused.csv')];
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  const { code, stdout, stderr } = await offplan('import', to.slug, file, '--report', report);
  assert.equal(code, 0, stderr);
  const { rows: found } = await run(
    db,
    'select run_id from imports where account_id = $1 order by id desc limit 1',
    [await accountIdOf(db, to)],
  );
  return { run: String(found[0]?.['run_id']), report: readFileSync(report, 'utf8'), stdout };
}

async function list(of: Developer, ...flags: string[]): Promise<string[][]> {
  const { code, stdout, stderr } = await offplan('imports', 'list', of.slug, ...flags);
  assert.equal(code, 0, stderr);
  return stdout
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split(/ {2,}/).slice(1));
}

async function undo(of: Developer, runId: string, ...flags: string[]): Promise<string> {
  const { code, stdout, stderr } = await offplan('imports', 'undo', of.slug, runId, ...flags);
  assert.equal(code, 0, stderr);
  return stdout;
}

const emailsOf = async (developer: Developer): Promise<string[]> =>
  (await developer.exported()).contacts.map(({ email }: { email: string }) => email).toSorted();

describe('offplan imports list', () => {
  test('has a line for each run of a file and for each lead over HTTP, in the order of time', async () => {
    const developer = await makeDeveloper();
    await developer.post({ email: 'first@example.com' });
    const one = await importFile(developer, 'one.csv', [
      HEADER,
      ...rows(1_200),
      'bad,,',
      'worse,,',
    ]);
    await developer.post({ email: 'lead-1@example.com' });
    const two = await importFile(developer, 'two.csv', [HEADER, ...rows(2)]);
    const lines = await list(developer);
    assert.deepEqual(
      lines.map(([id, ...cells]) => (cells[1] === 'run' ? [id, ...cells] : cells)),
      [
        ['single', 'created', 'first@example.com'],
        [one.run, 'one.csv', 'run', '1,200 created, 0 merged, 2 refused (2 open)'],
        ['single', 'merged', 'lead-1@example.com'],
        [two.run, 'two.csv', 'run', '0 created, 2 merged, 0 refused'],
      ],
    );
    assert.match(one.stdout, new RegExp(`offplan imports undo ${developer.slug} ${one.run}\n`));
    assert.doesNotMatch(two.stdout, /undo/);
  });

  test('--run, --file, --outcome and --open list the rows that they name', async () => {
    const developer = await makeDeveloper();
    await developer.post({ email: 'first@example.com' });
    await developer.post({ email: 'nobody' });
    const one = await importFile(developer, 'one.csv', [HEADER, row(1), 'bad,,']);
    const two = await importFile(developer, 'two.csv', [HEADER, row(1), row(2)]);
    const places = async (...flags: string[]) =>
      (await list(developer, ...flags)).map(([, place, outcome]) => `${place} ${outcome}`);
    const [bad, ofOne] = ['one.csv:3 refused', 'one.csv:2 created'];
    assert.deepEqual(await places('--run', one.run), [ofOne, bad]);
    assert.deepEqual(await places('--file', 'one.csv'), [ofOne, bad]);
    assert.deepEqual(await places('--open'), ['single refused', bad]);
    assert.deepEqual(await places('--open', '--file', 'one.csv'), [bad]);
    assert.deepEqual(await places('--outcome', 'created', '--run', two.run), ['two.csv:3 created']);
    assert.deepEqual(await places('--outcome', 'merged'), ['two.csv:2 merged']);
    const { stderr } = await offplan('imports', 'list', developer.slug, '--file', 'three.csv');
    assert.match(stderr, /^No import of account "[^"]+" from a file three\.csv is in its log\.\n$/);
    const { code } = await offplan('imports', 'list', developer.slug, '--outcome', 'lost');
    assert.equal(code, 2);
    const { stdout } = await offplan('imports', 'list', developer.slug, '--run', two.run, '--json');
    const records = JSON.parse(stdout) as { runId: string }[];
    assert.deepEqual(
      records.map(({ runId }) => runId),
      [two.run, two.run],
    );
  });
});

describe('a refused row that is in a later run again', () => {
  const open = async (developer: Developer) =>
    (await list(developer, '--open')).map(([, place, , email]) => [place, email]);

  test('is settled when it is accepted: with its email corrected, or once its project is live', async () => {
    const developer = await makeDeveloper();
    const torn = 'lead-1 at example.com,Lead 1,';
    const early = `lead-2@example.com,Lead 2,${DRAFT}`;
    const first = await importFile(developer, 'leads.csv', [HEADER, torn, early, 'x,Lead 3,']);
    await run(db, `update projects set publication = 'live' where account_id = $1 and id = $2`, [
      await accountIdOf(db, developer),
      DRAFT,
    ]);
    const second = await importFile(developer, 'leads.csv', [HEADER, row(1), early, 'x,Lead 3,']);
    assert.deepEqual(await open(developer), [['leads.csv:4', 'x']]);
    assert.deepEqual(
      (await list(developer, '--run', first.run)).map(([, , state]) => state),
      ['refused, settled', 'refused, settled', 'refused, replaced'],
    );
    const [settled] = await list(developer, '--run', first.run);
    const [settling] = await list(developer, '--run', second.run);
    const shown = await offplan('imports', 'show', developer.slug, settled?.[0] ?? '');
    assert.match(shown.stdout, new RegExp(`^settled by +${settling?.[0]}$`, 'm'));
    assert.deepEqual(await emailsOf(developer), ['lead-1@example.com', 'lead-2@example.com']);
  });

  test('is settled when it comes back corrected in the report, at the second attempt, too', async () => {
    const developer = await makeDeveloper();
    const lines = [HEADER, row(1), 'lead-2 at example.com,Lead 2,'];
    const first = await importFile(developer, 'leads.csv', lines);
    const second = await importFile(developer, 'again.csv', [first.report.trimEnd()]);
    assert.deepEqual(await open(developer), [['again.csv:2', 'lead-2 at example.com']]);
    const mended = second.report.trimEnd().replace('lead-2 at ', 'lead-2@');
    await importFile(developer, 'mended.csv', [mended]);
    assert.deepEqual(await open(developer), []);
    assert.deepEqual(await emailsOf(developer), ['lead-1@example.com', 'lead-2@example.com']);
  });

  test('stays open when another row has its line, or another file', async () => {
    const developer = await makeDeveloper();
    await importFile(developer, 'leads.csv', [HEADER, 'bad,Hana,', ',Mele,']);
    await importFile(developer, 'leads.csv', [HEADER, row(1), row(2)]);
    await importFile(developer, 'others.csv', [HEADER, 'hana@example.com,Hana,']);
    assert.deepEqual(await open(developer), [
      ['leads.csv:2', 'bad'],
      ['leads.csv:3', '-'],
    ]);
  });
});

describe('offplan imports undo', () => {
  test('removes the contacts that the run created, and keeps the log and everything else', async () => {
    const developer = await makeDeveloper([{ email: 'lead-1@example.com' }]);
    const { contacts: _contacts, revision: _revision, ...before } = await developer.exported();
    const { run: runId } = await importFile(developer, 'leads.csv', [
      HEADER,
      ...rows(1_200),
      row(7),
    ]);
    const dry = await undo(developer, runId, '--dry-run');
    assert.match(dry, /^Would remove 1,199 contacts that the run created; 0 remain\.\n/);
    assert.equal((await emailsOf(developer)).length, 1_200);
    const report = await undo(developer, runId);
    assert.equal(
      report,
      'Removed 1,199 contacts that the run created; 0 remain.\n' +
        "  not the run's: 1 contact that it found keep what it filled in\n",
    );
    const { contacts, revision: _later, ...others } = await developer.exported();
    assert.deepEqual(
      contacts.map(({ email, firstName }: Record<string, string>) => [email, firstName]),
      [['lead-1@example.com', 'Lead 1']],
    );
    assert.deepEqual(others, before);
    assert.deepEqual(await list(developer), [
      [runId, 'leads.csv', 'run', '1,199 created, 2 merged, 0 refused, 1,200 undone'],
    ]);
    assert.match(
      await undo(developer, runId),
      /^Removed 0 contacts that the run created; 0 remain\./,
    );
    const again = await importFile(developer, 'leads.csv', [HEADER, row(1), row(2)]);
    assert.match(again.stdout, /1 created, 1 merged/);
  });

  test('appends an event for each contact that it removes, and deletes the changes of the contact', async () => {
    const developer = await makeDeveloper();
    const accountId = await accountIdOf(db, developer);
    const { run: runId } = await importFile(developer, 'leads.csv', [HEADER, ...rows(3)]);
    await developer.post({ email: 'lead-1@example.com', phone: '021' });
    const before = await readEvents(db, accountId);
    await undo(developer, runId, '--dry-run');
    assert.deepEqual(await readEvents(db, accountId), before);
    await undo(developer, runId);
    const { id: remaining } = await developer.contact('lead-1@example.com');
    const removed = before
      .filter(({ type, subject }) => type === 'contact.created' && subject !== remaining)
      .map(({ subject }) => subject);
    const added = (await readEvents(db, accountId)).slice(before.length, -1);
    assert.deepEqual(
      new Set(added.map(({ type, subject, actor }) => [type, subject, actor].join(' '))),
      new Set(removed.map((id) => `contact.erased ${id} system`)),
    );
    assert.equal(added.length, 2);
    for (const id of removed) assert.deepEqual(await readChanges(db, accountId, id), []);
    assert.ok((await readChanges(db, accountId, remaining)).length > 0);
  });

  test('names the contacts that remain: one that was changed since, and one that a lead found', async () => {
    const developer = await makeDeveloper();
    const { run: runId } = await importFile(developer, 'leads.csv', [HEADER, ...rows(3)]);
    await developer.post({ email: 'lead-1@example.com', phone: '021' });
    await developer.post({ email: 'lead-2@example.com' });
    const report = await undo(developer, runId);
    assert.match(report, /^Removed 1 contact that the run created; 2 remain\.$/m);
    assert.match(report, /^ {2}remains: \S{36} {2}lead-1@example\.com {2}it was changed since$/m);
    assert.match(report, /^ {2}remains: \S{36} {2}lead-2@example\.com {2}a lead found it since$/m);
    assert.deepEqual(await emailsOf(developer), ['lead-1@example.com', 'lead-2@example.com']);
    const inJson = JSON.parse(await undo(developer, runId, '--json'));
    assert.equal(inJson.remaining.length, 2);
  });

  test('keeps a contact that a later run has changed, and removes one that a later run left unchanged', async () => {
    const developer = await makeDeveloper();
    const first = await importFile(developer, 'leads.csv', [HEADER, ...rows(2)]);
    await importFile(developer, 'leads.csv', [HEADER, ...rows(2)]);
    await importFile(developer, 'more.csv', ['Email,Last name', 'lead-1@example.com,Ngata']);
    assert.match(
      await undo(developer, first.run),
      /^Removed 1 contact that the run created; 1 remain/,
    );
    assert.deepEqual(await emailsOf(developer), ['lead-1@example.com']);
  });

  test('opens the refused rows again that the run had settled', async () => {
    const developer = await makeDeveloper();
    await importFile(developer, 'leads.csv', [HEADER, 'lead-1 at example.com,Lead 1,']);
    const second = await importFile(developer, 'leads.csv', [HEADER, row(1)]);
    assert.deepEqual(await list(developer, '--open').catch(() => []), []);
    await undo(developer, second.run);
    assert.deepEqual(
      (await list(developer, '--open')).map(([, place]) => place),
      ['leads.csv:2'],
    );
  });

  test('prints one line and exits with 1 for a run that the account does not have', async () => {
    const [developer, other] = [await makeDeveloper(), await makeDeveloper()];
    const { run: foreign } = await importFile(other, 'leads.csv', [HEADER, row(1)]);
    for (const id of [foreign, 'x']) {
      const { code, stdout, stderr } = await offplan('imports', 'undo', developer.slug, id);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, new RegExp(`^offplan: [^\\n]*has no run ${id};[^\\n]*\\n$`));
    }
    assert.deepEqual(await emailsOf(other), ['lead-1@example.com']);
  });
});
