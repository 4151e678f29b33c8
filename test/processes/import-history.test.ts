import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { DRAFT, LIVE, OTHER_USER, UNIT, USER, type Developer } from '../developer.ts';
import { buildWithCommand } from '../file-imports.ts';
import { accountIdOf } from '../instances.ts';
import { run } from '../sql.ts';

const { db, developer, importing, offplan } = await buildWithCommand({ after });

async function imported(to: Developer, lines: string[], ...flags: string[]): Promise<string> {
  const { code, stdout, stderr } = await importing(to, lines, ...flags);
  assert.equal(code, 0, stderr);
  return stdout;
}

describe('a file of another CRM brings its history along', () => {
  const HEADER =
    'Email,Create Date,Lifecycle Stage,Archived,Contact owner,Project,Unit,Tag,Labels,Note,Note date,' +
    'Unsubscribed from all email,DoNotCall';
  const ROW =
    'Aroha@example.com,24/03/2024 09:15,under contract,yes,HANA@developer.example,Harbourlight,1a,' +
    'VIP,"Brochure; Open home",Likes the view,31/12/2023,true,1';

  test('its dates, stage, archive, owner, project, unit, tags, note and consent', async () => {
    const made = await developer();
    const stdout = await imported(made, [HEADER, ROW]);
    assert.match(stdout, / 1 created, 0 merged, 0 refused/);
    const contact = await made.contact('Aroha@example.com');
    assert.equal(contact.createdAt, '2024-03-24T09:15:00.000Z');
    assert.equal(contact.stage, 'Under Contract');
    assert.ok(contact.archivedAt !== null);
    assert.equal(contact.assignedAccountUserId, USER);
    assert.deepEqual(contact.links, [{ projectId: LIVE, unitId: UNIT }]);
    assert.deepEqual(contact.tags, ['VIP', 'Brochure', 'Open home', 'No email', 'No calls']);
    assert.match(stdout, /^The dates of createdAt are read day first \(--date-order dmy\)\.$/m);
    assert.deepEqual(contact.activities, [
      {
        type: 'note',
        body: 'Likes the view',
        occurredAt: '2023-12-31T00:00:00.000Z',
        outcome: null,
        userId: null,
      },
    ]);
  });

  test('and a second import of it changes nothing', async () => {
    const made = await developer();
    await imported(made, [HEADER, ROW]);
    const before = await made.exported();
    assert.match(await imported(made, [HEADER, ROW]), / 0 created, 1 merged, 0 refused/);
    assert.deepEqual(await made.exported(), before);
  });

  test('the owner by full name, the project by slug; a lead over HTTP has none of it', async () => {
    const made = await developer();
    const lines = ['Email,Owner,Development', 'a@example.com, mele ,kauri-rise'];
    await imported(made, lines);
    const contact = await made.contact('a@example.com');
    assert.equal(contact.assignedAccountUserId, OTHER_USER);
    assert.equal(contact.links.length, 1);
    await made.post({
      email: 'b@example.com',
      stage: 'Lost',
      owner: 'Mele',
      createdAt: '2024-01-01',
    });
    const lead = await made.contact('b@example.com');
    assert.deepEqual([lead.stage, lead.assignedAccountUserId], ['New', null]);
    assert.equal(lead.createdAt, lead.importedAt);
  });

  test('the unit by name within the project of the row, which may be an id', async () => {
    const made = await developer();
    const stdout = await imported(made, ['Email,Project ID,Unit', `a@example.com,${LIVE},1a`]);
    assert.doesNotMatch(stdout, /without it/);
    const { links } = await made.contact('a@example.com');
    assert.deepEqual(links, [{ projectId: LIVE, unitId: UNIT }]);
  });

  test('a value that cannot be used refuses no row and is named with the number of its rows', async () => {
    const made = await developer();
    const stdout = await imported(made, [
      'Email,Stage,Owner,Project,Unit,Create Date,Unsubscribed',
      'a@example.com,Opportunity,Rewi,matai-lane,1A,soon,no',
      'b@example.com,Opportunity,,harbourlight,1B,2024-02-30,2024-01-01',
      'c@example.com,,,,1A,,false',
    ]);
    assert.match(stdout, / 3 created, 0 merged, 0 refused/);
    for (const line of [
      '2 rows, imported without it: stage "Opportunity" is not one of New, Contacted, Qualified, ',
      '1 row, imported without it: owner "Rewi" is the email or the full name of no active person of the account',
      '1 row, imported without it: project "matai-lane" is the slug or the name of no live project of the account',
      '1 row, imported without it: unit "1B" is the name of no unit of the project',
      '1 row, imported without it: unit "1A" is left out, since its project is left out',
      '1 row, imported without it: unit "1A" is left out, since the row names no project',
      '1 row, imported without it: createdAt "soon" is not a date in the past',
      '1 row, imported without it: createdAt "2024-02-30" is not a date in the past',
    ])
      assert.ok(stdout.includes(line), `${line} is missing in ${stdout}`);
    const { tags, stage } = await made.contact('b@example.com');
    assert.deepEqual([tags, stage], [['No email'], 'New']);
    assert.deepEqual((await made.contact('c@example.com')).tags, []);
  });

  test('one of several columns is enough to say that a person must not be emailed', async () => {
    const made = await developer();
    await imported(made, ['Email,Unsubscribed,Email Opt Out', 'a@example.com,false,true']);
    assert.deepEqual((await made.contact('a@example.com')).tags, ['No email']);
  });

  test('a contact that is there keeps its stage and stays active, and gets an earlier date', async () => {
    const made = await developer();
    await made.post({ email: 'Aroha@example.com' });
    await imported(made, [HEADER, ROW]);
    const { stage, archivedAt, createdAt } = await made.contact('Aroha@example.com');
    assert.deepEqual([stage, archivedAt, createdAt], ['New', null, '2024-03-24T09:15:00.000Z']);
  });

  test('a retry of a refused row reads it as the file was read', async () => {
    const made = await developer();
    const lines = [
      'Email,Project ID,Owner,Create Date',
      `a@example.com,${DRAFT},Mele,03/04/2024`,
      'b@example.com,,,31/12/2023',
    ];
    assert.match(await imported(made, lines), / 1 created, 0 merged, 1 refused/);
    await run(db, `update projects set publication = 'live' where account_id = $1 and id = $2`, [
      await accountIdOf(db, made),
      DRAFT,
    ]);
    await offplan('imports', 'retry', made.slug, '--open');
    const { createdAt, assignedAccountUserId } = await made.contact('a@example.com');
    assert.deepEqual([createdAt, assignedAccountUserId], ['2024-04-03T00:00:00.000Z', OTHER_USER]);
  });
});

