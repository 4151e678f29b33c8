import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { readRecords } from './csv/csv.ts';
import type { Layout } from './detect-layout.ts';
import { openFile } from './open-file.ts';
import { formatReportHeader, formatReportRow } from './report.ts';
import { readRows, type Row } from './rows/read-rows.ts';

async function* once(content: string): AsyncGenerator<Buffer> {
  yield Buffer.from(content);
}

async function read(content: string): Promise<{ layout: Layout; rows: Row[] }> {
  const file = await openFile(Readable.from(once(content)), {
    name: null,
    format: null,
    encoding: null,
    headerLine: null,
    maps: [],
  });
  const rows: Row[] = [];
  for await (const some of readRows(file)) rows.push(...some);
  return { layout: file.layout, rows };
}

const values = ({ rows }: { rows: Row[] }): unknown[] => rows.map(({ value }) => value);

const REASON = 'email must be one; "x", or y | z\tof the rest\nand more';

async function report(content: string, reason = REASON): Promise<string> {
  const { layout, rows } = await read(content);
  return (
    formatReportHeader(layout) + rows.map((row) => formatReportRow(row, reason, layout)).join('')
  );
}

test('a report has the line, the reason and the unchanged row, under the header of the file', async () => {
  const content = 'E-mail;"Note; s"\r\n\r\na@b.cd;"x\r\n""y"""\r\n b@b.cd ;5" pipe;z\r\n';
  assert.equal(
    await report(content, 'is; wrong'),
    '\uFEFFoffplan_line;offplan_row;offplan_reason;E-mail;"Note; s"\n' +
      '3;3;"is; wrong";a@b.cd;"x\r\n""y"""\n' +
      '5;4;"is; wrong"; b@b.cd ;5" pipe;z\n',
  );
  assert.match(await report('email\nx\n', 'is "wrong"'), /^2,2,"is ""wrong""",x$/m);
  assert.match(await report('email\nx\n', 'is\nwrong'), /^2,2,is wrong,x$/m);
});

test('importing a report of CSV gives the same rows, and names no ignored column', async () => {
  for (const d of [',', ';', '\t', '|'])
    for (const end of ['\n', '\r\n', '\r']) {
      const rows = [
        `email${d}Notes`,
        `a@b.cd${d}"1${d}2${end}""3"""`,
        `"é@b.cd"${d}5" x`,
        'c',
        `${d}d`,
      ];
      const content = rows.join(end) + end;
      const first = await read(content);
      const again = await read(await report(content));
      assert.deepEqual(values(again), values(first), JSON.stringify(content));
      assert.equal(again.rows.length, 4);
      assert.deepEqual(again.layout.ignored, []);
    }
});

test('a report of a report has the line and the reason once, those of the last import', async () => {
  for (const content of [
    'email,notes\na@b.cd,"x, y"\nb@b.cd,z\n',
    'email|notes\na@b.cd|"x| y"\nb@b.cd|z\n',
    '{"email":"a"}\n{}\n{ "b": 1 }\n[1]\n{"x":\n',
  ]) {
    const first = await report(content, 'is, "WRONG" | wrong\\');
    const second = await report(first);
    const third = await report(second);
    assert.equal(third, second, content);
    assert.equal(second.match(/offplan_line/g)?.length, first.match(/offplan_line/g)?.length);
    assert.equal(second.match(/of the rest/g)?.length, (await read(content)).rows.length);
    assert.doesNotMatch(second, /WRONG/);
  }
});

test('a row of a report that lost its first two columns is reported unchanged', async () => {
  const { layout } = await read('offplan_line,offplan_reason,email\n');
  for (const text of ['x', '"a"b,c', '"a,b",c'])
    assert.equal(
      formatReportRow({ line: 4, row: 3, text }, 'is wrong', layout),
      `4,3,is wrong,${text}\n`,
    );
});

test('a report of NDJSON is NDJSON, with the same members, and with other JSON as a text', async () => {
  const content = ' {"email":"a","n":1e400}\n{}\n{ }\n[1]\n"é"\n{"x":\n';
  const lines = (await report(content, 'is "wrong"')).split('\n');
  const told = (line: number): string =>
    `{"offplan_line":${line},"offplan_reason":"is \\"wrong\\""`;
  assert.deepEqual(lines, [
    `${told(1)},"email":"a","n":1e400}`,
    `${told(2)}}`,
    `${told(3)} }`,
    `${told(4)},"offplan_text":"[1]"}`,
    `${told(5)},"offplan_text":"\\"é\\""}`,
    `${told(6)},"offplan_text":"{\\"x\\":"}`,
    '',
  ]);
  const again = values(await read(lines.join('\n')));
  assert.deepEqual(again.slice(3), [[1], 'é', null]);
  assert.deepEqual(
    (again.slice(0, 3) as Record<string, unknown>[]).map(({ email }) => email),
    ['a', undefined, undefined],
  );
});

test('a report makes cells harmless that a spreadsheet would take for formulas, and they are read back as they were', async () => {
  const cells = [
    '=1+1',
    '+1+1',
    '-2',
    '@a',
    '"\t=x"',
    "'=x",
    "''=x",
    "'x",
    '"=HYPERLINK(""h"", 1)"',
    '5',
    '"+x\ny"',
  ];
  const content = ['Email,Notes', ...cells.map((cell) => `a@b.cd,${cell}`)].join('\n');
  const first = await read(content);
  const text = await report(content);
  for (const guarded of ["'=1+1", "'+1+1", "'-2", "'@a", "''=x", "'''=x", "'x"])
    assert.ok(text.includes(`a@b.cd,${guarded}\n`), guarded);
  assert.deepEqual(values(await read(text)), values(first));
  const second = await report(text);
  assert.deepEqual(values(await read(second)), values(first));
  assert.equal(await report(second), second);
});

test('a phone of + and digits stays as it is in a report', async () => {
  for (const phone of ['+64 (21) 555-0101', '+64215550101', '+64 21 555'])
    assert.ok((await report(`Email,Mobile\na@b.cd,${phone}\n`, 'x')).includes(`,${phone}\n`));
  assert.match(await report('Email,Mobile\na@b.cd,+64-21-555\n', 'x'), /,'\+64-21-555$/m);
});

test('a row whose cells are unclear is made harmless, and is still refused when it is read back', async () => {
  const text = await report('Email,Notes\n=a,"say "hi", there" =b\n', 'x');
  assert.match(text, /^2,2,x,'=a,"say "hi", there" =b$/m);
  assert.match((await read(text)).rows[0]?.fault ?? '', /not doubled/);
});

test('whatever the cells of a file hold, no cell of its report is a formula, and all are read back as they were', async () => {
  const parts = ['', "'", '=', '+', '-', '@', '\t', '"', ' ', '1', 'a', '\n', '+64 21', '="', ','];
  for (const delimiter of [',', ';', '\t']) {
    const cells: string[] = [];
    for (const a of parts) for (const b of parts) for (const c of parts) cells.push(a + b + c);
    const rows = cells.map((cell) => `a@b.cd${delimiter}"${cell.replaceAll('"', '""')}"`);
    const content = `Email${delimiter}Notes\n${rows.join('\n')}\n`;
    const first = await read(content);
    const text = await report(content, 'x');
    const again = await read(text);
    assert.deepEqual(values(again), values(first));
    for await (const records of readRecords([text], delimiter))
      for (const { cells: written } of records)
        for (const cell of written) assert.doesNotMatch(cell, /^(?:[=@\t-]|\+(?!64 21|1+(?: |$)))/);
  }
});
