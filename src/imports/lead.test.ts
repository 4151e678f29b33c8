import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../platform/http/index.ts';
import type { Lead } from './lead.ts';
import { readImport } from './read-import.ts';
import type { ContactImport } from './schemas.ts';

const EMAIL = 'aroha@example.com';
function lead(fields: Partial<ContactImport> = {}): Lead {
  const read = readImport({ email: EMAIL, ...fields }, 'single');
  assert.ok(!(read instanceof Problem));
  return read;
}

const labels = (fields: Partial<ContactImport>): string[] =>
  lead(fields).tags.map(({ label }) => label);

function faults(fields: Partial<ContactImport>): string[] {
  const read = readImport({ email: EMAIL, ...fields }, 'single');
  if (!(read instanceof Problem)) return [];
  assert.equal(read.code, 'invalid_request');
  return (read.members.errors ?? []).map((fault) => ('pointer' in fault ? fault.pointer : ''));
}

const PLAIN_TEXTS = [
  'firstName',
  'lastName',
  'name',
  'phone',
  'mobilePhone',
  'companyName',
  'referredBy',
  'addressLine1',
  'addressLine2',
  'cityName',
  'regionName',
  'suburbName',
  'postalCode',
  'country',
  'stateOrProvince',
] as const;

test('null, empty and blank text count as not supplied, in every field', () => {
  const nothing = lead();
  for (const blank of [null, '', ' ', '\n\t\u00A0', '\u200B\u2066'])
    for (const field of [
      ...PLAIN_TEXTS,
      'notes',
      'source',
      'sourceExternalOriginalName',
      'buyerType',
      'budget',
      'tag',
      'tags',
      'projectId',
      'unitId',
      'assignedAccountUserId',
    ] as const)
      assert.deepEqual(lead({ [field]: blank }), nothing, `${field} = ${JSON.stringify(blank)}`);
  assert.deepEqual(lead({ tags: ['', ' '] }), nothing);
});

test('a plain text is stored as it was sent, with its spaces', () => {
  const text = '  Ngāti\u00A0 \u0041\u0304 \r\n"x"\\ ';
  for (const field of PLAIN_TEXTS) assert.equal(lead({ [field]: text }).fields[field], text, field);
  assert.deepEqual(lead({ notes: text }).notes, [text]);
  assert.equal(lead({ budget: text }).fields.budget, text);
  assert.equal(lead({ sourceExternalOriginalName: text }).sentLabel, text);
});

test('the email is trimmed and otherwise unchanged, and its key is in lower case', () => {
  const { email, emailKey } = lead({ email: '  Aroha.Ngata@Example.COM \n' });
  assert.equal(email, 'Aroha.Ngata@Example.COM');
  assert.equal(emailKey, 'aroha.ngata@example.com');
});

test('a budget is a number or a text, kept as it was given; zero is a budget', () => {
  for (const budget of [0, -1, 1e21, 0.1, '$800k – $950k', '0'])
    assert.equal(lead({ budget }).fields.budget, budget);
});

test('a listed source is stored in its canonical spelling, whatever its case and blanks', () => {
  for (const [sent, source] of [
    ['Website', 'Website'],
    ['SOCIAL media', 'Social Media'],
    ['open home', 'Open Home'],
    ['other', 'Other'],
    [' Website\u00A0', 'Website'],
    ['Open-Home', 'Open Home'],
    ['social  media\u200B', 'Social Media'],
  ] as const) {
    const { source: stored, sourceLabel } = lead({ source: sent });
    assert.deepEqual([stored, sourceLabel], [source, null]);
  }
});

test('a source that is not listed is Other, labelled with what was sent', () => {
  for (const source of ['Billboard', ' Web site ', 'SocialMedia']) {
    const { source: stored, sourceLabel } = lead({ source });
    assert.deepEqual([stored, sourceLabel], ['Other', source]);
  }
});

test('an unlisted source beats a label sent beside it, a listed one keeps the label', () => {
  const sent = { sourceExternalOriginalName: 'Spring campaign' };
  assert.equal(lead({ ...sent, source: 'Billboard' }).sourceLabel, 'Billboard');
  assert.equal(lead({ ...sent, source: 'Agent' }).sourceLabel, 'Spring campaign');
});

test('an omitted source is Other by API Import, unless a label was sent', () => {
  assert.deepEqual(
    [lead().source, lead().sourceLabel, lead().sentLabel],
    ['Other', 'API Import', null],
  );
  const labelled = lead({ sourceExternalOriginalName: 'Spring campaign' });
  assert.deepEqual([labelled.source, labelled.sourceLabel], ['Other', 'Spring campaign']);
});

