import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { testAccountsOf } from './support/test-accounts.ts';
import {
  LIVE,
  NOWHERE,
  OTHER_LIVE,
  OTHER_UNIT,
  UNIT,
  WITHDRAWN_UNIT,
} from './support/developer.ts';
import { readEvents } from './support/event-log.ts';
import { build } from './support/harness.ts';
import { assertProblem } from './support/problem.ts';
import { run } from './support/sql.ts';

const service = await build({ after });
const makeAccount = testAccountsOf(service);
const LIST = `/stock/projects/${LIVE}/price-list.csv`;
const INSTANCE = `/api/v1${LIST}`;
const CSV = { 'content-type': 'text/csv' };
const HEADER =
  'unitId,version,lotNumber,name,unitType,status,level,bedrooms,bathrooms,carSpaces,aspect,internalAreaSqm,externalAreaSqm,landAreaSqm,price,priceDisplay,currency';

interface Unit {
  id: string;
  name: string;
  status: string;
  price: number | null;
  aspect: string | null;
  lotNumber: string | number | null;
  etag: string;
}

interface Row {
  index: number;
  row: number;
  id: string | null;
  changes: { field: string; from: unknown; to: unknown }[];
  etag: string | null;
  problem: { code: string; errors: { row: number; column?: string; detail: string }[] } | null;
}

/** An account whose live project has these units alone, beside its own withdrawn one. */
async function setUp() {
  const account = await makeAccount();
  const api = await account.program('projects:write', 'stock:read', 'events:read');
  await api.remove(`/stock/units/${UNIT}`);
  const units = [
    { name: 'Lot one', lotNumber: 1, status: 'Available', price: 849_000, level: 3, bedrooms: 2 },
    { name: '=Tricky, "two"', lotNumber: 'Lot 2A', status: 'On Hold', aspect: "'-North\r\nWest" },
    {
      name: 'Wharenui',
      lotNumber: '007',
      status: 'Reserved',
      price: 1e6,
      internalAreaSqm: 74.5,
      currency: 'NZD',
    },
  ];
  const { body, text } = await api.post(`/stock/projects/${LIVE}/units`, { units });
  assert.equal(body.data?.length, 3, text);
  const ids = (body.data as Unit[]).map(({ id }) => id);
  const put = (file: string | Buffer, query = '', headers: object = CSV) =>
    api.put(`${LIST}${query}`, file, headers);
  const read = async () => (await api.get(LIST)).text;
  const unit = async (id = ids[0]): Promise<Unit> => (await api.get(`/stock/units/${id}`)).body;
  /** Everything that a request could change. */
  const state = async () => [
    (await api.get('/stock/units?limit=500')).body,
    (await api.get('/stocklist')).body,
    await readEvents(service.db, account.accountId),
  ];
  return { ...account, api, ids, put, read, unit, state };
}

const faultsOf = (rows: Row[]) =>
  rows.flatMap(({ row, problem }) =>
    problem === null
      ? []
      : problem.errors.map((fault) => [row, fault.row, problem.code, fault.column]),
  );

