import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { FileError } from '../file-error.ts';
import type { FileOptions, Layout } from '../detect-layout.ts';
import { toMaps } from '../columns/column-maps.ts';
import { openFile } from '../open-file.ts';
import { readRows, parseRow, type Row } from './read-rows.ts';
import { surveyRows } from '../survey/survey.ts';

type Content = string | Buffer;

/** Yields the content in chunks of one size, or of sizes that a function chooses. */
async function* chunks(content: Content, size: number | (() => number)): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(content);
  for (let at = 0; at < bytes.length;) {
    const end = at + (typeof size === 'number' ? size : size());
    yield bytes.subarray(at, end);
    at = end;
  }
}

interface Reading extends Partial<Omit<FileOptions, 'maps'>> {
  maps?: string[];
  size?: number | (() => number);
  fromLine?: number;
}

const open = (content: Content, { size = 65_536, maps = [], ...options }: Reading = {}) =>
  openFile(Readable.from(chunks(content, size)), {
    name: null,
    format: null,
    encoding: null,
    headerLine: null,
    maps: toMaps(maps),
    ...options,
  });

async function read(content: Content, { fromLine, ...reading }: Reading = {}): Promise<Row[]> {
  const rows: Row[] = [];
  const file = await open(content, reading);
  for await (const some of readRows(file, fromLine)) rows.push(...some);
  const survey = await surveyRows(await open(content, reading), {
    fromLine: fromLine ?? 1,
    now: new Date(),
  });
  assert.equal(survey.rows, rows.length);
  return rows;
}

const values = async (content: Content, reading?: Reading): Promise<unknown[]> =>
  (await read(content, reading)).map(({ value }) => value);
const lines = async (content: Content, reading?: Reading): Promise<number[]> =>
  (await read(content, reading)).map(({ line }) => line);

const layoutOf = async (content: Content, reading?: Reading): Promise<Layout> =>
  (await open(content, reading)).layout;

/**
 * Returns the error of a file, which must be the same when it is read and when it is checked, and the lines of the rows before.
 */
async function refusal(content: Content, reading: Reading = {}): Promise<[string, number[]]> {
  const given: number[] = [];
  const reject = async (work: () => Promise<unknown>): Promise<string> => {
    const error = await work().then(
      () => undefined,
      (error: unknown) => error,
    );
    assert.ok(error instanceof FileError, String(error));
    assert.doesNotMatch(error.message, /[\n\r]/);
    return error.message;
  };
  const message = await reject(async () => {
    for await (const rows of readRows(await open(content, reading)))
      given.push(...rows.map(({ line }) => line));
  });
  assert.equal(
    await reject(async () =>
      surveyRows(await open(content, reading), { fromLine: 1, now: new Date() }),
    ),
    message,
  );
  return [message, given];
}

const EXPECTED = [
  { email: 'a@example.com', firstName: 'Aroha' },
  { email: 'b@example.com', firstName: 'Björk 🏡' },
];

test('offplan import detects the delimiter under which it recognises the most columns', async () => {
  for (const [content, delimiter] of [
    ['Email,First Name\na@example.com,Aroha\nb@example.com,Björk 🏡\n', ','],
    ['Email;First Name\na@example.com;Aroha\nb@example.com;Björk 🏡\n', ';'],
    ['Email\tFirst Name\na@example.com\tAroha\nb@example.com\tBjörk 🏡\n', '\t'],
    ['"Email"|"First Name"\n"a@example.com"|"Aroha"\n"b@example.com"|"Björk 🏡"\n', '|'],
    ['"Email";"First Name";"a,b,c,d"\na@example.com;Aroha\nb@example.com;Björk 🏡', ';'],
    ['sep=;\r\nEmail;First Name\r\na@example.com;Aroha\r\nb@example.com;Björk 🏡', ';'],
  ] as const) {
    assert.equal((await layoutOf(content)).delimiter, delimiter, content);
    assert.deepEqual(await values(content), EXPECTED, content);
    assert.deepEqual(await values(`\uFEFF${content}`, { size: 1 }), EXPECTED, content);
  }
  assert.equal((await layoutOf('Email\na;b\n')).delimiter, ',');
  assert.equal((await layoutOf('E-mail;x|Email|y\n')).delimiter, '|');
  const either = 'Email|x;E-mail;y\n';
  assert.equal((await layoutOf(either)).delimiter, ';');
  assert.equal((await layoutOf(either, { maps: ['x;E-mail;y=notes'] })).delimiter, '|');
  assert.equal((await layoutOf('name,email\temail\n', { format: 'tsv' })).delimiter, '\t');
});