test('tags are the union of tag and tags, tag first', () => {
  assert.deepEqual(labels({ tag: 'Hot', tags: ['Brochure', 'VIP'] }), ['Hot', 'Brochure', 'VIP']);
  assert.deepEqual(labels({ tag: 'Hot' }), ['Hot']);
  assert.deepEqual(labels({ tags: [] }), []);
});

test('only the text form of tags is split at commas', () => {
  assert.deepEqual(labels({ tags: 'Hot, Brochure ,,VIP,' }), ['Hot', 'Brochure', 'VIP']);
  assert.deepEqual(labels({ tags: ['Auckland, central'] }), ['Auckland, central']);
  assert.deepEqual(labels({ tag: 'Auckland, central' }), ['Auckland, central']);
});

test('labels that differ in case, spaces or composition are one, the first spelling wins', () => {
  assert.deepEqual(
    labels({ tag: ' Hot  lead', tags: ['HOT LEAD', 'hot\tlead', 'Reo Ma\u0304ori', 'reo MĀORI'] }),
    ['Hot lead', 'Reo Māori'],
  );
  assert.deepEqual(labels({ tags: ['Maori', 'Māori'] }), ['Maori', 'Māori']);
});

test('fifty labels are taken and the fifty-first is too many, counted after normalising', () => {
  const fifty = Array.from({ length: 50 }, (_, index) => `Tag ${index}`);
  assert.equal(labels({ tags: fifty }).length, 50);
  assert.equal(labels({ tag: 'TAG 7', tags: [...fifty, 'tag 8', ''] }).length, 50);
  assert.deepEqual(faults({ tags: [...fifty, 'One more'] }), ['/tags']);
  assert.deepEqual(faults({ tag: 'One more', tags: fifty }), ['/tags']);
  assert.deepEqual(faults({ tags: [...fifty, 'One more'].join(',') }), ['/tags']);
});

test('a label has at most a hundred characters, and the fault names the field it is in', () => {
  const long = '\u{1F3E1}'.repeat(100);
  assert.deepEqual(labels({ tag: ` ${long} ` }), [long]);
  assert.deepEqual(faults({ tag: `${long}x` }), ['/tag']);
  assert.deepEqual(faults({ tags: `a,${long}x` }), ['/tags']);
  assert.deepEqual(faults({ tags: ['a', `${long}x`] }), ['/tags']);
  assert.deepEqual(faults({ tag: `${long}x`, tags: `${long}y` }), ['/tag', '/tags']);
});

test('a buyer type outside its list is refused', () => {
  for (const buyerType of ['First Home Buyer', 'first-home buyer', ' FIRST  home buyer\u200B'])
    assert.equal(lead({ buyerType }).fields.buyerType, 'First Home Buyer');
  for (const buyerType of ['Speculator', 'Investors', 'FirstHomeBuyer'])
    assert.deepEqual(faults({ buyerType }), ['/buyerType']);
});

test('an email that is missing, blank or invalid is refused', () => {
  for (const email of ['', ' ', 'aroha', 'a b@example.com', `${'a'.repeat(250)}@b.nz`])
    assert.deepEqual(faults({ email }), ['/email'], email);
});

test('a text that PostgreSQL cannot hold is refused by its field, never changed', () => {
  for (const field of [...PLAIN_TEXTS, 'notes', 'source', 'budget', 'tag', 'tags'] as const)
    for (const text of ['a\0b', 'a\uD83C'])
      assert.deepEqual(faults({ [field]: text }), [`/${field}`], field);
  assert.deepEqual(faults({ tags: ['fine', '\0'] }), ['/tags']);
});

test('every field at fault is named, in one answer', () => {
  const all = faults({ email: 'aroha', buyerType: 'Speculator', tag: 'x'.repeat(101) });
  assert.deepEqual(all.toSorted(), ['/buyerType', '/email', '/tag']);
});

test('ids are compared in lower case', () => {
  const { projectId } = lead({ projectId: '019A2B3C-4D5E-7F60-8123-456789ABCDEF' });
  assert.equal(projectId, '019a2b3c-4d5e-7f60-8123-456789abcdef');
});

test('unknown fields are not in the lead', () => {
  const body = { email: EMAIL, stage: 'Settled', archivedAt: 'x', id: 'x' } as ContactImport;
  assert.deepEqual(lead(body), lead());
});
