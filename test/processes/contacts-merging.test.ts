import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { lockAccount } from '../../src/accounts/index.ts';
import { mergeContacts, MergeError } from '../../src/contacts/index.ts';
import { openPool, runInTransaction } from '../../src/platform/database/index.ts';
import { accountIdOf } from '../support/accounts.ts';
import {
  developersOf,
  LIVE,
  NOWHERE,
  OTHER_LIVE,
  UNIT,
  USER,
  type Developer,
} from '../support/developer.ts';
import { build, databaseUrl } from '../support/harness.ts';
import { listColumns } from '../support/instances.ts';
import { lockEmails, someoneWaits, whileEmailsLocked } from '../support/locks.ts';
import { createCommand } from '../support/process.ts';
import { assertProblem } from '../support/problem.ts';
import { run } from '../support/sql.ts';

const service = await build({ after });
const makeDeveloper = developersOf(service);
const { db } = service;
const environment = { DATABASE_URL: await databaseUrl(db), LOG_LEVEL: 'error' };
const offplan = createCommand(environment);
const command = (...args: string[]) => offplan('contacts', ...args);

const EMAIL = 'aroha@example.com';
const OTHER_EMAIL = 'mele@example.com';
const CONTACTS = '/api/v1/contacts';
const id = (n: number): string => `0196a000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const FIRST = id(401);
const KEEP = id(402);
const SECOND = id(403);
const OTHER = id(404);
const AT = '2025-05-05T21:12:39.916Z';
const LATER = '2025-06-05T21:12:39.916Z';

const UNIT_LINK = { projectId: LIVE, unitId: UNIT };
const note = (body: string, occurredAt = AT) => ({ type: 'note', body, occurredAt });

/** Three contacts with one email and one with another. The one to keep is neither the first nor the last. */
const SHARED = [
  {
    id: FIRST,
    email: EMAIL,
    name: 'Aroha N.',
    phone: '1',
    importedAt: AT,
    tags: ['Hot', 'Cold'],
    activities: [note('one'), note('same')],
    links: [UNIT_LINK],
  },
  {
    id: KEEP,
    email: 'Aroha@Example.com',
    name: 'Aroha Ngata',
    phone: ' ',
    budget: 0,
    tags: ['Kept', 'Hot'],
    activities: [note('two')],
    links: [{ projectId: LIVE, unitId: null }],
  },
  {
    id: SECOND,
    email: 'AROHA@example.com',
    phone: '2',
    budget: 5,
    notes: 'Tall\nHat',
    importedAt: LATER,
    assignedAccountUserId: USER,
    tags: ['Warm', 'cold'],
    activities: [note('same'), note('three', LATER)],
    links: [UNIT_LINK, { projectId: LIVE, unitId: null }, { projectId: OTHER_LIVE, unitId: null }],
  },
  { id: OTHER, email: OTHER_EMAIL, tags: ['Hot'], activities: [note('other')] },
];

const merge = async (developer: Developer, duplicateIds = [FIRST, SECOND], dryRun = false) =>
  mergeContacts(db, await accountIdOf(db, developer), KEEP, duplicateIds, { dryRun });

const LEFT_BEHIND = [
  { contactId: FIRST, field: 'name', value: 'Aroha N.' },
  { contactId: SECOND, field: 'phone_primary', value: '2' },
  { contactId: SECOND, field: 'budget', value: 5 },
  { contactId: SECOND, field: 'imported_at', value: LATER },
];

const REPORT = {
  contactId: KEEP,
  email: 'Aroha@Example.com',
  filledFields: ['phone_primary', 'notes', 'imported_at', 'assigned_account_user'],
  activated: false,
  moved: { tags: 2, activities: 3, links: 2 },
  removedContactIds: [FIRST, SECOND],
  leftBehind: LEFT_BEHIND,
};

describe('a merge', () => {
  test('fills empty fields, moves tags, activities and links, and leaves one contact', async () => {
    const developer = await makeDeveloper(SHARED);
    const before = await developer.exported();
    assert.deepEqual(await merge(developer), REPORT);
    const { contacts, revision, ...rest } = await developer.exported();
    const { contacts: had, revision: hadRevision, ...others } = before;
    assert.deepEqual(rest, others);
    assert.ok(revision > hadRevision);
    const [, kept, , other] = had;
    assert.deepEqual(contacts, [
      {
        ...kept,
        phone: '1',
        notes: 'Tall\nHat',
        importedAt: AT,
        assignedAccountUserId: USER,
        // Tags in the order in which they were linked. A tag that two duplicates share counts as linked at the earlier time.
        tags: ['Cold', 'Kept', 'Hot', 'Warm'],
        // The duplicates have two equal ones.
        activities: [note('one'), note('same'), note('two'), note('three', LATER)].map((each) => ({
          ...each,
          outcome: null,
          userId: null,
        })),
        links: [
          UNIT_LINK,
          { projectId: LIVE, unitId: null },
          { projectId: OTHER_LIVE, unitId: null },
        ],
      },
      other,
    ]);
  });

  test('leaves another account with the same ids unchanged', async () => {
    const developer = await makeDeveloper(SHARED);
    const twin = await makeDeveloper();
    const accountIds = [await accountIdOf(db, developer), await accountIdOf(db, twin)];
    for (const table of ['tags', 'contacts', 'contact_tags', 'activities', 'contact_links']) {
      const columns = await listColumns(db, table);
      await run(
        db,
        `insert into ${table} (${columns.join(', ')})
          select ${columns.map((name) => (name === 'account_id' ? '$2::uuid' : name)).join(', ')}
          from ${table} where account_id = $1`,
        accountIds,
      );
    }
    const before = await twin.exported();
    assert.equal(before.contacts.length, SHARED.length);
    await merge(developer);
    assert.deepEqual(await twin.exported(), before);
  });

  test('of some of the duplicates leaves the others alone', async () => {
    const developer = await makeDeveloper(SHARED);
    const [first] = (await developer.exported()).contacts;
    await merge(developer, [SECOND]);
    const { contacts } = await developer.exported();
    assert.deepEqual(contacts[0], first);
    assert.deepEqual(
      contacts.map((each: { id: string }) => each.id),
      [FIRST, KEEP, OTHER],
    );
  });

  for (const [what, kept, duplicate, archivedAt] of [
    ['an archived contact active when a duplicate is active', AT, null, null],
    ['no archived contact active when its duplicates are archived', AT, LATER, AT],
    ['no active contact archived', null, LATER, null],
  ] as const)
    test(`makes ${what}`, async () => {
      const developer = await makeDeveloper([
        { id: KEEP, email: EMAIL, archivedAt: kept },
        { id: FIRST, email: EMAIL, archivedAt: duplicate },
      ]);
      const { activated } = await merge(developer, [FIRST]);
      assert.equal(activated, kept !== archivedAt);
      assert.equal((await developer.contact(EMAIL)).archivedAt, archivedAt);
    });

  test('resolves a 409: the same lead is then merged into the remaining contact', async () => {
    const developer = await makeDeveloper(SHARED);
    const lead = { email: EMAIL, notes: 'four', tag: 'Hot', projectId: LIVE, unitId: UNIT };
    const refused = await developer.refused(lead, 'duplicate_contacts');
    assert.deepEqual(refused.body.matchingContactIds, [FIRST, KEEP, SECOND]);
    await merge(developer);
    const { status, body } = await developer.post(lead);
    assert.deepEqual([status, body.contactId], [200, KEEP]);
    assert.equal(body.filledFields.includes('contact_tags'), false);
    const { activities, links } = await developer.contact('Aroha@Example.com');
    assert.deepEqual([activities.length, links.length], [5, 3]);
  });
});

describe('a merge that is refused changes nothing', () => {
  const refused: [what: string, keepId: string, duplicateIds: string[], message: RegExp][] = [
    ['an unknown contact', KEEP, [FIRST, NOWHERE], new RegExp(`no contact ${NOWHERE}$`)],
    ['an unknown contact to keep', NOWHERE, [FIRST], new RegExp(`no contact ${NOWHERE}$`)],
    ['an id that is no UUID', KEEP, [FIRST, 'x'], /no contact x$/],
    [
      'a contact with another email',
      KEEP,
      [FIRST, OTHER],
      new RegExp(`${OTHER} has a different email`),
    ],
    ['a contact that is named twice', KEEP, [FIRST, FIRST.toUpperCase()], /named twice$/],
  ];
  for (const [what, keepId, duplicateIds, message] of refused)
    test(what, async () => {
      const developer = await makeDeveloper(SHARED);
      const accountId = await accountIdOf(db, developer);
      const before = await developer.exported();
      for (const dryRun of [true, false])
        await assert.rejects(
          mergeContacts(db, accountId, keepId, duplicateIds, { dryRun }),
          (error) => error instanceof MergeError && message.test(error.message),
        );
      assert.deepEqual(await developer.exported(), before);
    });

  test('a contact of another account, as an unknown one', async () => {
    const theirs = '0196b000-0000-7000-8000-000000000005';
    const developer = await makeDeveloper(SHARED);
    const neighbour = await makeDeveloper([{ id: theirs, email: EMAIL, tags: ['Theirs'] }]);
    const accounts = [developer, neighbour];
    const before = await Promise.all(accounts.map(({ exported }) => exported()));
    const said = async (...ids: string[]): Promise<string> => {
      const { code, stdout, stderr } = await command('merge', developer.slug, ...ids);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, /^offplan: the account has no contact [^\n]*\n$/);
      return ids.reduce((text, each) => text.replace(each, ''), stderr);
    };
    assert.equal(await said(KEEP, theirs), await said(KEEP, NOWHERE));
    assert.deepEqual(await Promise.all(accounts.map(({ exported }) => exported())), before);
  });
});

describe('a dry run of a merge', () => {
  test('reports what the merge would do, and changes nothing', async () => {
    const developer = await makeDeveloper(SHARED);
    const before = await developer.exported();
    assert.deepEqual(await merge(developer, [FIRST, SECOND], true), REPORT);
    assert.deepEqual(await developer.exported(), before);
    assert.deepEqual(await merge(developer), REPORT);
  });

  test('does not wait for a locked email', async (t) => {
    const developer = await makeDeveloper(SHARED);
    const accountId = await accountIdOf(db, developer);
    const impatient = openPool(await databaseUrl(db), () => undefined, { lockTimeoutMs: 100 });
    t.after(() => impatient.end());
    const report = await whileEmailsLocked(db, accountId, [EMAIL], () =>
      mergeContacts(impatient, accountId, KEEP, [FIRST, SECOND], { dryRun: true }),
    );
    assert.deepEqual(report, REPORT);
  });
});

describe('a merge at the same time as another writer', () => {
  test('makes an import of the email wait until there is one contact', async () => {
    const developer = await makeDeveloper(SHARED);
    const accountId = await accountIdOf(db, developer);
    const { merged, imported } = await runInTransaction(db, async (tx) => {
      // The merge has locked the email, and waits to remove this contact.
      await run(tx, 'select from contacts where account_id = $1 and id = $2 for update', [
        accountId,
        SECOND,
      ]);
      const merging = merge(developer);
      await someoneWaits(db);
      const importing = developer.post({ email: EMAIL, notes: 'four' });
      await someoneWaits(db, 2);
      return { merged: merging, imported: importing };
    });
    assert.deepEqual(await merged, REPORT);
    const { status, body } = await imported;
    assert.deepEqual([status, body.contactId], [200, KEEP]);
    assert.equal((await developer.exported()).contacts.length, 2);
  });

  test('waits until the email is unlocked, and then sees the new rows', async () => {
    const developer = await makeDeveloper(SHARED);
    const accountId = await accountIdOf(db, developer);
    const { underWay } = await runInTransaction(db, async (tx) => {
      await lockEmails(tx, accountId, [EMAIL]);
      const merging = merge(developer);
      await someoneWaits(db);
      const given = [accountId, FIRST];
      await run(
        tx,
        `update contacts set city_name = 'Taupō' where account_id = $1 and id = $2`,
        given,
      );
      await run(
        tx,
        `insert into activities (account_id, id, contact_id, type, body, occurred_at)
          values ($1, gen_random_uuid(), $2, 'note', 'four', now())`,
        given,
      );
      return { underWay: merging };
    });
    assert.equal((await underWay).moved.activities, 4);
    const { cityName, activities } = await developer.contact('Aroha@Example.com');
    assert.deepEqual([cityName, activities.length], ['Taupō', 5]);
  });

  test('waits for a load that changes the email, and then locks the new one', async () => {
    const developer = await makeDeveloper(SHARED);
    const accountId = await accountIdOf(db, developer);
    const newEmail = 'ngata@example.com';
    const { underWay } = await runInTransaction(db, async (holder) => {
      await lockEmails(holder, accountId, [newEmail]);
      const { merging } = await runInTransaction(db, async (tx) => {
        await lockAccount(tx, accountId);
        const started = merge(developer);
        await someoneWaits(db);
        await run(
          tx,
          'update contacts set email = $2, email_key = $2 where account_id = $1 and email_key = $3',
          [accountId, newEmail, EMAIL],
        );
        return { merging: started };
      });
      await someoneWaits(db);
      return { underWay: merging };
    });
    assert.equal((await underWay).email, newEmail);
    assert.equal((await developer.contact(newEmail)).id, KEEP);
  });

  test('finds no duplicates any more when another merge removed them', async () => {
    const developer = await makeDeveloper(SHARED);
    const [one, another] = await Promise.allSettled([merge(developer), merge(developer)]);
    const statuses = [one, another].map(({ status }) => status);
    assert.deepEqual(statuses.toSorted(), ['fulfilled', 'rejected']);
    const refusal = [one, another].find((each) => each.status === 'rejected');
    assert.ok(refusal?.reason instanceof MergeError);
    assert.equal((await developer.contact('Aroha@Example.com')).activities.length, 4);
  });

  test('leaves each of many imports either refused before it or merged after it', async () => {
    const developer = await makeDeveloper(SHARED);
    const post = (n: number) =>
      service.send({
        method: 'POST',
        url: CONTACTS,
        key: developer.key,
        payload: { email: EMAIL, notes: `note ${n}` },
      });
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, (_, n) => post(n)),
      merge(developer).then(() => post(10)),
      ...Array.from({ length: 10 }, (_, n) => post(n + 11)),
    ]);
    const accepted = answers.filter(({ status }) => status === 200);
    assert.ok(accepted.length > 0);
    for (const answer of answers)
      if (answer.status !== 200) assertProblem(answer, 'duplicate_contacts', CONTACTS);
    const { activities } = await developer.contact('Aroha@Example.com');
    assert.equal(activities.length, 4 + accepted.length);
  });
});

describe('offplan contacts merge', () => {
  test('prints the moved rows and the values left behind', async () => {
    const developer = await makeDeveloper(SHARED);
    const expected = `Kept ${KEEP}, Aroha@Example.com.
  fields filled: phone_primary, notes, imported_at, assigned_account_user
  tags moved: 2
  activities moved: 3
  links moved: 2
  contacts removed: ${FIRST}, ${SECOND}
