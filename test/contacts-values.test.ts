import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { loadAccount } from '../src/portability/index.ts';
import { accountIdOf } from './support/accounts.ts';
import { developerFile, developersOf } from './support/developer.ts';
import { build } from './support/harness.ts';
import { BATCH, logOf, sender } from './support/imports.ts';

const service = await build({ after });
const makeDeveloper = developersOf(service);
const send = sender(service);
const EMAIL = 'aroha@example.com';

const MARKS = [
  '\u200B',
  '\u200D',
  '\u200E',
  '\u202A',
  '\u2060',
  '\u2069',
  '\u00AD',
  '\uFE0F',
  '\u180E',
  '\u{E0041}',
];
const places = (mark: string) => [
  `${mark}${EMAIL}${mark}`,
  EMAIL.replace('@', `${mark}@`),
  EMAIL.replace('ample', `${mark}ample`),
];

describe('an email', () => {
  test('with invisible characters is the same, and is stored without those at its ends', async () => {
    const { post, contact, exported } = await makeDeveloper();
    await post({ email: `\u202A${EMAIL}\u202C` });
    const { id } = await contact(EMAIL);
    for (const email of MARKS.flatMap(places))
      assert.equal((await post({ email })).body.contactId, id, JSON.stringify(email));
    assert.equal((await exported()).contacts.length, 1);
  });

  test('is the one address in what is around it, in a batch too', async () => {
    const developer = await makeDeveloper();
    await developer.post({ email: EMAIL });
    const contacts = [
      `<${EMAIL}>`,
      `mailto:${EMAIL}`,
      `"${EMAIL}",`,
      `(${EMAIL})`,
      `“${EMAIL}”`,
      `Aroha N. <${EMAIL}>`,
      `${EMAIL}.`,
    ].map((email) => ({ email }));
    const { body } = await send(developer, { contacts }, { url: BATCH });
    assert.deepEqual(body.summary, { created: 0, merged: contacts.length, refused: 0 });
  });

  test('with a domain in its xn-- form, and with letters that fold alike, is the same', async () => {
    const { post } = await makeDeveloper();
    const ids = async (...emails: string[]) =>
      new Set(
        await Promise.all(emails.map(async (email) => (await post({ email })).body.contactId)),
      );
    assert.equal((await ids('a@māori.nz', 'A@xn--mori-qsa.nz')).size, 1);
    assert.equal((await ids('straße@example.com', 'STRASSE@example.com')).size, 1);
    assert.equal((await ids('kız@example.com', 'kiz@example.com')).size, 2);
  });

  const refusals: [email: string, reason: string][] = [
    ['aroha', 'it has no @'],
    ['a@b.nz, c@d.nz', 'it has more than one @'],
    ['Aroha a@b.nz', 'it has a space or a control character'],
    ['@b.nz', 'nothing is before the @'],
    ['a;b@c.nz', 'before the @ it has one of ( ) < > [ ] : ; , \\ "'],
    ['a@b', 'its domain, after the @, has no dot'],
    [
      'a@b_c.nz',
      'each part of its domain, after the @, must be of letters, digits and inner hyphens',
    ],
    [`${'a'.repeat(250)}@b.nz`, 'it has more than 254 characters'],
  ];
  for (const [email, reason] of refusals)
    test(`is a 400 that says why: ${reason}`, async () => {
      const { refused } = await makeDeveloper();
      const { body } = await refused({ email }, 'invalid_request', '/email');
      const rule = 'email must be an email address such as aroha@example.com';
      assert.equal(body.errors[0].detail, `${rule}: ${reason}.`);
    });

  test('of an account file is read by the same rules', async () => {
    const developer = await makeDeveloper([{ email: `Aroha <${EMAIL}>`, phone: '1' }]);
    const { id } = await developer.contact(EMAIL);
    const users = [{ email: '\u200B<hana@developer.example>', name: 'Hana P.' }];
    const file = {
      ...developerFile(developer.slug, [{ email: `mailto:${EMAIL}\u200B`, phone: '2' }]),
      users,
    };
    await loadAccount(service.db, file);
    const contact = await developer.contact(EMAIL);
    assert.deepEqual([contact.id, contact.phone], [id, '2']);
    const { users: stored } = await developer.exported();
    assert.equal(
      stored.filter(({ email }: { email: string }) => email === 'hana@developer.example').length,
      1,
    );
    await assert.rejects(
      loadAccount(service.db, developerFile(developer.slug, [{ email: 'aroha' }])),
      {
        faults: [
          {
            pointer: '/contacts/0/email',
            detail: 'must be an email address such as aroha@example.com: it has no @.',
          },
        ],
      },
    );
  });
});

