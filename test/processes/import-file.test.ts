import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { runInTransaction } from '../../src/platform/database/index.ts';
import { accountIdOf } from '../support/accounts.ts';
import { LIVE, type Developer } from '../support/developer.ts';
import { buildWithCommand } from '../support/file-imports.ts';
import { someoneWaits, whileEmailsLocked } from '../support/locks.ts';
import { BIN, offplan } from '../support/process.ts';
import { run } from '../support/sql.ts';
import { until } from '../support/until.ts';

const {
  db,
  makeDeveloper,
  environment,
  fileOf,
  folder,
  importFile,
  offplan: command,
} = await buildWithCommand({ after });

const emailsOf = async (developer: Developer): Promise<string[]> =>
  (await developer.exported()).contacts.map(({ email }: { email: string }) => email).toSorted();

const HEADER = 'E-mail,First Name,Mobile,Labels,Enquiry';
const row = (n: number) =>
  `lead-${n}@example.com,Lead ${n},021 ${n},"Website, Brochure",Call ${n} please`;
const rows = (count: number) => Array.from({ length: count }, (_, n) => row(n + 1));

async function counts() {
  const tables = ['contacts', 'tags', 'activities', 'contact_links', 'imports', 'email_locks'];
  const { rows: found } = await run(
    db,
    `select ${tables.map((table) => `(select count(*)::int from ${table}) as ${table}`).join(', ')}`,
  );
  return found[0];
}