describe('the price list of a project', () => {
  test('and an export are named by the day at the account, not by that of UTC', async () => {
    const { program, accountId } = await makeAccount();
    const api = await program('projects:read');
    // These zones never have the same day.
    for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      await run(service.db, 'update accounts set time_zone = $1 where account_id = $2', [
        zone,
        accountId,
      ]);
      const day = new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format();
      for (const [path, name] of [
        [LIST, 'price-list-harbourlight'],
        ['/exports/units', 'units'],
      ] as const)
        assert.equal(
          (await api.get(path)).headers['content-disposition'],
          `attachment; filename="${name}-${day}.csv"`,
        );
    }
  });

  test('is CSV for spreadsheets, with harmless formulas, and withdrawn units', async () => {
    const { api, ids } = await setUp();
    const { status, headers, text } = await api.get(LIST);
    assert.equal(status, 200);
    assert.equal(headers['content-type'], 'text/csv; charset=utf-8');
    assert.match(
      String(headers['content-disposition']),
      /filename="price-list-harbourlight-\d{4}-/,
    );
    assert.ok(text.startsWith(`\uFEFF${HEADER}\r\n`));
    assert.ok(text.includes(`${WITHDRAWN_UNIT},1,,1B,,Withdrawn,`));
    assert.ok(text.includes(`${ids[0]},1,1,Lot one,,Available,3,2,,,,,,,849000,,\r\n`), text);
    assert.ok(
      text.includes(`${ids[1]},1,Lot 2A,"'=Tricky, ""two""",,On Hold,,,,,"''-North\r\nWest",`),
      text,
    );
  });

  test('changes nothing when it is sent back as it is: no version, no event, no tick of the clock', async () => {
    const { put, read, state } = await setUp();
    const [file, before] = [await read(), await state()];
    const excel = file.replace('\uFEFF', '');
    const semicolons = excel.replaceAll(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/g, ';');
    const files = [
      file,
      excel,
      excel.replaceAll('\r\n', '\n'),
      semicolons,
      `sep=;\r\n${semicolons}`,
      Buffer.from(
        `\uFEFF${excel.replaceAll(',', '\t').replace('=Tricky\t', '=Tricky,')}`,
        'utf16le',
      ),
    ];
    for (const each of files) {
      const { status, body, text } = await put(each);
      assert.equal(status, 200, text);
      assert.deepEqual(body.summary, { changed: 0, unchanged: 4, refused: 0 }, text);
      assert.deepEqual(body.ignoredColumns, []);
    }
    assert.deepEqual(await state(), before);
  });

  test('shows the difference by row and column in a dry run, and then applies it', async () => {
    const { put, read, state, unit, ids, api } = await setUp();
    const file = (await read())
      .replace('849000', '"NZ$ 865,000.00"')
      .replace(',On Hold,', ',available,')
      .replace('74.5', '');
    const before = await state();
    const dry = await put(file, '?dryRun=true');
    assert.deepEqual(dry.body.summary, { changed: 3, unchanged: 1, refused: 0 });
    assert.deepEqual(
      dry.body.results.map(({ row, id, changes }: Row) => [row, id, changes]),
      [
        [2, WITHDRAWN_UNIT, []],
        [3, ids[0], [{ field: 'price', from: 849_000, to: 865_000 }]],
        [4, ids[1], [{ field: 'status', from: 'On Hold', to: 'Available' }]],
        [5, ids[2], [{ field: 'internalAreaSqm', from: 74.5, to: null }]],
      ],
    );
    assert.deepEqual(await state(), before);
    const { body } = await put(file);
    assert.deepEqual(body.summary, dry.body.summary);
    assert.equal((await unit()).price, 865_000);
    assert.equal((await unit(ids[1])).status, 'Available');
    const { body: stocklist } = await api.get('/stocklist');
    assert.equal(stocklist.projects[0].id, LIVE);
    // The versions in the file are old now.
    const again = assertProblem(await put(file), 'rows_refused', INSTANCE);
    assert.deepEqual(faultsOf(again.results as unknown as Row[]), [
      [3, 3, 'precondition_failed', 'version'],
      [4, 4, 'precondition_failed', 'version'],
      [5, 5, 'precondition_failed', 'version'],
    ]);
  });

  test('finds columns by name in any order, units by lot or name, and says which columns it ignores', async () => {
    const { put, unit, ids } = await setUp();
    const files: [string, string, string[], Partial<Unit>][] = [
      [
        'PRICE,Lot Number,Agent\n"$ 1,250,000",1,Mele\n',
        ids[0] ?? '',
        ['Agent'],
        { price: 1_250_000 },
      ],
      [
        'lot_number;price;status\nlot 2a;NZ$ 1 250 000;UNDER CONTRACT\n',
        ids[1] ?? '',
        [],
        { price: 1_250_000, status: 'Under Contract' },
      ],
      ['Name\tUnit type\tAspect\nwharenui\thouse\tNorth\n', ids[2] ?? '', [], { aspect: 'North' }],
      [
        'Unit ID,Lot number,Name\n,1,Lot uno\n',
        ids[0] ?? '',
        [],
        { name: 'Lot uno', lotNumber: 1 },
      ],
      [
        `Stage 2 prices,,\n,,\nunitid,aspect,status\n${ids[2]?.toUpperCase()},,Settled\n`,
        ids[2] ?? '',
        [],
        { aspect: null, status: 'Settled' },
      ],
    ];
    for (const [file, id, ignored, expected] of files) {
      const { body, text } = await put(file);
      assert.deepEqual(
        [body.summary, body.ignoredColumns],
        [{ changed: 1, unchanged: 0, refused: 0 }, ignored],
        text,
      );
      const found = await unit(id);
      assert.deepEqual({ ...found, ...expected }, found);
    }
  });

  test('finds the columns of a usual price list, such as Lot, Unit no, Beds and Price (NZD)', async () => {
    const { put, unit, ids } = await setUp();
    const files: [string, string[], Partial<Unit> & { bedrooms?: number }][] = [
      ['Lot,Beds,Price (NZD)\n1,3,$800k\n', [], { bedrooms: 3, price: 800_000 }],
      ['Unit No.,List price\nlot one,1.25m\n', [], { price: 1_250_000 }],
      ['Name,Lot,Unit,Price\nLot one,1,A,"849000,50"\n', ['Unit'], { price: 849_000.5 }],
    ];
    for (const [file, ignored, expected] of files) {
      const { body, text } = await put(file);
      assert.equal(body.summary?.changed, 1, text);
      assert.deepEqual(body.ignoredColumns, ignored);
      const found = await unit(ids[0]);
      assert.deepEqual({ ...found, ...expected }, found);
    }
  });

  test('refuses a price that may be a fraction, or thousands, or millions', async () => {
    const { put } = await setUp();
    for (const price of ['2,5', '849.000', '$1.250', '2,50 m', 'k']) {
      const problem = assertProblem(
        await put(`name,price\nLot one,"${price}"\n`),
        'rows_refused',
        INSTANCE,
      );
      assert.equal(problem.errors?.[0]?.column, 'price');
    }
  });

  test('reads what Excel saves in Windows-1252 and in UTF-16', async () => {
    const { put, unit, ids } = await setUp();
    const latin = Buffer.from(
      'name;aspect;price\nLot one;Caf\xE9 c\xF4t\xE9;\x80 849.000,50\n',
      'latin1',
    );
    const first = await put(latin);
    assert.equal(first.body.summary.changed, 1, first.text);
    assert.deepEqual([(await unit()).aspect, (await unit()).price], ['Café côté', 849_000.5]);
    const wide = Buffer.from('\uFEFFname\taspect\r\nLot one\tTāmaki\r\n', 'utf16le');
    assert.equal((await put(wide)).body.summary.changed, 1);
    assert.equal((await unit()).aspect, 'Tāmaki');
    const marked = { 'content-type': 'text/csv; charset=windows-1252' };
    const inCharset = await put(Buffer.from('name,aspect\nLot one,\xC4\n', 'latin1'), '', marked);
    assert.equal(inCharset.body.summary.changed, 1);
    assert.equal((await unit(ids[0])).aspect, 'Ä');
  });

  test('answers 415 when the file is compressed', async () => {
    const { put } = await setUp();
    const compressed = { 'content-type': 'text/csv', 'content-encoding': 'gzip' };
    assertProblem(await put('name\n', '', compressed), 'unsupported_media_type', INSTANCE);
  });

  test('answers 415 when the charset is unknown, also with a byte order mark', async () => {
    const { put } = await setUp();
    const unknown = { 'content-type': 'text/csv; charset=klingon' };
    for (const file of ['name,price\nLot one,1\n', '\uFEFFname,price\nLot one,1\n']) {
      const problem = assertProblem(
        await put(file, '', unknown),
        'unsupported_media_type',
        INSTANCE,
      );
      assert.match(problem.detail, /encoding of the Encoding Standard, such as UTF-8/);
    }
  });

  test('names each row that is refused, and stores nothing', async () => {
    const { put, state, ids } = await setUp();
    const rows = [
      'unitId,lotNumber,Price,Status,name,version',
      `${ids[0]},1,850000,Available,Lot one,1`,
      `${NOWHERE},1,1,Available,x,`,
      `${OTHER_UNIT},1,1,Available,x,`,
      ',99,1,Available,x,',
      ',,1,Available,nobody,',
      ',,1,Available,,',
      `${ids[1]},Lot 2A,POA,Sold,two,`,
      `${ids[0]},1,850001,Available,Lot one,1`,
      `${ids[2]},007,1,Available,,1`,
      `${ids[2]},007,1,Available,x,v1`,
      `${WITHDRAWN_UNIT},,1,Withdrawn,1B,9`,
    ];
    const file = `${rows.join('\n')}\n`;
    const before = await state();
    const problem = assertProblem(await put(file), 'rows_refused', INSTANCE);
    const dry = await put(file, '?dryRun=true');
    assert.equal(dry.status, 200, dry.text);
    assert.deepEqual(dry.body.summary, { changed: 1, unchanged: 0, refused: 10 });
    const expected = [
      [3, 3, 'unit_not_found', 'unitId'],
      [4, 4, 'unit_not_found', 'unitId'],
      [5, 5, 'unit_not_found', 'lotNumber'],
      [6, 6, 'unit_not_found', 'name'],
      [7, 7, 'invalid_request', 'unitId'],
      [8, 8, 'invalid_request', 'Status'],
      [8, 8, 'invalid_request', 'Price'],
      [9, 9, 'invalid_request', 'unitId'],
      [10, 10, 'invalid_request', 'name'],
      [11, 11, 'invalid_request', 'version'],
      [12, 12, 'precondition_failed', 'version'],
    ];
    for (const found of [problem.results as unknown as Row[], dry.body.results])
      assert.deepEqual(faultsOf(found), expected);
    assert.equal(problem.errors?.[0]?.detail, 'unitId must be that of a unit of this project.');
    assert.deepEqual(problem.errors?.[0], { ...problem.errors?.[0], row: 3, column: 'unitId' });
    assert.deepEqual(await state(), before);
  });

  test('keeps lots and names that a spreadsheet rewrites as numbers, such as 3.1 for 3.10', async () => {
    const { put, read, api, unit } = await setUp();
    const units = [
      { name: '3.10', lotNumber: '0042', status: 'Available', price: 1 },
      { name: '3.2', lotNumber: '5.00', status: 'Available', price: 2, level: '01' },
    ];
    const { body: made } = await api.post(`/stock/projects/${LIVE}/units`, { units });
    const saved = (await read())
      .replace(',0042,3.10,', ',42,3.1,')
      .replace(',5.00,3.2,', ',5,3.2,')
      .replace(',01,', ',1,')
      .replace(',007,', ',7,');
    const { body, text } = await put(saved);
    assert.deepEqual(body.summary, { changed: 0, unchanged: 6, refused: 0 }, text);
    const { body: priced } = await put(saved.replace(/(,3\.1,.*),1,,\r\n/, '$1,9,,\r\n'));
    assert.deepEqual(priced.summary, { changed: 1, unchanged: 5, refused: 0 });
    const { name, lotNumber } = await unit(made.data[0].id);
    assert.deepEqual([name, lotNumber], ['3.10', '0042']);
  });

  test('finds a unit by a lot or a name that begins like a formula, with and without the apostrophe of the list', async () => {
    const { put, read, api, unit } = await setUp();
    const units = [
      { name: '-1.05', status: 'Available' },
      { name: 'B2', lotNumber: '@2', status: 'Available' },
    ];
    const { body: made } = await api.post(`/stock/projects/${LIVE}/units`, { units });
    assert.match(await read(), /,,'-1\.05,[^]*,'@2,B2,/);
    for (const [price, apostrophe] of ["'", ''].entries()) {
      const { body, text } = await put(
        `lotNumber,name,price\n,${apostrophe}-1.05,${price}\n${apostrophe}@2,B2,${price}\n`,
      );
      assert.deepEqual(body.summary, { changed: 2, unchanged: 0, refused: 0 }, text);
    }
    const { name, lotNumber } = await unit(made.data[1].id);
    assert.deepEqual([name, lotNumber], ['B2', '@2']);
  });

  test('finds a unit without a lot number by its name in the column Lot, when no other unit can be meant', async () => {
    const { put, api } = await setUp();
    const units = [
      { name: 'Townhouse 1', status: 'Available', price: 1 },
      { name: 'Townhouse 2', lotNumber: 'PU 7', status: 'Available', price: 1 },
      { name: 'Townhouse 3', status: 'Available', price: 1 },
      { name: 'Corner', lotNumber: 'Townhouse 3', status: 'Available', price: 1 },
    ];
    await api.post(`/stock/projects/${LIVE}/units`, { units });
    const rows = ['townhouse 1', 'Townhouse 2', 'Townhouse 3'].map((lot) => `${lot},839000\n`);
    const { body } = await put(`Lot,Price\n${rows.join('')}`, '?dryRun=true');
    assert.deepEqual(
      body.results.map(({ changes, problem }: Row) => problem?.code ?? changes),
      [[{ field: 'price', from: 1, to: 839_000 }], 'unit_not_found', 'invalid_request'],
    );
  });

  test('finds Lot 12 by 12, and 8 by Lot 8, when only one unit can be meant', async () => {
    const { put, api } = await setUp();
    const lots = ['Lot 12', 8, 'Lot 9', 'Lot 09', '10', 'Lot 10', 'PU 11'];
    const units = lots.map((lotNumber) => ({
      name: `Unit ${lotNumber}`,
      lotNumber,
      status: 'Available',
    }));
    await api.post(`/stock/projects/${LIVE}/units`, { units });
    const rows = ['12', 'lot 8', '9', '10', '11'].map((lot) => `${lot},5\n`);
    const { body } = await put(`lotNumber,price\n${rows.join('')}`, '?dryRun=true');
    const { data } = (await api.get('/stock/units?limit=500')).body;
    const names = body.results.map((result: Row) =>
      result.problem === null
        ? data.find((each: Unit) => each.id === result.id)?.name
        : result.problem.code,
    );
    const unknown = 'unit_not_found';
    assert.deepEqual(names, ['Unit Lot 12', 'Unit 8', unknown, 'Unit 10', unknown]);
  });

  test('asks whether 3.10 is meant when a row names an unknown 3.1', async () => {
    const { put, state, api } = await setUp();
    const units = [
      { name: '3.10', lotNumber: '3.100', status: 'Available' },
      { name: '3.100', lotNumber: 'B 3.10', status: 'Available' },
      { name: '3.2', lotNumber: '3.3', status: 'Available' },
    ];
    await api.post(`/stock/projects/${LIVE}/units`, { units });
    const before = await state();
    const file = 'lotNumber,name,price\n,3.2,1\n,3.1,2\n3.1,,3\n,3.4,4\n';
    const { errors } = assertProblem(await put(file), 'rows_refused', INSTANCE);
    const rule = 'must be that of a unit of this project.';
    const advice = 'Spreadsheets drop leading and trailing zeros: restore them, or add the unitId.';
    assert.deepEqual(errors, [
      { row: 3, column: 'name', detail: `name ${rule} Did you mean 3.10 or 3.100? ${advice}` },
      { row: 4, column: 'lotNumber', detail: `lotNumber ${rule} Did you mean 3.100? ${advice}` },
      { row: 5, column: 'name', detail: `name ${rule}` },
    ]);
    assert.deepEqual(await state(), before);
  });

  test('refuses a 3.1 that may be a 3.10, unless the name, or a row for 3.10, says which is meant', async () => {
    const { put, state, api, unit } = await setUp();
    const units = [
      { name: 'Lot 3.1', lotNumber: '3.1', status: 'Available', price: 1 },
      { name: 'Lot 3.10', lotNumber: '3.10', status: 'Available', price: 2 },
      { name: '4.1', lotNumber: '4.1', status: 'Available', price: 3 },
      { name: '4.10', lotNumber: '4.10', status: 'Available', price: 4 },
      { name: '5.1', status: 'Available', price: 5 },
      { name: '5.10', status: 'Available', price: 6 },
    ];
    const { body } = await api.post(`/stock/projects/${LIVE}/units`, { units });
    const prices = () =>
      Promise.all(body.data.map(async ({ id }: { id: string }) => (await unit(id)).price));
    const before = await state();
    for (const [file, lots] of [
      ['lotNumber,price\n3.1,9\n', '3.1 or 3.10'],
      ['lotNumber,name,price\n3.1,Renamed,9\n', '3.1 or 3.10'],
      ['lotNumber,name,price\n4.1,4.1,9\n', '4.1 or 4.10'],
      ['lotNumber,price\n5.1,9\n', '5.1 or 5.10'],
    ] as const) {
      const { errors } = assertProblem(await put(file), 'rows_refused', INSTANCE);
      const detail = `lotNumber may mean ${lots}, since spreadsheets drop leading and trailing zeros; send the unitId.`;
      assert.deepEqual(errors, [{ row: 2, column: 'lotNumber', detail }]);
    }
    assert.deepEqual(await state(), before);
    await put('lotNumber,name,price\n3.1,Lot 3.1,3\n3.1,Lot 3.10,4\n');
    assert.deepEqual(await prices(), [3, 4, 3, 4, 5, 6]);
    await put('lotNumber,price\n3.1,5\n3.10,6\n');
    assert.deepEqual(await prices(), [5, 6, 3, 4, 5, 6]);
  });

  test('says of a status such as null, and of an empty one, what it must be', async () => {
    const { put } = await setUp();
    const file =
      'lotNumber,name,status\n1,Lot one,null\nLot 2A,"=Tricky, ""two""",\n007,,On Hold\n';
    const { errors } = assertProblem(await put(file), 'rows_refused', INSTANCE);
    const statuses =
      'Coming Soon, Available, On Hold, Reserved, Under Contract, Unconditional, Settled or Withdrawn';
    const empty = 'must not be empty; leave its column out to keep it.';
    assert.deepEqual(errors, [
      { row: 2, column: 'status', detail: `status must be ${statuses}, not "null".` },
      { row: 3, column: 'status', detail: `status ${empty}` },
      { row: 4, column: 'name', detail: `name ${empty}` },
    ]);
  });

  test('says where a quote is open', async () => {
    const { put } = await setUp();
    const problem = assertProblem(
      await put('name,aspect\nLot one,"North\n'),
      'invalid_request',
      INSTANCE,
    );
    assert.equal(
      problem.detail,
      'The row that begins on line 2 opens a quote that is never closed.',
    );
  });

  test('refuses numbers that could be two, rather than guess', async () => {
    const { put } = await setUp();
    const files = [
      'name;internal area sqm\nLot one;74,125\n',
      'name;internal area sqm\nLot one;74.125\n',
      'name,internal area sqm\nLot one,"0,125"\n',
      'name,internal area sqm\nLot one,7 4\n',
    ];
    for (const file of files) {
      const problem = assertProblem(await put(file), 'rows_refused', INSTANCE);
      const detail =
        'internalAreaSqm must be a number that means one thing, such as 849000 or 74.5; or empty.';
      assert.deepEqual(problem.errors, [{ row: 2, column: 'internal area sqm', detail }]);
    }
  });

  test('refuses a row whose name several units have, and a row with too many cells', async () => {
    const { put, api } = await setUp();
    await api.post(`/stock/projects/${LIVE}/units`, { name: 'LOT ONE', status: 'Available' });
    const { body } = await put('name,price\nLot one,1\nWharenui,1,2\n', '?dryRun=true');
    assert.deepEqual(faultsOf(body.results), [
      [2, 2, 'invalid_request', 'name'],
      [3, 3, 'invalid_request', undefined],
    ]);
  });

  test('leaves the units that are not in the file, and those of other projects', async () => {
    const { put, state, api } = await setUp();
    const { body: before } = await api.get(`/stock/projects/${OTHER_LIVE}/units`);
    const { body } = await put('lotNumber,price\n1,1\n');
    assert.equal(body.results.length, 1);
    const [units] = await state();
    assert.equal((units as { data: Unit[] }).data.filter(({ price }) => price === 1).length, 1);
    assert.deepEqual((await api.get(`/stock/projects/${OTHER_LIVE}/units`)).body, before);
  });

  test('refuses a list of far too many rows with a 400 that says how many it may have', async () => {
    const { put } = await setUp();
    const refused = await put(`name,price\n${'Wharenui,1\n'.repeat(150_000)}`);
    const { detail } = assertProblem(refused, 'invalid_request', INSTANCE);
    assert.equal(detail, 'A price list has at most 10000 rows.');
  });

  test('with a million blank lines keeps no other request waiting', async () => {
    const { put, api } = await setUp();
    const done: string[] = [];
    const list = put(`name,price\nWharenui,1000001\n${'\n'.repeat(1_000_000)}`, '?dryRun=true');
    const kept = list.then(() => void done.push('price list'));
    for (let count = 0; count < 20; count += 1) await api.get('/stocklist');
    done.push('reads');
    await kept;
    assert.deepEqual((await list).body.summary, { changed: 1, unchanged: 0, refused: 0 });
    assert.deepEqual(done, ['reads', 'price list']);
  });

  test('refuses what is no price list', async () => {
    const { put, state, api, person } = await setUp();
    const agent = await person('agent');
    const before = await state();
    for (const file of [
      'price,status\n1,Available\n',
      'a,b\n1,2\n',
      'name,price,Price\nx,1,2\n',
      'name,price\n"x,1\n',
      Buffer.from('PK\u0003\u0004'),
      Buffer.from('name,pri\0ce\n'),
      `name,price\n${'x,1\n'.repeat(10_001)}`,
    ])
      assertProblem(await put(file), 'invalid_request', INSTANCE);
    for (const empty of ['', '\n \n', '\uFEFF', Buffer.from('\uFEFF', 'utf16le')]) {
      const { errors } = assertProblem(await put(empty), 'invalid_request', INSTANCE);
      assert.deepEqual(errors, [{ pointer: '', detail: 'The file is empty.' }]);
    }
    assertProblem(
      await put('name,price\nx,1\n', '', { 'content-type': 'application/json' }),
      'unsupported_media_type',
      INSTANCE,
    );
    assertProblem(await put('name,price\nx,1\n', '?dryrun=1'), 'invalid_request', INSTANCE);
    assertProblem(
      await put(`name,price\n${' '.repeat(5 * 1024 * 1024)}`),
      'body_too_large',
      INSTANCE,
    );
    const elsewhere = `/stock/projects/${NOWHERE}/price-list.csv`;
    assertProblem(await api.get(elsewhere), 'project_not_found', `/api/v1${elsewhere}`);
    assertProblem(
      await api.put(elsewhere, 'name,price\nx,1\n', CSV),
      'project_not_found',
      `/api/v1${elsewhere}`,
    );
    assert.equal((await agent.get(LIST)).status, 200);
    assertProblem(await agent.put(LIST, 'name,price\nx,1\n', CSV), 'insufficient_access', INSTANCE);
    assert.deepEqual(await state(), before);
  });
});