describe('invisible characters', () => {
  test('alone are an empty value, which the next lead fills', async () => {
    const { post, contact } = await makeDeveloper();
    await post({ email: EMAIL, name: '\u200B\u2066', phone: '\u200E', notes: '\u00AD' });
    const stored = await contact(EMAIL);
    assert.deepEqual([stored.name, stored.phone, stored.activities], [null, null, []]);
    const { body } = await post({ email: EMAIL, name: 'Aroha\u200B', phone: '\u200E021 1' });
    assert.deepEqual(body.filledFields.slice(0, 2), ['name', 'phone_primary']);
    const filled = await contact(EMAIL);
    assert.deepEqual([filled.name, filled.phone], ['Aroha\u200B', '\u200E021 1']);
  });

  test('make no other tag', async () => {
    const { post, contact } = await makeDeveloper();
    await post({ email: EMAIL, tags: ['VIP\u200B', 'Hot lead', '\u2066'] });
    await post({ email: EMAIL, tags: ['V\u200DIP', '\u202Avip\u202C', 'Hot \u200B lead'] });
    assert.deepEqual((await contact(EMAIL)).tags, ['VIP', 'Hot lead']);
  });
});

describe('a name', () => {
  const cases: [have: object, sent: object, name: string][] = [
    [{ firstName: 'Ana' }, { lastName: 'Kereama' }, 'Ana Kereama'],
    [{ lastName: 'Kereama' }, { firstName: 'Ana' }, 'Ana Kereama'],
    [{ firstName: 'Ana', lastName: 'Kereama' }, { firstName: 'A.', phone: '1' }, 'Ana Kereama'],
    [{ firstName: 'Ana', name: '\u200B' }, { lastName: 'Kereama' }, 'Ana Kereama'],
    [{ firstName: 'Ana', name: 'Dr A. Kereama' }, { lastName: 'Kereama' }, 'Dr A. Kereama'],
    [{ firstName: 'Ana' }, { name: 'Dr Ana' }, 'Dr Ana'],
  ];
  for (const [have, sent, name] of cases)
    test(`of ${JSON.stringify(have)} and ${JSON.stringify(sent)} is ${name}`, async () => {
      const { post, contact } = await makeDeveloper([{ email: EMAIL, ...have }]);
      await post({ email: EMAIL, ...sent });
      assert.equal((await contact(EMAIL)).name, name);
    });
});

describe('a number that would be stored as another value', () => {
  const text = (budget: string) => `{"email":"${EMAIL}","budget":${budget},"x":{"budget":1e-400}}`;

  for (const budget of ['9007199254740993', '1e-400', '-1e400', '0.10000000000000000555'])
    test(`is a 400: ${budget}`, async () => {
      const developer = await makeDeveloper();
      const { status, body } = await send(developer, text(budget));
      assert.deepEqual([status, body.code, body.errors.length], [400, 'invalid_request', 1]);
      assert.match(
        body.errors[0].detail,
        /^budget is a number that would be stored as another value; /,
      );
      assert.deepEqual((await developer.exported()).contacts, []);
    });

  for (const budget of ['0.1', '1234.5', '1e2', '9007199254740992', '849000.10'])
    test(`is not ${budget}`, async () => {
      const developer = await makeDeveloper();
      assert.equal((await send(developer, text(budget))).status, 201);
      assert.equal((await developer.contact(EMAIL)).budget, Number(budget));
    });

  test('refuses only its item of a batch, whose log has the number as it was sent', async () => {
    const developer = await makeDeveloper();
    const item = `{"email":"${EMAIL}","budget":9007199254740993}`;
    const { body } = await send(developer, `{"contacts":[${item},{"email":"b@x.nz"}]}`, {
      url: BATCH,
    });
    assert.deepEqual(body.summary, { created: 1, merged: 0, refused: 1 });
    const [logged] = await logOf(service.db, await accountIdOf(service.db, developer));
    assert.equal(logged?.payload, item);
  });

  test('refuses an account file, which names the field', async () => {
    const developer = await makeDeveloper();
    const file = developerFile(developer.slug, [{ email: EMAIL, budget: 'BUDGET' }]) as {
      projects: object[];
    };
    file.projects[0] = { ...file.projects[0], latitude: 'LATITUDE' };
    const json = JSON.stringify(file)
      .replace('"BUDGET"', '9007199254740993')
      .replace('"LATITUDE"', '-36.80000000000000000001');
    await assert.rejects(loadAccount(service.db, json), ({ faults }) => {
      const pointers = faults.map(({ pointer }: { pointer: string }) => pointer);
      assert.deepEqual(pointers, ['/contacts/0/budget', '/projects/0/latitude']);
      for (const { detail } of faults)
        assert.match(detail, /stored as another value; write it with at most 15 digits/);
      return true;
    });
  });
});
