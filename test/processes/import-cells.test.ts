import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { buildWithCommand } from '../support/file-imports.ts';

const { makeDeveloper, importing } = await buildWithCommand({ after });

const EMAIL = 'john@example.com';

test('white space beside a quote and escaped quotes move no cell to another column', async () => {
  for (const [content, name] of [
    [`Email, Name, Phone, Notes\n${EMAIL}, "Smith, John",021 555\n`, 'Smith, John'],
    [`Email,Name,Phone,Notes\n${EMAIL},\t"Smith, John",021 555\n`, 'Smith, John'],
    [`Email,Name,Phone,Notes\n${EMAIL},\u00a0"Smith, John",021 555\n`, 'Smith, John'],
    [`Email;Name;Phone;Notes\n${EMAIL}; "Smith; John";021 555\n`, 'Smith; John'],
    [`Email,Name,Phone,Notes\n"${EMAIL}" ,"Smith, John" ,021 555\n`, 'Smith, John'],
    [`Email,Name,Phone,Notes\n${EMAIL},"John \\"J, J\\" Smith",021 555\n`, 'John "J, J" Smith'],
    [`Email,Name,Phone,Notes\n${EMAIL}, "Smith\nJohn",021 555\n`, 'Smith\nJohn'],
  ] as const) {
    const developer = await makeDeveloper();
    const { stdout } = await importing(developer, content);
    assert.match(stdout, /1 created, 0 merged, 0 refused/, content);
    const contact = await developer.contact(EMAIL);
    assert.deepEqual([contact.name, contact.phone, contact.activities], [name, '021 555', []]);
  }
});

test('a row whose quotes can be read in two ways is refused with a reason, and the next row is imported', async () => {
  for (const cell of ['"He said "hi, there" ok"', '"hi\\", there"', 'about "Lot, 3" please']) {
    const developer = await makeDeveloper();
    const content = `Email,Notes,Phone,Company\n${EMAIL},${cell},021\nnext@example.com,"x",022\n`;
    const { stdout } = await importing(developer, content);
    assert.match(stdout, /1 created, 0 merged, 1 refused/, cell);
    assert.match(stdout, /^ {2}1 row: The row .*: .*cell/m);
    assert.equal((await developer.contact('next@example.com')).phone, '022');
  }
});

const NAMES = 'Email,First Name\r\na@example.com,Zoë\r\nb@example.com,O’Keefe\r\n';

test('UTF-16 with a byte order mark is read, and the summary names the encoding', async () => {
  const little = Buffer.from(`\uFEFF${NAMES}`, 'utf16le');
  for (const [bytes, encoding] of [
    [little, 'UTF-16LE'],
    [Buffer.from(little).swap16(), 'UTF-16BE'],
  ] as const) {
    const developer = await makeDeveloper();
    const { stdout } = await importing(developer, bytes);
    assert.match(stdout, new RegExp(`2 created[^]*The file was read as ${encoding}\\.`));
    assert.equal((await developer.contact('a@example.com')).firstName, 'Zoë');
  }
});

test('--encoding reads what is not UTF-8, and the refusal without it proposes it', async () => {
  const bytes = Buffer.from(NAMES.replace('’', '\x92'), 'latin1');
  const developer = await makeDeveloper();
  const refused = await importing(developer, bytes);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /line 2 is not UTF-8; .* --encoding windows-1252/);
  const { stdout } = await importing(developer, bytes, '--encoding', 'windows-1252');
  assert.match(stdout, /2 created[^]*The file was read as windows-1252\./);
  assert.equal((await developer.contact('b@example.com')).firstName, 'O’Keefe');
  assert.match(
    (await importing(developer, bytes, '--encoding', 'cp99')).stderr,
    /name of an encoding/,
  );
});

test('--header-line skips a title, and the refusal without it names the line', async () => {
  const content =
    'Buyer list – 24 March 2026,,,\n,,,\nFull Name,E-mail Address,Cell,\nPita,p@example.com,021,\n';
  const developer = await makeDeveloper();
  const refused = await importing(developer, content);
  assert.match(refused.stderr, /line 3 seems to name the columns: say so with --header-line 3/);
  const { code, stdout } = await importing(developer, content, '--header-line', '3');
  assert.equal(code, 0);
  assert.match(stdout, /1 created, 0 merged, 0 refused/);
  assert.equal((await developer.contact('p@example.com')).name, 'Pita');
});

test('--map that names no column is refused with the columns, and without the advice to name the first line', async () => {
  const refused = await importing(await makeDeveloper(), 'Email,Name\n', '--map', 'Nmae=name');
  assert.equal(
    refused.stderr.replace(/^offplan: \S+: /, ''),
    '--map: no column is "Nmae"; the columns are "Email", "Name"\n',
  );
});

test('guards of exporters come off, and cells that say that there is no value are empty', async () => {
  const developer = await makeDeveloper();
  const { stdout } = await importing(
    developer,
    `Email,Phone,Mobile,First Name,Last Name,Company,Postcode\n${EMAIL},'+64 9 555,'021 555,NULL,n/a,-,"=""0110"""\n`,
  );
  assert.match(stdout, /1 created/);
  const { phone, mobilePhone, firstName, lastName, companyName, postalCode } =
    await developer.contact(EMAIL);
  assert.deepEqual([phone, mobilePhone, postalCode], ['+64 9 555', '021 555', '0110']);
  assert.deepEqual([firstName, lastName, companyName], [null, null, null]);
});

test('the first of several values is the field, and the others are kept in a note', async () => {
  const developer = await makeDeveloper();
  const content = `Email,Mobile\n${EMAIL} ::: other@example.com,021 1 ::: 021 2\ntwo@example.com;three@example.com,\n`;
  assert.match((await importing(developer, content)).stdout, /2 created, 0 merged, 0 refused/);
  const { mobilePhone, activities } = await developer.contact(EMAIL);
  assert.equal(mobilePhone, '021 1');
  assert.deepEqual(
    activities.map(({ body }: { body: string }) => body),
    ['Also: email: other@example.com; mobilePhone: 021 2'],
  );
  assert.equal((await developer.contact('two@example.com')).activities.length, 1);
});

test('a phone in scientific notation is imported with a warning that names the rows', async () => {
  const developer = await makeDeveloper();
  const { code, stdout } = await importing(
    developer,
    `Email,Mobile\n${EMAIL},2.15550E+08\nb@example.com,021\nc@example.com,0.021555013E+09\n`,
  );
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^Warning: a spreadsheet has shortened the phone of 2 rows, .*: line 2, 4\.$/m,
  );
  assert.equal((await developer.contact(EMAIL)).mobilePhone, '2.15550E+08');
});