Left behind from ${FIRST}: name "Aroha N."
Left behind from ${SECOND}: phone_primary "2"
Left behind from ${SECOND}: budget 5
Left behind from ${SECOND}: imported_at "${LATER}"
`;
    const before = await developer.exported();
    const dryRun = await command('merge', developer.slug, KEEP, FIRST, SECOND, '--dry-run');
    assert.deepEqual(dryRun, {
      code: 0,
      stdout: `${expected.replace('Kept', 'Would keep')}Nothing was changed.\n`,
      stderr: '',
    });
    assert.deepEqual(await developer.exported(), before);
    const { code, stdout, stderr } = await command('merge', developer.slug, KEEP, FIRST, SECOND);
    assert.deepEqual([code, stdout, stderr], [0, expected, '']);
    assert.equal((await developer.exported()).contacts.length, 2);
  });

  test('says that nothing was filled, and that an archived contact is active', async () => {
    const developer = await makeDeveloper([
      { id: KEEP, email: EMAIL, archivedAt: AT },
      { id: FIRST, email: EMAIL },
    ]);
    const { stdout } = await command('merge', developer.slug, KEEP, FIRST);
    assert.match(stdout, /^ {2}fields filled: none$/m);
    assert.match(stdout, /^ {2}archived: no longer$/m);
  });

  test('--json prints one object', async () => {
    const developer = await makeDeveloper(SHARED);
    const print = async (...flags: string[]): Promise<unknown> =>
      JSON.parse(
        (await command('merge', developer.slug, KEEP, FIRST, SECOND, '--json', ...flags)).stdout,
      );
    assert.deepEqual(await print('--dry-run'), { dryRun: true, ...REPORT });
    assert.deepEqual(await print(), { dryRun: false, ...REPORT });
  });

  test('refuses with one line of advice, exit 1', async () => {
    const developer = await makeDeveloper(SHARED);
    const { code, stdout, stderr } = await command('merge', developer.slug, KEEP, OTHER, '--json');
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^offplan: [^\n@]*; offplan contacts duplicates [^\n]*\n$/);
    const nobody = await command('merge', 'nobody', KEEP, FIRST);
    assert.equal(nobody.code, 1);
    assert.match(nobody.stderr, /^offplan: there is no account "nobody"[^\n]*\n$/);
  });
});

describe('offplan contacts duplicates', () => {
  const found = [
    ...SHARED,
    { id: id(406), email: 'zoë@example.com', name: 'Zoë\nSmith', stage: 'Lost', archivedAt: AT },
    { id: id(405), email: 'Zoë@example.com', activities: [note('five')] },
  ];

  test('prints a row for each contact that shares its email, and says how to merge them', async () => {
    const developer = await makeDeveloper(found);
    const { code, stdout, stderr } = await command('duplicates', developer.slug);
    assert.equal(code, 0);
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/));
    assert.deepEqual(rows, [
      ['EMAIL', 'CONTACT ID', 'NAME', 'STAGE', 'IMPORTED', 'ARCHIVED'],
      [EMAIL, FIRST, 'Aroha N.', '-', AT, '-'],
      [EMAIL, KEEP, 'Aroha Ngata', '-', '-', '-'],
      [EMAIL, SECOND, '-', '-', LATER, '-'],
      ['zoë@example.com', id(405), '-', '-', '-', '-'],
      ['zoë@example.com', id(406), 'Zoë\\u000aSmith', 'Lost', '-', AT],
    ]);
    assert.match(
      stderr,
      new RegExp(`^[^\\n]*offplan contacts merge ${developer.slug} KEEP_ID[^\\n]*\\n$`),
    );
  });

  test('--json prints one array, ordered by email and id', async () => {
    const developer = await makeDeveloper(found);
    const { stdout, stderr } = await command('duplicates', developer.slug, '--json');
    assert.equal(stderr, '');
    const nothing = { name: null, stage: null, importedAt: null, archivedAt: null };
    assert.deepEqual(JSON.parse(stdout), [
      {
        email: EMAIL,
        contacts: [
          { ...nothing, id: FIRST, email: EMAIL, name: 'Aroha N.', importedAt: AT, activities: 2 },
          { ...nothing, id: KEEP, email: 'Aroha@Example.com', name: 'Aroha Ngata', activities: 1 },
          { ...nothing, id: SECOND, email: 'AROHA@example.com', importedAt: LATER, activities: 2 },
        ],
      },
      {
        email: 'zoë@example.com',
        contacts: [
          { ...nothing, id: id(405), email: 'Zoë@example.com', activities: 1 },
          {
            id: id(406),
            email: 'zoë@example.com',
            name: 'Zoë\nSmith',
            stage: 'Lost',
            importedAt: null,
            archivedAt: AT,
            activities: 0,
          },
        ],
      },
    ]);
  });

  test('says on stderr that the account has none, whatever other accounts have', async () => {
    const developer = await makeDeveloper([{ id: KEEP, email: EMAIL }]);
    await makeDeveloper([{ id: FIRST, email: EMAIL }]);
    const { code, stdout, stderr } = await command('duplicates', developer.slug);
    assert.deepEqual([code, stdout], [0, '']);
    assert.equal(stderr, `No email of account "${developer.slug}" has more than one contact.\n`);
    const inJson = await command('duplicates', developer.slug, '--json');
    assert.deepEqual([inJson.stdout, inJson.stderr], ['[]\n', '']);
  });

  test('prints one line and exits with 1 for an unknown account', async () => {
    const { code, stdout, stderr } = await command('duplicates', 'nobody');
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^offplan: there is no account "nobody"[^\n]*\n$/);
  });
});

test('wrong usage exits 2 with one line, and each command has a help', async () => {
  const wrong: [args: string[], message: RegExp][] = [
    [['merge', 'tui-ridge', KEEP], /missing required argument 'duplicate-id'/],
    [['merge', 'tui-ridge', KEEP, FIRST, '--force'], /--force/],
    [['duplicates', 'tui-ridge', EMAIL], /too many arguments/],
  ];
  for (const [args, message] of wrong) {
    const { code, stdout, stderr } = await command(...args);
    assert.deepEqual([code, stdout], [2, ''], args.join(' '));
    assert.match(stderr, /^offplan: [^\n]*; (try --help|offplan contacts --help lists them)\n$/);
    assert.match(stderr, message);
  }
  for (const args of [[], ['merge'], ['duplicates']]) {
    const { code, stdout } = await command(...args, '--help');
    assert.equal(code, 0);
    assert.match(stdout, /offplan contacts( |$)/m);
  }
});