describe('offplan import', () => {
  test('imports each row by the rules of a single import, its columns recognised by their headers', async () => {
    const developer = await makeDeveloper();
    const { code, stdout, stderr } = await importFile(developer, fileOf([HEADER, ...rows(3)]));
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^3 rows in .*: 3 created, 0 merged, 0 refused\.\n/);
    const contact = await developer.contact('lead-2@example.com');
    assert.deepEqual(
      [contact.firstName, contact.mobilePhone, contact.tags, contact.activities[0].body],
      ['Lead 2', '021 2', ['Website', 'Brochure'], 'Call 2 please'],
    );
    assert.deepEqual([contact.stage, contact.source], ['New', 'Other']);
  });

  test('the sum of created, merged and refused is the number of rows, and the report has each refused one as it was', async () => {
    const developer = await makeDeveloper([{ email: 'lead-7@example.com' }]);
    const bad = ['not an email,Bad,"1,2",,', '"two ""q""@@example.com",Bad,,,"over\ntwo lines"'];
    const file = fileOf([HEADER, ...rows(1_200), ...bad, ...rows(5)]);
    const report = join(folder, 'refused.csv');
    const { code, stdout, stderr } = await importFile(developer, file, '--report', report);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^1,207 rows in .*: 1,199 created, 6 merged, 2 refused\.\n/);
    assert.match(stdout, /^ {2}1 row: email must be an email address .*: it has no @\.$/m);
    const rule = 'email must be an email address such as aroha@example.com';
    assert.equal(
      readFileSync(report, 'utf8'),
      `\uFEFFoffplan_line,offplan_row,offplan_reason,${HEADER}\n1202,1202,${rule}: it has no @.,${bad[0]}\n` +
        `1203,1203,${rule}: it has more than one @.,${bad[1]}\n`,
    );
    assert.equal(statSync(report).mode & 0o777, 0o600);
  });

  test('refused rows between others, and many in a row, are in the report with their lines, and each other row is imported once', async () => {
    const developer = await makeDeveloper();
    const isBad = (n: number) => n % 7 === 3 || (n > 300 && n <= 430);
    const lines = Array.from({ length: 700 }, (_, n) => (isBad(n) ? `nobody,Row ${n},,,` : row(n)));
    const report = join(folder, 'scattered.csv');
    const { code, stdout, stderr } = await importFile(
      developer,
      fileOf([HEADER, ...lines]),
      '--report',
      report,
    );
    assert.equal(code, 0, stderr);
    const good = lines.filter((_, n) => !isBad(n));
    const refused = lines.flatMap((_, n) => (isBad(n) ? n + 2 : []));
    assert.match(
      stdout,
      new RegExp(`^700 rows in .*: ${good.length} created, 0 merged, ${refused.length} refused`),
    );
    const reported = readFileSync(report, 'utf8').trimEnd().split('\n').slice(1);
    assert.deepEqual(
      reported.map((line) => Number(line.split(',')[0])),
      refused,
    );
    const emails = good.map((line) => line.split(',')[0] ?? '').toSorted();
    assert.deepEqual(await emailsOf(developer), emails);
    const { rows: logged } = await run(
      db,
      `select position, outcome from imports where account_id = $1 order by position`,
      [await accountIdOf(db, developer)],
    );
    assert.deepEqual(
      logged.map(({ position, outcome }) => [position, outcome]),
      lines.map((_, n) => [n + 2, isBad(n) ? 'refused' : 'created']),
    );
  });

  test('a buyer type that is not listed becomes Other, and the summary names it', async () => {
    const developer = await makeDeveloper();
    const lines = ['Email,Source,Buyer Type'];
    for (const [n, type] of [
      'investor',
      'First-home buyer',
      'Owner\u001B[1m Occupier',
      'Owner Occupier',
      'Owner Occupier',
    ].entries())
      lines.push(`lead-${n}@example.com,Website ,${type}`);
    const { code, stdout, stderr } = await importFile(developer, fileOf(lines));
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^5 rows in .*: 5 created, 0 merged, 0 refused\.\n/);
    assert.match(
      stdout,
      /^ {2}2 rows: buyerType "Owner Occupier" became Other\n {2}1 row: buyerType "Owner\[1m Occupier" became Other$/m,
    );
    const { contacts } = await developer.exported();
    assert.deepEqual(
      contacts.map(({ buyerType }: { buyerType: string }) => buyerType),
      ['Investor', 'First Home Buyer', 'Other', 'Other', 'Other'],
    );
  });

  test('an address with a name, mailto: or invisible characters around it is that address', async () => {
    const developer = await makeDeveloper([{ email: 'aroha@example.com' }]);
    const lines = [
      'Email,Mobile',
      '"Ngata, Aroha <aroha@example.com>",021 1',
      'mailto:AROHA@example.com,021 2',
      '\u200Baroha@example.com\u200B;,021 3',
    ];
    const { stdout } = await importFile(developer, fileOf(lines));
    assert.match(stdout, /0 created, 3 merged, 0 refused/);
    assert.deepEqual(await emailsOf(developer), ['aroha@example.com']);
  });

  test('a number of NDJSON that would be stored as another value refuses its row only', async () => {
    const developer = await makeDeveloper();
    const lines = ['9007199254740993', '0.1', '1e-400'].map(
      (budget, n) => `{"email":"lead-${n}@example.com","budget":${budget},"x":1e400}`,
    );
    const { stdout } = await importFile(developer, fileOf(lines, 'ndjson'));
    assert.match(stdout, /1 created, 0 merged, 2 refused/);
    assert.match(
      stdout,
      /^ {2}2 rows: budget is a number that would be stored as another value; /m,
    );
    assert.equal((await developer.contact('lead-1@example.com')).budget, 0.1);
  });

  test('a corrected report can be imported as it is', async () => {
    const developer = await makeDeveloper();
    const report = join(folder, 'mend.csv');
    await importFile(
      developer,
      fileOf([HEADER, 'lead-1 at example.com,Lead,021,,']),
      '--report',
      report,
    );
    const mended = fileOf([
      readFileSync(report, 'utf8').replace('lead-1 at ', 'lead-1@').trimEnd(),
    ]);
    const { code, stdout, stderr } = await importFile(developer, mended);
    assert.equal(code, 0);
    assert.match(stdout, /1 created, 0 merged, 0 refused/);
    assert.equal(stderr, '');
    assert.deepEqual(await emailsOf(developer), ['lead-1@example.com']);
  });

  test('the same file a second time changes nothing', async () => {
    const developer = await makeDeveloper();
    const file = fileOf([HEADER, ...rows(700)]);
    await importFile(developer, file);
    const before = await developer.exported();
    const { stdout } = await importFile(developer, file);
    assert.match(stdout, /0 created, 700 merged, 0 refused/);
    assert.deepEqual(await developer.exported(), before);
  });

  test('a file a second time adds no note that its contact has anywhere, from CSV and NDJSON', async () => {
    const appointment = { body: 'Viewing', occurredAt: '2099-01-01T00:00:00.000Z' };
    const developer = await makeDeveloper([
      { email: 'mele@example.com', activities: [appointment] },
    ]);
    const notes = ['Call back', 'Sent the plans', 'Call back', 'Prefers "2A", 3B'];
    const csv = fileOf([
      HEADER,
      ...notes.map((note) => `aroha@example.com,,,,"${note.replaceAll('"', '""')}"`),
      'mele@example.com,,,,Viewing',
    ]);
    const ndjson = join(folder, 'notes.ndjson');
    const lines = notes.map((body) => JSON.stringify({ email: 'AROHA@example.com', notes: body }));
    writeFileSync(ndjson, lines.join('\n'));
    const bodiesOf = async (email: string) =>
      (await developer.contact(email)).activities.map(({ body }: { body: string }) => body);
    for (const file of [csv, csv, ndjson]) {
      assert.equal((await importFile(developer, file)).code, 0);
      assert.deepEqual(await bodiesOf('aroha@example.com'), [...new Set(notes)]);
      assert.deepEqual(await bodiesOf('mele@example.com'), ['Viewing']);
    }
    // Over HTTP only the latest one counts.
    await developer.post({ email: 'aroha@example.com', notes: 'Call back' });
    assert.equal((await bodiesOf('aroha@example.com')).length, 4);
  });

  test('the rows of one email keep their order, however many lie between', async () => {
    const developer = await makeDeveloper();
    const notes = Array.from({ length: 5 }, (_, n) => `note ${n}`);
    const lines = notes.flatMap((note, n) => [
      `aroha@example.com,Aroha ${n},,,${note}`,
      ...Array.from({ length: 600 }, (_, m) => row(n * 600 + m)),
    ]);
    await importFile(developer, fileOf([HEADER, ...lines]));
    const { activities, firstName } = await developer.contact('aroha@example.com');
    assert.equal(firstName, 'Aroha 0');
    assert.deepEqual(
      activities.map(({ body }: { body: string }) => body),
      notes,
    );
  });

  test('the rows of one email keep their order while an earlier row waits for its contact', async () => {
    const developer = await makeDeveloper();
    // Emails are locked in their order, so the first row of Zora waits behind the one of Aroha.
    const lines = ['aroha@example.com,Aroha,,,', 'zora@example.com,Zora,,,first', ...rows(498)];
    const file = fileOf([HEADER, ...lines, 'zora@example.com,Zora,,,second']);
    const accountId = await accountIdOf(db, developer);
    const ended = await whileEmailsLocked(db, accountId, ['aroha@example.com'], async () => {
      const importingFile = importFile(developer, file);
      await someoneWaits(db);
      // Time in which a later transaction could overtake the one that waits.
      await sleep(300);
      return { importingFile };
    });
    assert.equal((await ended.importingFile).code, 0);
    const { activities } = await developer.contact('zora@example.com');
    assert.deepEqual(
      activities.map(({ body }: { body: string }) => body),
      ['first', 'second'],
    );
  });

  test('a dry run stores nothing, and counts as the import does', async () => {
    const developer = await makeDeveloper([{ email: 'lead-1@example.com' }]);
    const file = fileOf([HEADER, ...rows(600), 'bad,,,,', ...rows(600)]);
    const before = await counts();
    const dry = await importFile(developer, file, '--dry-run');
    assert.deepEqual(await counts(), before);
    assert.match(dry.stdout, /599 created, 601 merged, 1 refused/);
    assert.match(dry.stdout, /dry run: nothing was stored/);
    const real = await importFile(developer, file);
    assert.match(real.stdout, /599 created, 601 merged, 1 refused/);
  });

  test('a column without a known field is named once; --map assigns a field', async () => {
    const developer = await makeDeveloper();
    const file = fileOf(['Correo;Title;Projekt', `a@example.com;Hana;${LIVE}`]);
    const refused = await importFile(developer, file);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /^offplan: .*email.*--map.*"Correo", "Title", "Projekt"/);
    const maps = ['--map', 'Correo=email', '--map', 'Projekt=projectId'];
    const { code, stderr } = await importFile(developer, file, ...maps);
    assert.equal(code, 0);
    assert.equal(stderr, 'Not imported: "Title".\n');
    assert.equal((await developer.contact('a@example.com')).links[0].projectId, LIVE);
  });

  test('NDJSON takes numbers, lists and null as the API does, and - is standard input', async () => {
    const developer = await makeDeveloper();
    const lines = [
      { email: 'a@example.com', budget: 850_000, tags: ['One', 'Two, three'], phone: null },
      { email: 'b@example.com', unknown: { a: 1 } },
    ].map((each) => JSON.stringify(each));
    const input = [...lines, '', '[1]', '{"email": '].join('\n');
    const temporary = join(folder, 'temporary');
    mkdirSync(temporary);
    const itsEnvironment = { ...environment, TMPDIR: temporary };
    const { code, stdout } = await offplan(['import', developer.slug, '-'], itsEnvironment, input);
    assert.deepEqual([code, readdirSync(temporary)], [0, []]);
    assert.match(stdout, /^4 rows .* 2 created, 0 merged, 2 refused/);
    assert.match(stdout, /^ {2}1 row: The line is not valid JSON\.$/m);
    const contact = await developer.contact('a@example.com');
    assert.deepEqual([contact.budget, contact.tags], [850_000, ['One', 'Two, three']]);
  });

  test('standard input is refused in one line that names TMPDIR when no temporary file can be made', async () => {
    const developer = await makeDeveloper();
    const itsEnvironment = { ...environment, TMPDIR: join(folder, 'missing') };
    const refused = await offplan(
      ['import', developer.slug, '-'],
      itsEnvironment,
      'Email\na@example.com\n',
    );
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /^offplan: \S+missing cannot be written: there is no such folder; [^\n]*: set TMPDIR to another folder\n$/,
    );
  });

  test('each row is in the import log as it was, with its file and line', async () => {
    const developer = await makeDeveloper();
    const lines = ['"x@example.com", "A ""b"" c",,,"two\r\nlines"', 'bad,,,,'];
    const path = fileOf(['E-mail,First Name,Mobile,Labels,Enquiry', ...lines], 'txt');
    await importFile(developer, path);
    const { rows: kept } = await run(
      db,
      `select payload, outcome, channel, position, file ->> 'name' as name, api_key_id, request_id
        from imports where account_id = $1 order by position`,
      [await accountIdOf(db, developer)],
    );
    const common = {
      channel: 'file',
      name: basename(path),
      api_key_id: null,
      request_id: null,
    };
    assert.deepEqual(kept, [
      { ...common, payload: lines[0], outcome: 'created', position: 2 },
      { ...common, payload: lines[1], outcome: 'refused', position: 4 },
    ]);
  });

  test('--from-line past the end of the file is an error that says so', async () => {
    const developer = await makeDeveloper();
    const file = fileOf([HEADER, row(1)]);
    const { code, stdout, stderr } = await importFile(developer, file, '--from-line', '3');
    assert.equal(code, 0);
    assert.match(stdout, /^0 rows in /);
    assert.equal(stderr, `${file} has no row on line 3 or after it.\n`);
  });

  test('a row with U+0000 is refused, and holds nobody back', async () => {
    const developer = await makeDeveloper();
    const file = fileOf([HEADER, 'a@example.com,A\0B,,,', 'b@example.com,B,,,']);
    const report = join(folder, 'nul.csv');
    const { stdout } = await importFile(developer, file, '--report', report);
    assert.match(stdout, /1 created, 0 merged, 1 refused/);
    assert.ok(readFileSync(report, 'utf8').includes('A\0B'));
  });
});

