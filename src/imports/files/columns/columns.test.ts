import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toMaps } from './column-maps.ts';
import { describeShared, toColumns } from './columns.ts';
import { FileError } from '../file-error.ts';
import { FIELDS } from './field-names.ts';

const columns = (headers: string[], ...maps: string[]) => toColumns(headers, toMaps(maps));
const fields = (headers: string[], ...maps: string[]) => columns(headers, ...maps).fields;
const shared = (headers: string[], ...maps: string[]) => describeShared(columns(headers, ...maps));
const ignored = (headers: string[], ...maps: string[]) => columns(headers, ...maps).ignored;

function refusal(headers: string[], ...maps: string[]): string {
  try {
    columns(headers, ...maps);
  } catch (error) {
    assert.ok(error instanceof FileError);
    assert.doesNotMatch(error.message, /[\n\r]/);
    return error.message;
  }
  return assert.fail('nothing was refused');
}

test('an ignored column is named by its header, or by its number when it has none', () => {
  const { fields, ignored } = columns(['', 'Email', 'Score\n(0 to 9)', 'Title', ' ', '']);
  assert.deepEqual(fields, [null, 'email', null, null, null, null]);
  assert.deepEqual(ignored, ['column 1', '"Score (0 to 9)"', '"Title"', 'column 5', 'column 6']);
});

test('many columns without a header are named together', () => {
  const blank = Array.from({ length: 6 }, () => '');
  assert.deepEqual(ignored(['Email', 'Title', ...blank]), [
    '"Title"',
    '6 columns without a header',
  ]);
});

test('several columns are one field: the plain header first, then from left to right, further ones last', () => {
  assert.deepEqual(fields(['Email', 'Business Phone', 'Phone']), ['email', 'phone', 'phone']);
  assert.deepEqual(shared(['Email', 'Business Phone', 'Phone']), [
    'phone is "Phone", else "Business Phone"',
  ]);
  assert.deepEqual(shared(['Secondary Email', 'Work Email', 'Personal Email']), [
    'email is "Work Email", else "Personal Email", else "Secondary Email"',
  ]);
  assert.deepEqual(shared(['Email', 'Phone', 'Phone']), [
    'phone is first column "Phone", else second column "Phone"',
  ]);
  assert.deepEqual(shared(['Email', 'Phone']), []);
  assert.deepEqual(shared(['Email', 'Tags', 'Labels', 'Unsubscribed', 'Email opt out']), [
    'tags is "Tags" and "Labels"',
    'noEmail is "Unsubscribed" and "Email opt out"',
  ]);
});

test('--map replaces the recognised field of a column', () => {
  assert.deepEqual(fields(['Email', 'Phone'], 'Phone=mobile_phone'), ['email', 'mobilePhone']);
  assert.deepEqual(fields(['Email', 'a=b'], 'a=b=notes'), ['email', 'notes']);
  assert.deepEqual(shared(['Email', 'Phone', 'Handset', 'Desk'], 'Desk=phone', 'Handset=phone'), [
    'phone is "Desk", else "Handset", else "Phone"',
  ]);
});

test('--map finds an equal header first, then one that differs in case and punctuation', () => {
  assert.deepEqual(fields(['Email', 'lead-no', 'Lead No'], 'Lead No=notes'), [
    'email',
    null,
    'notes',
  ]);
  assert.deepEqual(fields(['Email', ' Lead No. '], 'lead no=notes'), ['email', 'notes']);
  assert.deepEqual(fields(['Email', '#'], '#=notes'), ['email', 'notes']);
  assert.match(refusal(['', 'Email'], '#=notes'), /no column is "#"/);
});

test('--map without a field leaves the column out of the import and of the output', () => {
  const headers = ['Email', 'Name', 'Score'];
  assert.deepEqual(fields(headers, 'Name=', 'Score='), ['email', null, null]);
  assert.deepEqual(ignored(headers, 'Name=', 'Score='), []);
});

test('the first columns of a report are left out of the import and of the output', () => {
  const headers = ['offplan_line', 'offplan_row', 'offplan_reason', 'Email'];
  assert.deepEqual(fields(headers), [null, null, null, 'email']);
  assert.deepEqual(ignored(headers), []);
});

test('a wrong --map is refused, and the message lists the names that are right', () => {
  assert.match(refusal(['Email'], 'Email'), /^--map must be 'Their header=field', not "Email"$/);
  assert.match(refusal(['Email'], '=notes'), /^--map must be/);
  const unknown = refusal(['Email'], 'Email=e-post');
  assert.match(unknown, /^--map: "e-post" is not a field; the fields are email, firstName,/);
  for (const field of FIELDS) assert.ok(unknown.includes(field), field);
  assert.equal(
    refusal(['Email', 'Full\nName', ''], 'Nmae=name'),
    '--map: no column is "Nmae"; the columns are "Email", "Full Name"',
  );
  assert.equal(refusal(['Email'], 'a=notes', 'a=name'), '--map names "a" twice');
});

test('a file without a column for the email is refused, and the message lists its columns', () => {
  assert.equal(
    refusal(['Name', 'Contact']),
    `no column is the email; say which with --map 'Their header=email'; the columns are "Name", "Contact"`,
  );
  assert.match(refusal(['Email'], 'Email=notes'), /^no column is the email/);
  const many = Array.from({ length: 200 }, (_, n) => `Column ${n}`);
  assert.match(refusal(many), /"Column 39" and 160 more$/);
});

test('a first line that is a contact is refused, and the message does not show it', () => {
  for (const maps of [[], ['Mobile=mobilePhone']])
    assert.equal(
      refusal(['Aroha Ngata', 'aroha@example.com', '021 555 0142'], ...maps),
      'the first line must name the columns, such as email, first name, mobile',
    );
  assert.deepEqual(fields(['Email', 'May we write from sales@example.com?']), ['email', null]);
});