test('a cell may hold commas in a file with semicolons, and a quoted cell may hold quotes and line ends', async () => {
  const content =
    'E-mail;Notes\r\na@example.com;"One, ""two"";\r\n\r\nthree"\r\nb@example.com;5" x\r\n';
  assert.deepEqual(await values(content), [
    { email: 'a@example.com', notes: 'One, "two";\r\n\r\nthree' },
    { email: 'b@example.com', notes: '5" x' },
  ]);
  assert.deepEqual(await lines(content), [2, 5]);
});

test('a file may end its lines in LF, CR LF or CR, its last line may lack an end, and blank lines are skipped', async () => {
  for (const end of ['\n', '\r\n', '\r'])
    for (const last of ['', end, end + end]) {
      const content = [
        '',
        'email,name',
        '',
        'a@b.cd,A',
        ',',
        ' ',
        '"",',
        `"c@d.ef","C${end}D"`,
        'x',
      ];
      const rows = await read(content.join(end) + last);
      assert.deepEqual(
        rows.map(({ line, text }) => [line, text]),
        [
          [4, 'a@b.cd,A'],
          [8, `"c@d.ef","C${end}D"`],
          [10, 'x'],
        ],
        JSON.stringify([end, last]),
      );
    }
});

test('a blank cell gives no value; any other cell keeps its white space', async () => {
  assert.deepEqual(await values('email,name,phone\n a@b.cd ," ",\u00A01 \n'), [
    { email: ' a@b.cd ', phone: '\u00A01 ' },
  ]);
});

test('a row may lack cells; a row with more cells than the header is refused, unless they are blank', async () => {
  const rows = await read('email,name\na@b.cd\nb@b.cd,B,, \nc@b.cd,C,x\nd@b.cd,D,,,"y",\n');
  assert.deepEqual(
    rows.map(({ value, fault }) => [value, fault]),
    [
      [{ email: 'a@b.cd' }, null],
      [{ email: 'b@b.cd', name: 'B' }, null],
      [{ email: 'c@b.cd', name: 'C' }, 'The row has 3 cells where the header has 2'],
      [{ email: 'd@b.cd', name: 'D' }, 'The row has 5 cells where the header has 2'],
    ],
  );
});

test('a row that a forgotten quote joined from two lines is refused with the reason', async () => {
  const rows = await read('email,notes\na@b.cd,"open\n"b@b.cd","x"\nc@b.cd,"y"\n');
  assert.deepEqual(
    rows.map(({ line, fault }) => [line, fault]),
    [
      [
        2,
        'The row has a quoted cell that goes over a line end and has text after its closing quote',
      ],
      [4, null],
    ],
  );
});

test('tags are read in the separators that Mailchimp, HubSpot, Outlook and Google write', async () => {
  for (const cell of [
    '"A,B c"',
    'A;B c',
    '"""A"",""B c"""',
    '* A ::: * B c',
    'A | B c',
    '"A\nB c"',
  ])
    assert.deepEqual(await values(`email,tags\na@b.cd,${cell}\n`), [
      { email: 'a@b.cd', tags: 'A,B c' },
    ]);
  assert.deepEqual(await values('email,tag\na@b.cd,"A;B, ""c"""\n'), [
    { email: 'a@b.cd', tags: 'A,B,c' },
  ]);
  assert.deepEqual(await values('email,tag\na@b.cd,"The ""c"""\n'), [
    { email: 'a@b.cd', tag: 'The "c"' },
  ]);
});

