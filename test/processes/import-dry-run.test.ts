import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { DRAFT, LIVE, NOWHERE } from '../support/developer.ts';
import { buildWithCommand } from '../support/file-imports.ts';

const { makeDeveloper, importing } = await buildWithCommand({ after });

test('a dry run shows the field and three values of each column, and the rows by their outcome', async () => {
  const developer = await makeDeveloper([{ email: 'c@b.example' }]);
  const { stdout } = await importing(
    developer,
    [
      'Email,Lead,Title,Address 1 - Zip,',
      'a@b.example,Ana,Hana,"=""0110""",',
      'c@b.example,"Ben\nJones",Hana,NULL,',
      'bad,Cleo,Mele,6011,',
      'd@b.example,Dora,Rewi,6012,',
    ].join('\n'),
    '--dry-run',
  );
  const lines = stdout.split('\n');
  assert.deepEqual(
    lines.slice(0, 6).map((line) => line.split(/ {2,}/)),
    [
      ['COLUMN', 'FIELD', 'VALUES'],
      ['"Email"', 'email', 'a@b.example | c@b.example | bad'],
      ['"Lead"', 'name', 'Ana | Ben Jones | Cleo'],
      ['"Title"', 'not imported', 'Hana | Mele | Rewi'],
      ['"Address 1 - Zip"', 'postalCode', '0110 | 6011 | 6012'],
      ['column 5', 'not imported'],
    ],
  );
  assert.match(stdout, /4 rows in .*: 2 created, 1 merged, 1 refused\.\n {2}1 row: email must be/);
  assert.match(stdout, /This was a dry run: nothing was stored\.\n$/);
});

test('a column of ids that holds no id of the account is left out, is named, and refuses no row', async () => {
  for (const ids of [
    ['P-1001', '1002'],
    [NOWHERE, NOWHERE],
  ]) {
    const content = `Email,Project ID,Unit ID\na@b.example,${ids[0]},7\nb@b.example,${ids[1]},\n`;
    const developer = await makeDeveloper();
    const { stdout, stderr } = await importing(developer, content);
    assert.match(stdout, /2 created, 0 merged, 0 refused/);
    assert.match(
      stderr,
      /^Not imported: "Project ID" \(it holds no id of a project of this account\), "Unit ID" \(/,
    );
  }
});

test('a column with an id of the account is imported, and so is one that --map names', async () => {
  const developer = await makeDeveloper();
  const content = `Email,Project ID\na@b.example,${LIVE.toUpperCase()}\nb@b.example,${NOWHERE}\n`;
  assert.match((await importing(developer, content)).stdout, /1 created, 0 merged, 1 refused/);
  assert.equal((await developer.contact('a@b.example')).links[0].projectId, LIVE);
  const draft = await importing(developer, `Email,Project ID\nc@b.example,${DRAFT}\n`);
  assert.match(draft.stdout, /0 created, 0 merged, 1 refused/);
  const mapped = await importing(
    developer,
    'Email,Project ID\nd@b.example,P-1\n',
    '--map',
    'Project ID=projectId',
  );
  assert.match(mapped.stdout, /0 created, 0 merged, 1 refused/);
});
