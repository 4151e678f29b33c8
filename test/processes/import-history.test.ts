import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { accountIdOf } from '../support/accounts.ts';
import { DRAFT, LIVE, OTHER_USER, UNIT, USER, type Developer } from '../support/developer.ts';
import { buildWithCommand } from '../support/file-imports.ts';
import { run } from '../support/sql.ts';

const { service, db, makeDeveloper, importing, offplan } = await buildWithCommand({ after });

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
    const developer = await makeDeveloper();
    const stdout = await imported(developer, [HEADER, ROW]);
    assert.match(stdout, / 1 created, 0 merged, 0 refused/);
    const contact = await developer.contact('Aroha@example.com');
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
    const developer = await makeDeveloper();
    await imported(developer, [HEADER, ROW]);
    const before = await developer.exported();
    assert.match(await imported(developer, [HEADER, ROW]), / 0 created, 1 merged, 0 refused/);
    assert.deepEqual(await developer.exported(), before);
  });

  test('the owner by full name, the project by slug; a lead over HTTP has none of it', async () => {
    const developer = await makeDeveloper();
    const lines = ['Email,Owner,Development', 'a@example.com, mele ,kauri-rise'];
    await imported(developer, lines);
    const contact = await developer.contact('a@example.com');
    assert.equal(contact.assignedAccountUserId, OTHER_USER);
    assert.equal(contact.links.length, 1);
    await developer.post({
      email: 'b@example.com',
      stage: 'Lost',
      owner: 'Mele',
      createdAt: '2024-01-01',
    });
    const lead = await developer.contact('b@example.com');
    assert.deepEqual([lead.stage, lead.assignedAccountUserId], ['New', null]);
    assert.equal(lead.createdAt, lead.importedAt);
  });

  test('the unit by its lot, with the word Lot or without', async () => {
    const developer = await makeDeveloper();
    const file = await developer.exported();
    const { units } = file.projects.find(({ id }: { id: string }) => id === LIVE);
    units.find(({ id }: { id: string }) => id === UNIT).lotNumber = 'Lot 27';
    await service.load(file);
    const emails = ['a@example.com', 'b@example.com', 'c@example.com'];
    const lots = ['27', 'lot 27', 'Lot 28'];
    await imported(developer, [
      'Email,Project ID,Unit',
      ...emails.map((email, index) => [email, LIVE, lots[index]].join()),
    ]);
    const contacts = await Promise.all(emails.map(developer.contact));
    assert.deepEqual(
      contacts.map(({ links }) => links[0].unitId),
      [UNIT, UNIT, null],
    );
  });

  test('the unit by name within the project of the row, which may be an id', async () => {
    const developer = await makeDeveloper();
    const stdout = await imported(developer, ['Email,Project ID,Unit', `a@example.com,${LIVE},1a`]);
    assert.doesNotMatch(stdout, /without it/);
    const { links } = await developer.contact('a@example.com');
    assert.deepEqual(links, [{ projectId: LIVE, unitId: UNIT }]);
  });

  test('a value that cannot be used refuses no row and is named with the number of its rows', async () => {
    const developer = await makeDeveloper();
    const stdout = await imported(developer, [
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
    const { tags, stage } = await developer.contact('b@example.com');
    assert.deepEqual([tags, stage], [['No email'], 'New']);
    assert.deepEqual((await developer.contact('c@example.com')).tags, []);
  });

  test('one of several columns is enough to say that a person must not be emailed', async () => {
    const developer = await makeDeveloper();
    await imported(developer, ['Email,Unsubscribed,Email Opt Out', 'a@example.com,false,true']);
    assert.deepEqual((await developer.contact('a@example.com')).tags, ['No email']);
  });

  test('a contact that is there keeps its stage and stays active, and gets an earlier date', async () => {
    const developer = await makeDeveloper();
    await developer.post({ email: 'Aroha@example.com' });
    await imported(developer, [HEADER, ROW]);
    const { stage, archivedAt, createdAt } = await developer.contact('Aroha@example.com');
    assert.deepEqual([stage, archivedAt, createdAt], ['New', null, '2024-03-24T09:15:00.000Z']);
  });

  test('a retry of a refused row reads it as the file was read', async () => {
    const developer = await makeDeveloper();
    const lines = [
      'Email,Project ID,Owner,Create Date',
      `a@example.com,${DRAFT},Mele,03/04/2024`,
      'b@example.com,,,31/12/2023',
    ];
    assert.match(await imported(developer, lines), / 1 created, 0 merged, 1 refused/);
    await run(db, `update projects set publication = 'live' where account_id = $1 and id = $2`, [
      await accountIdOf(db, developer),
      DRAFT,
    ]);
    await offplan('imports', 'retry', developer.slug, '--open');
    const { createdAt, assignedAccountUserId } = await developer.contact('a@example.com');
    assert.deepEqual([createdAt, assignedAccountUserId], ['2024-04-03T00:00:00.000Z', OTHER_USER]);
  });
});

