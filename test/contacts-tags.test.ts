import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { developersOf, LIVE, NOWHERE } from './support/developer.ts';
import { build } from './support/harness.ts';

const service = await build({ after });
const makeDeveloper = developersOf(service);
const EMAIL = 'aroha@example.com';

const labelsOf = (file: { tags: { label: string }[] }): string[] =>
  file.tags.map(({ label }) => label).toSorted();

describe('tags', () => {
  test('are the union of tag and tags, linked in that order', async () => {
    const { post, contact, exported } = await makeDeveloper();
    const { body } = await post({ email: EMAIL, tag: 'Hot', tags: ['Brochure', 'VIP'] });
    assert.equal(body.filledFields.at(-1), 'contact_tags');
    assert.deepEqual((await contact(EMAIL)).tags, ['Hot', 'Brochure', 'VIP']);
    assert.deepEqual(labelsOf(await exported()), ['Brochure', 'Hot', 'VIP']);
  });

  const forms: [string, object, string[]][] = [
    ['a text is split at commas', { tags: 'Hot, Brochure ,,VIP,' }, ['Hot', 'Brochure', 'VIP']],
    ['an element of a list is not', { tags: ['Auckland, central'] }, ['Auckland, central']],
    ['nor is tag', { tag: 'Auckland, central' }, ['Auckland, central']],
    ['spaces are trimmed and collapsed', { tag: '  Hot \t  lead\u00A0' }, ['Hot lead']],
    ['letters are composed', { tag: 'Reo Ma\u0304ori' }, ['Reo Māori']],
    ['empty ones are dropped', { tag: ' ', tags: ['', 'Hot', ' \n'] }, ['Hot']],
    ['case makes no other tag', { tag: 'Hot', tags: 'HOT,hot' }, ['Hot']],
    ['marks do', { tags: ['Maori', 'Māori'] }, ['Maori', 'Māori']],
  ];
  for (const [what, sent, labels] of forms)
    test(`${what}: ${JSON.stringify(sent)}`, async () => {
      const { post, contact } = await makeDeveloper();
      await post({ email: EMAIL, ...sent });
      assert.deepEqual((await contact(EMAIL)).tags, labels);
    });

  test('are one per account without regard to case, and the first spelling wins', async () => {
    const { post, contact, exported } = await makeDeveloper();
    await post({ email: EMAIL, tag: 'First Home' });
    const { body } = await post({ email: 'mele@example.com', tags: ' FIRST  home , Māori' });
    assert.deepEqual(body.filledFields.at(-1), 'contact_tags');
    await post({ email: 'mele@example.com', tags: ['ma\u0304ori'] });
    assert.deepEqual((await contact('mele@example.com')).tags, ['First Home', 'Māori']);
    assert.deepEqual(labelsOf(await exported()), ['First Home', 'Māori']);
  });

  test('are linked, never taken away; contact_tags says that one is new on the contact', async () => {
    const { post, contact } = await makeDeveloper([{ email: EMAIL, tags: ['Loaded'] }]);
    const filled = async (sent: object): Promise<string[]> =>
      (await post({ email: EMAIL, ...sent })).body.filledFields;
    await filled({});
    assert.deepEqual(await filled({ tag: 'loaded' }), []);
    assert.deepEqual(await filled({ tags: 'loaded,Hot' }), ['contact_tags']);
    assert.deepEqual(await filled({ tags: [] }), []);
    assert.deepEqual(await filled({ tags: null, tag: null }), []);
    assert.deepEqual((await contact(EMAIL)).tags, ['Loaded', 'Hot']);
  });

  test('may be fifty of a hundred characters each, in either form', async () => {
    const { post, contact } = await makeDeveloper();
    const fifty = Array.from({ length: 50 }, (_, index) => '\u{1F3E1}'.repeat(98) + (10 + index));
    for (const [email, tags] of [
      [EMAIL, fifty],
      ['mele@example.com', fifty.join(',')],
    ] as const) {
      assert.equal((await post({ email, tag: fifty[7], tags })).status, 201);
      assert.equal((await contact(email)).tags.length, 50);
    }
  });

  test('that are too many or too long are refused by their field', async () => {
    const { refused } = await makeDeveloper();
    const tags = Array.from({ length: 51 }, (_, index) => `Tag ${index}`);
    for (const sent of [{ tags }, { tags: tags.join(',') }, { tag: 'x', tags: tags.slice(1) }])
      await refused({ email: EMAIL, ...sent }, 'invalid_request', '/tags');
    const long = 'x'.repeat(101);
    await refused({ email: EMAIL, tag: long }, 'invalid_request', '/tag');
    await refused({ email: EMAIL, tags: `a,${long}` }, 'invalid_request', '/tags');
    await refused({ email: EMAIL, tags: ['a', long] }, 'invalid_request', '/tags');
  });

  test('of a refused lead are not made', async () => {
    const { refused } = await makeDeveloper();
    const lead = { email: EMAIL, tag: 'Never', notes: 'never', projectId: LIVE, unitId: NOWHERE };
    await refused(lead, 'unit_not_in_project', '/unitId');
  });

  test('with names that have a meaning in JavaScript or SQL are tags like any other', async () => {
    const { post, contact } = await makeDeveloper();
    const tags = ['__proto__', 'constructor', 'toString', 'length', "x'; drop table tags; --"];
    await post({ email: EMAIL, tags });
    await post({ email: 'mele@example.com', tags });
    for (const email of [EMAIL, 'mele@example.com'])
      assert.deepEqual((await contact(email)).tags, tags);
  });
});