describe('a file that cannot be imported is refused before anything is stored', () => {
  const refusals: [what: string, bytes: string | Buffer, says: RegExp][] = [
    ['is empty', '', /empty/],
    ['has no header', 'a@example.com,A\n', /first line.*columns/],
    [
      'is not UTF-8',
      Buffer.from(`${HEADER}\n${row(1)}\na@example.com,Ren\xe9,,,\n`, 'latin1'),
      /line 3 is not UTF-8; say what it is with --encoding, such as --encoding windows-1252/,
    ],
    [
      'is UTF-16 without a byte order mark',
      Buffer.from(`${HEADER}\n${row(1)}\n`, 'utf16le'),
      /UTF-16; say so with --encoding utf-16le/,
    ],
    [
      'opens a quote and never closes it',
      `${HEADER}\n${row(1)}\na@example.com,"A,,,\nb@example.com,B,,,\n`,
      /line 3/,
    ],
    ['is a spreadsheet', Buffer.from('PK\x03\x04rest'), /spreadsheet/],
  ];
  for (const [what, bytes, says] of refusals)
    test(`because it ${what}`, async () => {
      const developer = await makeDeveloper();
      const path = fileOf(bytes);
      const before = await counts();
      const { code, stdout, stderr } = await importFile(
        developer,
        path,
        '--report',
        `${path}.report`,
      );
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, says);
      assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
      assert.deepEqual(await counts(), before);
      assert.ok(!existsSync(`${path}.report`));
    });

  test('because standard input or a pipe has a fault after many good rows', async () => {
    const developer = await makeDeveloper();
    const torn = `${[HEADER, ...rows(1_200)].join('\n')}\na@example.com,"A,,,\n`;
    const before = await counts();
    const spoken = await offplan(['import', developer.slug, '-'], environment, torn);
    assert.deepEqual([spoken.code, spoken.stdout], [1, '']);
    assert.match(spoken.stderr, /^offplan: stdin: the row that begins on line 1202 opens a quote/);
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const [piped] = await Promise.all([importFile(developer, pipe), writeFile(pipe, torn)]);
    assert.match(piped.stderr, /^offplan: \S*pipe: the row that begins on line 1202 opens a quote/);
    assert.deepEqual(await counts(), before);
  });

  test('because it is not there, or a folder', async () => {
    const developer = await makeDeveloper();
    const none = await importFile(developer, join(folder, 'none.csv'));
    assert.match(none.stderr, /none\.csv cannot be read: there is no such file\n$/);
    const path = join(folder, 'folder');
    mkdirSync(path);
    assert.match((await importFile(developer, path)).stderr, /cannot be read: it is a folder\n$/);
  });

  test('because its report would overwrite a file', async () => {
    const developer = await makeDeveloper();
    const file = fileOf([HEADER, row(1)]);
    const { code, stderr } = await importFile(developer, file, '--report', file);
    assert.equal(code, 1);
    assert.match(stderr, /already exists; name another file/);
    assert.equal(readFileSync(file, 'utf8'), `${HEADER}\n${row(1)}\n`);
    assert.deepEqual(await emailsOf(developer), []);
  });

  test('because there is no folder for its report', async () => {
    const developer = await makeDeveloper();
    const report = join(folder, 'none', 'refused.csv');
    const { code, stderr } = await importFile(
      developer,
      fileOf([HEADER, row(1)]),
      '--report',
      report,
    );
    assert.equal(code, 1);
    assert.equal(stderr, `offplan: ${report} cannot be written: there is no such folder\n`);
    assert.deepEqual(await emailsOf(developer), []);
  });

  test('because there is no such account; no report is begun', async () => {
    const report = join(folder, 'no-account.csv');
    const file = fileOf([HEADER, row(1)]);
    const ended = await command('import', 'nobody', file, '--report', report);
    assert.equal(ended.code, 1);
    assert.match(ended.stderr, /there is no account "nobody"/);
    assert.ok(!existsSync(report));
  });

  test('because an option is wrong', async () => {
    const developer = await makeDeveloper();
    const file = fileOf([HEADER, row(1)]);
    for (const flags of [
      ['--from-line', '0'],
      ['--from-line', 'x'],
      ['--format', 'xls'],
    ])
      assert.equal((await importFile(developer, file, ...flags)).code, 2, flags.join(' '));
    const unknown = await importFile(developer, file, '--map', 'Mobile=fax');
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /^offplan: --map: "fax" is not a field; .*mobilePhone/);
    const twice = ['--map', 'Mobile=phone', '--map', 'Mobile=notes'];
    assert.equal((await importFile(developer, file, ...twice)).code, 2);
  });
});