describe('the dates of a file', () => {
  const HEADER = 'Email,Created';
  const created = async (developer: Developer, email: string) =>
    (await developer.contact(email)).createdAt;

  test('are in the order that one cell of the column shows', async () => {
    const developer = await makeDeveloper();
    await imported(developer, [HEADER, 'a@example.com,03/04/2024', 'b@example.com,31/01/2024']);
    assert.equal(await created(developer, 'a@example.com'), '2024-04-03T00:00:00.000Z');
    await imported(developer, [
      HEADER,
      'c@example.com,03/04/2024',
      'd@example.com,01/31/2024 9:05 pm',
    ]);
    assert.equal(await created(developer, 'c@example.com'), '2024-03-04T00:00:00.000Z');
    assert.equal(await created(developer, 'd@example.com'), '2024-01-31T21:05:00.000Z');
  });

  test('whose order is unclear: the file is refused before its first row, and the error names --date-order', async () => {
    const developer = await makeDeveloper();
    const unclear = [HEADER, 'a@example.com,2024-01-31', 'b@example.com,03/04/2024'];
    const { code, stderr } = await importing(developer, unclear);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /the dates of "Created" can be read in more than one way, the first on line 3; say which is right with --date-order dmy \(day first\) or --date-order mdy \(month first\)\n$/,
    );
    const torn = [HEADER, 'a@example.com,31/01/2024', 'b@example.com,01/31/2024'];
    assert.match(
      (await importing(developer, torn)).stderr,
      /day first on line 2 and month first on line 3; say which is right with --date-order/,
    );
    assert.deepEqual((await developer.exported()).contacts, []);
    const stdout = await imported(developer, unclear, '--date-order', 'mdy');
    assert.deepEqual(stdout.match(/^The dates of .*$/gm), [
      'The dates of createdAt are read month first (--date-order mdy).',
    ]);
    assert.equal(await created(developer, 'b@example.com'), '2024-03-04T00:00:00.000Z');
    assert.equal((await importing(developer, unclear, '--date-order', 'ydm')).code, 2);
  });

  test('may be the days of a spreadsheet, in ISO 8601, or with the name of the month', async () => {
    const developer = await makeDeveloper();
    const lines = ['a@example.com,45292', 'b@example.com,1 Jan 2024', 'c@example.com,2024-01-01'];
    await imported(developer, [HEADER, ...lines, 'd@example.com,19999']);
    for (const email of ['a@example.com', 'b@example.com', 'c@example.com'])
      assert.equal(await created(developer, email), '2024-01-01T00:00:00.000Z');
    const { createdAt, importedAt } = await developer.contact('d@example.com');
    assert.equal(createdAt, importedAt);
  });
});

describe('a name that is written "Last, First"', () => {
  const names = async (developer: Developer, email: string) => {
    const { name, firstName, lastName } = await developer.contact(email);
    return [name, firstName, lastName];
  };

  test('is split when the header or --name-order says so', async () => {
    const developer = await makeDeveloper();
    await imported(developer, ['"Name (Last, First)",Email', '"Ngata, Aroha",a@example.com']);
    await imported(
      developer,
      ['Name,Email', '"Ngata, Aroha",b@example.com'],
      '--name-order',
      'last-first',
    );
    for (const email of ['a@example.com', 'b@example.com'])
      assert.deepEqual(await names(developer, email), ['Aroha Ngata', 'Aroha', 'Ngata']);
  });

  test('stays as it is otherwise, and one without a comma does in any case', async () => {
    const developer = await makeDeveloper();
    await imported(developer, ['Name,Email', '"Ngata, Aroha",a@example.com']);
    await imported(
      developer,
      ['Name,Email', 'Dr Hone Test,b@example.com'],
      '--name-order',
      'last-first',
    );
    assert.deepEqual(await names(developer, 'a@example.com'), ['Ngata, Aroha', null, null]);
    assert.deepEqual(await names(developer, 'b@example.com'), ['Dr Hone Test', null, null]);
  });
});
