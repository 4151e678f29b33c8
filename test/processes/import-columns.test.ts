import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Developer } from '../support/developer.ts';
import { buildWithCommand } from '../support/file-imports.ts';

const { makeDeveloper, importing, offplan } = await buildWithCommand({ after });

const notesOf = async (of: Developer, email: string): Promise<string[]> =>
  (await of.contact(email)).activities.map(({ body }: { body: string }) => body);

const TWO_EMAILS = `First Name,Work Email,Personal Email,Business Phone,Home Phone,Mobile,Message
Only Work,ow@work.example,,09 555 0151,,,
Both,both@work.example,both@home.example,09 555 0152,09 555 0153,021 555 0152,Call me
`;

test('the first filled cell of several columns for one field is imported; the others are kept in a note', async () => {
  const developer = await makeDeveloper();
  const { code, stdout, stderr } = await importing(developer, TWO_EMAILS);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /2 created, 0 merged, 0 refused/);
  assert.match(
    stdout,
    /email is "Work Email", else "Personal Email"; phone is "Business Phone", else/,
  );
  const both = await developer.contact('both@work.example');
  assert.deepEqual([both.phone, both.mobilePhone], ['09 555 0152', '021 555 0152']);
  assert.deepEqual(await notesOf(developer, 'both@work.example'), [
    'Also: Personal Email: both@home.example; Home Phone: 09 555 0153',
    'Call me',
  ]);
  assert.deepEqual(await notesOf(developer, 'ow@work.example'), []);
});

test('a file that is imported twice adds no note that the contact has already', async () => {
  const developer = await makeDeveloper();
  await importing(developer, TWO_EMAILS);
  const content = `Email,Notes\nboth@work.example,First\nboth@work.example,Second\n`;
  await importing(developer, content);
  const before = await developer.exported();
  await importing(developer, TWO_EMAILS);
  await importing(developer, content);
  assert.deepEqual(await developer.exported(), before);
});

test('two columns with one header are named by their order', async () => {
  const { stdout } = await importing(
    await makeDeveloper(),
    'Email,Phone,Phone\na@b.example,021,09\n',
  );
  assert.match(
    stdout,
    /1 created[\s\S]*phone is first column "Phone", else second column "Phone"\./,
  );
});

test('a refused row is read in the same way when it is retried', async () => {
  const twins = [{ email: 'twin@work.example' }, { email: 'twin@work.example' }];
  const developer = await makeDeveloper(
    twins.map((twin, n) => ({ ...twin, id: `0196a000-0000-7000-8000-00000000070${n}` })),
  );
  await importing(developer, 'Work Email,Personal Email\ntwin@work.example,twin@home.example\n');
  const { contacts } = await developer.exported();
  await offplan(
    'contacts',
    'merge',
    developer.slug,
    ...contacts.map(({ id }: { id: string }) => id),
  );
  const { stdout } = await offplan('imports', 'retry', developer.slug, '--open');
  assert.match(stdout, /1 accepted, 0 refused again/);
  assert.deepEqual(await notesOf(developer, 'twin@work.example'), [
    'Also: Personal Email: twin@home.example',
  ]);
});

test('a column without a header is left out wherever it stands, and is named', async () => {
  for (const [content, columns] of [
    ['Email,,Name\na@b.example,zz,Ana\nb@b.example,yy,Ben\n', 'column 2'],
    [',Email,Name\n0,a@b.example,Ana\n1,b@b.example,Ben\n', 'column 1'],
    ['Email,Name,\na@b.example,Ana,zz\nb@b.example,Ben,yy\n', 'column 3'],
    ['"Email","Name","",""\n"a@b.example","Ana","zz",1\nb@b.example,Ben,,\n', 'column 3, column 4'],
  ] as const) {
    const { stdout, stderr } = await importing(await makeDeveloper(), content);
    assert.match(stdout, /2 created, 0 merged, 0 refused/, content);
    assert.equal(stderr, `Not imported: ${columns}.\n`);
  }
});

test('a row with a cell beyond the header is refused', async () => {
  const { stdout } = await importing(
    await makeDeveloper(),
    'Email,Name\na@b.example,Ana,zz\nb@b.example,Ben\n',
  );
  assert.match(stdout, /1 created, 0 merged, 1 refused/);
  assert.match(stdout, /The row has 3 cells where the header has 2/);
});

test('a record that is marked as deleted is skipped and counted', async () => {
  const developer = await makeDeveloper();
  const { stdout } = await importing(
    developer,
    'Email,IsDeleted\na@b.example,true\nb@b.example,false\nc@b.example,1\nnone,0\n',
  );
  assert.match(stdout, /^4 rows in .*: 1 created, 0 merged, 1 refused, 2 skipped as deleted\.$/m);
  const { contacts } = await developer.exported();
  assert.deepEqual(
    contacts.map(({ email }: { email: string }) => email),
    ['b@b.example'],
  );
});