/** The same numbers between 0 and 1 for the same seed (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const WORDS = [
  'Aroha',
  'é',
  'Ā',
  '🏡👩‍👩‍👧',
  '"',
  '""',
  ',',
  ';',
  '\t',
  '|',
  '\n',
  '\r\n',
  '\r',
  ' ',
  '鄉',
  '@',
];

test('each row is read with its line, its text and its values, in whatever chunks the file arrives', async () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    const next = random(seed);
    const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T;
    const delimiter = pick([',', ';', '\t', '|']);
    const end = pick(['\n', '\r\n', '\r']);
    const quoted = (cell: string): string =>
      /["\n\r,;\t|]/.test(cell) || next() < 0.3 ? `"${cell.replaceAll('"', '""')}"` : cell;
    let content = `${next() < 0.3 ? '\uFEFF' : ''}${['Email', 'Notes', 'Who'].join(delimiter)}${end}`;
    let line = 2;
    let spreadsheetRow = 2;
    const expected: Row[] = [];
    for (let count = Math.floor(next() * 30); count > 0; count -= 1) {
      if (next() < 0.2) {
        content += end;
        line += 1;
        spreadsheetRow += 1;
      }
      const notes = Array.from({ length: Math.floor(next() * 12) }, () => pick(WORDS)).join('');
      const cells = [`${count}@b.cd`, notes, pick(WORDS)];
      const text = cells.map(quoted).join(delimiter);
      const value = { email: cells[0], ...(notes.trim() !== '' && { notes }) };
      expected.push({ line, row: spreadsheetRow, text, fault: null, value, extra: {}, others: [] });
      content += text + (count === 1 && next() < 0.5 ? '' : end);
      line += 1 + (text.match(/\r\n|\n|\r/g)?.length ?? 0);
      spreadsheetRow += 1;
    }
    const size = pick([1, 65_536, () => 1 + Math.floor(next() * 40)]);
    assert.deepEqual(await read(content, { size }), expected, `seed ${seed}`);
    const shape = { ...(await layoutOf(content)), name: 'leads.csv' };
    for (const { text, value } of expected)
      assert.deepEqual(parseRow(text, shape), { value, extra: {}, others: [] });
  }
});

test('rows that are longer than a chunk and a file of many chunks are read whole', async () => {
  const notes = 'é\n"🏡'.repeat(10_000);
  const row = (n: number): string => `${n}@b.cd,"${notes.slice(5 * n).replaceAll('"', '""')}"\r\n`;
  const content = `email,notes\n${Array.from({ length: 12 }, (_, n) => row(n)).join('')}`;
  const rows = await read(content, { size: 50_000 });
  for (const [n, { value }] of rows.entries())
    assert.ok(isDeepStrictEqual(value, { email: `${n}@b.cd`, notes: notes.slice(5 * n) }));
  assert.equal(rows.length, 12);
  const starts = rows.map(({ line }) => content.split('\n')[line - 1]?.slice(0, 8));
  assert.deepEqual(
    starts,
    rows.map(({ text }) => text.slice(0, 8).split('\n')[0]),
  );
});

test('--from-line goes on with the row that begins there or after', async () => {
  const content = 'email,notes\na@b.cd,"x\ny"\n\nb@b.cd,z\nc@b.cd\n';
  for (const [fromLine, expected] of [
    [1, [2, 5, 6]],
    [2, [2, 5, 6]],
    [3, [5, 6]],
    [6, [6]],
    [7, []],
  ] as const)
    assert.deepEqual(await lines(content, { fromLine }), expected);
  assert.deepEqual(await lines('"\n",\n\nemail,name\na@b.cd\n'), [5]);
  assert.deepEqual(await lines('{"a":1}\n\n{"a":2}\n3\n', { fromLine: 2 }), [3, 4]);
});

test('a file with a header alone has no rows', async () => {
  for (const content of [
    'email',
    'email,name\n',
    '\uFEFFemail,"First\r\nName"\r\n',
    'sep=;\nemail\n',
  ])
    assert.deepEqual(await read(content), [], content);
});

test('an empty file, a spreadsheet, UTF-16 without a mark and gzip are refused with advice', async () => {
  for (const content of ['', '\uFEFF', '\n\r\n \n', '\uFEFF\n'])
    assert.match((await refusal(content))[0], /is empty/, JSON.stringify(content));
  const [reason] = await refusal(`${'\n'.repeat(1_000_000)}email\nana@example.com\n`);
  assert.match(reason, /begins with more than 16,000 blank characters/);
  for (const [content, pattern] of [
    [Buffer.from('email,name\n', 'utf16le'), /in UTF-16; say so with --encoding utf-16le/],
    [Buffer.from('email,name\n', 'utf16le').swap16(), /in UTF-16; say so with --encoding utf-16be/],
    [Buffer.from('504b0304140006000800', 'hex'), /is a spreadsheet.*save it as CSV UTF-8/],
    [Buffer.from('d0cf11e0a1b11ae1', 'hex'), /is a spreadsheet; save it as CSV UTF-8/],
    [Buffer.from('1f8b0800', 'hex'), /gunzip/],
    [Buffer.from('email,Größe\na@b.cd,x\n', 'latin1'), /^line 1 is not UTF-8/],
  ] as const)
    assert.match((await refusal(content, { name: 'leads.csv', size: 1 }))[0], pattern);
});

test('a file that is not UTF-8 is refused with the number of its first line that is not', async () => {
  const good = 'email,notes\na@b.cd,"x é\ny"\n\nb@b.cd,z\n';
  for (const [bad, line] of [
    ['c@b.cd,é\n', 6],
    ['c@b.cd,"a\r\nb\r\né"', 8],
    ['"\n",é', 7],
  ] as const)
    for (const size of [1, 7, 65_536]) {
      const content = Buffer.concat([
        Buffer.from(good),
        Buffer.from(bad, 'latin1'),
        Buffer.from('\nd'),
      ]);
      const [message] = await refusal(content, { size });
      assert.match(message, new RegExp(`^line ${line} is not UTF-8; .*CSV UTF-8`));
    }
  const half = Buffer.from('email,notes\na@b.cd,🏡').subarray(0, -1);
  assert.match((await refusal(half))[0], /^line 2 is not UTF-8/);
  const json = Buffer.from('{"email":"a"}\n{"name":"é"}\n', 'latin1');
  assert.match((await refusal(json))[0], /^line 2 is not UTF-8/);
});

test('a quote that is never closed is refused with the line of its row, after the rows before it', async () => {
  const content = 'email,notes\na@b.cd,"x\ny"\nb@b.cd,"open\nc@b.cd,z\nd@b.cd,z\n';
  for (const size of [1, 65_536])
    assert.deepEqual(await refusal(content, { size }), [
      'the row that begins on line 4 opens a quote that is never closed',
      [2],
    ]);
  assert.match(
    (await refusal('"email,name\na@b.cd,x\n'))[0],
    /^the row that begins on line 1 opens a quote/,
  );
});

test('a row of 1 MiB is read, and a longer one is refused with its line', async () => {
  const row = (size: number, quote = ''): string =>
    `a@b.cd,${quote}${'x'.repeat(size - 7 - 2 * quote.length)}${quote}`;
  const head = 'email,notes\nfirst@b.cd,x\n';
  for (const [end, quote] of [
    ['', ''],
    ['\r\nlast@b.cd\n', '"'],
  ] as const) {
    assert.equal((await lines(head + row(1_048_576, quote) + end))[1], 3);
    for (const size of [1_048_600, 2_000_000]) {
      const [message, given] = await refusal(head + row(size, quote) + end);
      assert.match(message, /^the row that begins on line 3 is longer than 1 MiB/);
      assert.deepEqual(given, [2]);
    }
  }
  const open = `${head}a@b.cd,"open\n${'b@b.cd,x\n'.repeat(150_000)}`;
  assert.match((await refusal(open))[0], /^the row that begins on line 3 is longer.*quotes/);
  const json = `{"a":1}\n{"a":"${'x'.repeat(2_000_000)}"}\n`;
  assert.match((await refusal(json))[0], /line 2 is longer than 1 MiB/);
});

test('each line of NDJSON is a row; a line that is not JSON is refused with the reason', async () => {
  const content =
    '\uFEFF{"email":"a@b.cd","tags":["x"],"name":"🏡"}\r\n\n  \n{"a":1\n[1]\n"é"\n null \n{}';
  for (const size of [1, 65_536]) {
    const rows = await read(content, { size, name: 'leads.jsonl' });
    const fault = 'The line is not valid JSON';
    assert.deepEqual(
      rows.map((row) => [row.line, row.text, row.value, row.fault]),
      [
        [
          1,
          '{"email":"a@b.cd","tags":["x"],"name":"🏡"}',
          { email: 'a@b.cd', tags: ['x'], name: '🏡' },
          null,
        ],
        [4, '{"a":1', null, fault],
        [5, '[1]', [1], null],
        [6, '"é"', 'é', null],
        [7, ' null ', null, null],
        [8, '{}', {}, null],
      ],
    );
  }
  assert.match((await refusal('{"a":1}\n', { maps: ['a=email'] }))[0], /--map is for columns/);
});

test('a reader that stops early closes the file, and so does a refusal', async () => {
  let closed = 0;
  async function* source(first: string): AsyncGenerator<Buffer> {
    try {
      yield Buffer.from(first);
      for (;;) yield Buffer.from(`${'x'.repeat(30)}\n`.repeat(3_000));
    } finally {
      closed += 1;
    }
  }
  const options = {
    name: null,
    format: null,
    encoding: null,
    headerLine: null,
    maps: [],
  };
  const long = `email\n${'a@b.cd\n'.repeat(20_000)}`;
  for await (const rows of readRows(await openFile(Readable.from(source(long)), options)))
    if (rows.length > 0) break;
  assert.equal(closed, 1);
  await assert.rejects(openFile(Readable.from(source('name\nx\n')), options), FileError);
  assert.equal(closed, 2);
});