describe('an import that is stopped', () => {
  /** Starts an import that waits for a lock in its middle, and gives it a signal there. */
  async function stopped(developer: Developer, file: string, signal: NodeJS.Signals) {
    const env = { ...process.env, ...environment };
    const args = ['import', developer.slug, file];
    const child = spawn(BIN, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const outputs = Promise.all([text(child.stdout), text(child.stderr)]);
    const accountId = await accountIdOf(db, developer);
    const someImport = 'select from imports where account_id = $1 limit 1';
    await until(async () => (await run(db, someImport, [accountId])).rows.length > 0);
    child.kill(signal);
    // npm passes it on once more.
    setTimeout(() => child.kill(signal), 20);
    await once(child, 'exit');
    const [stdout, stderr] = await outputs;
    return { code: child.exitCode, stdout, stderr };
  }

  test('by SIGTERM ends with exit code 143 after the batches under way and says where to go on; nothing is missing then', async () => {
    const developer = await makeDeveloper();
    const total = 12_000;
    const file = fileOf([HEADER, ...rows(total)]);
    const { code, stdout, stderr } = await stopped(developer, file, 'SIGTERM');
    assert.equal(code, 143, stderr);
    const done = Number(/^([\d,]+) rows/.exec(stdout)?.[1]?.replaceAll(',', ''));
    assert.equal((await emailsOf(developer)).length, done);
    assert.ok(done < total, 'it was stopped in its middle');
    const line = /Go on with --from-line (\d+)/.exec(stderr)?.[1] ?? '';
    assert.ok(Number(line) > 1 && Number(line) <= done + 2, `${line} after ${done}`);
    const second = await importFile(developer, file, '--from-line', line);
    assert.equal(second.code, 0, second.stderr);
    assert.equal((await emailsOf(developer)).length, total);
  });

  test('by the database says so, and where to go on', async () => {
    const developer = await makeDeveloper();
    const file = fileOf([HEADER, ...rows(3_000)]);
    const accountId = await accountIdOf(db, developer);
    const { ended } = await runInTransaction(db, async (holder) => {
      // In the middle of the file, a batch waits for an email, and then to insert its contacts.
      const started = await whileEmailsLocked(
        db,
        accountId,
        ['lead-1500@example.com'],
        async () => {
          const importingFile = importFile(developer, file);
          await someoneWaits(db);
          await run(holder, 'lock table contacts in share mode');
          return { ended: importingFile };
        },
      );
      const end = `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like 'insert into contacts %'`;
      await until(async () => (await run(db, end)).rows.length > 0);
      return started;
    });
    const { code, stderr } = await ended;
    assert.equal(code, 1);
    assert.match(stderr, /Go on with --from-line (\d+)\.\noffplan: the database cannot be reached/);
    const line = /from-line (\d+)/.exec(stderr)?.[1] ?? '';
    const second = await importFile(developer, file, '--from-line', line);
    assert.equal(second.code, 0, second.stderr);
    assert.equal((await emailsOf(developer)).length, 3_000);
  });
});
