import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { buildWithCommand } from '../support/file-imports.ts';
import { BIN } from '../support/process.ts';

const { makeDeveloper, environment, fileOf, folder, importFile, offplan } = await buildWithCommand({
  after,
});

const reportOf = (path: string): string => readFileSync(path, 'utf8');
const namesOf = (prefix: string): string[] =>
  readdirSync(folder).filter((name) => name.startsWith(prefix));

test('a report of CSV begins with a byte order mark, and has the row in a spreadsheet next to the line', async () => {
  const path = fileOf('Email,Notes\na@b.example,"two\nlines"\n\nbad,Ōtaki\n');
  const report = `${path}.refused.csv`;
  await importFile(await makeDeveloper(), path, '--report', report);
  assert.match(
    reportOf(report),
    /^\uFEFFoffplan_line,offplan_row,offplan_reason,Email,Notes\n5,4,.*,bad,Ōtaki\n$/,
  );
});

test('a report makes formulas harmless, and the corrected report is imported as the file would have been', async () => {
  const developer = await makeDeveloper();
  const path = fileOf(
    'Email,First Name,Mobile,Notes\nbad,"=HYPERLINK(""http://x.invalid"")",+64 21 555 0101,\'=not a guard\n',
  );
  const report = `${path}.refused.csv`;
  await importFile(developer, path, '--report', report);
  const text = reportOf(report);
  assert.match(
    text,
    /,"'=HYPERLINK\(""http:\/\/x\.invalid""\)",\+64 21 555 0101,''=not a guard\n$/,
  );
  writeFileSync(report, text.replace(',bad,', ',good@example.com,'));
  const { stdout } = await importFile(developer, report);
  assert.match(stdout, /1 created, 0 merged, 0 refused/);
  const contact = await developer.contact('good@example.com');
  assert.deepEqual(
    [contact.firstName, contact.mobilePhone, contact.activities[0].body],
    ['=HYPERLINK("http://x.invalid")', '+64 21 555 0101', '=not a guard'],
  );
});

test('without a report, an import names the command that shows its refused rows', async () => {
  const { stdout, stderr } = await importFile(await makeDeveloper(), fileOf('Email\nbad\n'));
  const [, words = ''] = /offplan (imports list \S+ --\w+) shows them/.exec(stdout + stderr) ?? [];
  const shown = await offplan(...words.split(' '));
  assert.equal(shown.code, 0, shown.stderr);
  assert.match(shown.stdout, /refused/);
});

test('the --report of a dry run may be repeated for the real run', async () => {
  const developer = await makeDeveloper();
  const path = fileOf('Email,Name\nbad,Ana\na@b.example,Ben\n');
  const report = join(folder, 'repeated.csv');
  const dry = await importFile(developer, path, '--dry-run', '--report', report);
  assert.equal(dry.code, 0, dry.stderr);
  const before = reportOf(report);
  const real = await importFile(developer, path, '--report', report);
  assert.deepEqual([real.code, real.stderr], [0, '']);
  assert.equal(reportOf(report), before);
  assert.deepEqual(namesOf('repeated'), ['repeated.csv']);
});

test('a report in which a person has corrected a row is kept under another name', async () => {
  const developer = await makeDeveloper();
  const path = fileOf('Email,Name\nbad,Ana\n');
  const report = join(folder, 'corrected.csv');
  await importFile(developer, path, '--dry-run', '--report', report);
  const corrected = reportOf(report).replace(',bad,', ',ana@example.com,');
  writeFileSync(report, corrected);
  const { code, stderr } = await importFile(developer, path, '--report', report);
  assert.equal(code, 0);
  assert.match(
    stderr,
    /was the report of an earlier run, which differs\. It is kept as .*corrected\.1\.csv\.$/m,
  );
  assert.equal(reportOf(join(folder, 'corrected.1.csv')), corrected);
  const again = await importFile(developer, report, '--report', report);
  assert.match(again.stderr, /already exists; name another file/);
});

test('a report that cannot be written stops the import before the rows that it lacks', async () => {
  const developer = await makeDeveloper();
  const reason = 'x'.repeat(900);
  const lines = Array.from({ length: 1_200 }, (_, n) =>
    n === 600 || n === 1_100 ? `bad-${n},${reason}` : `a-${n}@example.com,`,
  );
  const path = fileOf(`Email,Notes\n${lines.join('\n')}\n`);
  const report = join(folder, 'full.csv');
  // The shell lets the command write files of 512 bytes at most, as a disk that is full does.
  const shell = 'ulimit -f 1; exec "$0" "$@"';
  const { status, stderr } = spawnSync(
    'sh',
    ['-c', shell, BIN, 'import', developer.slug, path, '--report', report],
    { encoding: 'utf8', env: { ...process.env, ...environment } },
  );
  assert.equal(status, 1);
  assert.match(stderr, /^Not all of \S+ was imported\. Go on with --from-line 502\.$/m);
  assert.match(stderr, /^offplan: \S+full\.csv cannot be written: it would be larger/m);
  const next = join(folder, 'next.csv');
  const goesOn = await importFile(developer, path, '--from-line', '502', '--report', next);
  assert.match(goesOn.stdout, /^700 rows .* 2 refused\./);
  assert.match(reportOf(next), /^602,602,.*\n1102,1102,.*\n$/m);
});