describe('the dates of a file', () => {
  const HEADER = 'Email,Created';
  const created = async (made: Developer, email: string) => (await made.contact(email)).createdAt;

  test('are in the order that one cell of the column shows', async () => {
    const made = await developer();
    await imported(made, [HEADER, 'a@example.com,03/04/2024', 'b@example.com,31/01/2024']);
    assert.equal(await created(made, 'a@example.com'), '2024-04-03T00:00:00.000Z');
    await imported(made, [HEADER, 'c@example.com,03/04/2024', 'd@example.com,01/31/2024 9:05 pm']);
    assert.equal(await created(made, 'c@example.com'), '2024-03-04T00:00:00.000Z');
    assert.equal(await created(made, 'd@example.com'), '2024-01-31T21:05:00.000Z');
  });

  test('whose order is unclear: the file is refused before its first row, and the error names --date-order', async () => {
    const made = await developer();
    const unclear = [HEADER, 'a@example.com,2024-01-31', 'b@example.com,03/04/2024'];
    const { code, stderr } = await importing(made, unclear);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /the dates of "Created" can be read in more than one way, the first on line 3; say which is right with --date-order dmy \(day first\) or --date-order mdy \(month first\)\n$/,
    );
    const torn = [HEADER, 'a@example.com,31/01/2024', 'b@example.com,01/31/2024'];
    assert.match(
      (await importing(made, torn)).stderr,
      /day first on line 2 and month first on line 3; say which is right with --date-order/,
    );
    assert.deepEqual((await made.exported()).contacts, []);
    await imported(made, unclear, '--date-order', 'mdy');
    assert.equal(await created(made, 'b@example.com'), '2024-03-04T00:00:00.000Z');
    assert.equal((await importing(made, unclear, '--date-order', 'ydm')).code, 2);
  });

  test('may be the days of a spreadsheet, in ISO 8601, or with the name of the month', async () => {
    const made = await developer();
    const lines = ['a@example.com,45292', 'b@example.com,1 Jan 2024', 'c@example.com,2024-01-01'];
    await imported(made, [HEADER, ...lines, 'd@example.com,19999']);
    for (const email of ['a@example.com', 'b@example.com', 'c@example.com'])
      assert.equal(await created(made, email), '2024-01-01T00:00:00.000Z');
    const { createdAt, importedAt } = await made.contact('d@example.com');
    assert.equal(createdAt, importedAt);
  });
});

describe('a name that is written "Last, First"', () => {
  const names = async (made: Developer, email: string) => {
    const { name, firstName, lastName } = await made.contact(email);
    return [name, firstName, lastName];
  };

  test('is split when the header or --name-order says so', async () => {
    const made = await developer();
    await imported(made, ['"Name (Last, First)",Email', '"Ngata, Aroha",a@example.com']);
    await imported(
      made,
      ['Name,Email', '"Ngata, Aroha",b@example.com'],
      '--name-order',
      'last-first',
    );
    for (const email of ['a@example.com', 'b@example.com'])
      assert.deepEqual(await names(made, email), ['Aroha Ngata', 'Aroha', 'Ngata']);
  });

  test('stays as it is otherwise, and one without a comma does in any case', async () => {
    const made = await developer();
    await imported(made, ['Name,Email', '"Ngata, Aroha",a@example.com']);
    await imported(
      made,
      ['Name,Email', 'Dr Hone Test,b@example.com'],
      '--name-order',
      'last-first',
    );
    assert.deepEqual(await names(made, 'a@example.com'), ['Ngata, Aroha', null, null]);
    assert.deepEqual(await names(made, 'b@example.com'), ['Dr Hone Test', null, null]);
  });
});
