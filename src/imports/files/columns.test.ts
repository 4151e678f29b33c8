import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toColumns } from './columns.ts';
import { FileError } from './file-error.ts';
import { FIELDS } from './field-names.ts';
import { toMaps } from './columns.ts';

const columns = (headers: string[], ...maps: string[]) => toColumns(headers, toMaps(maps));
const fields = (headers: string[], ...maps: string[]) => columns(headers, ...maps).fields;
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
  assert.deepEqual(columns(['', 'Email', 'Score\n(0 to 9)', 'Owner', ' ', '']), {
    fields: [null, 'email', null, null],
    ignored: ['column 1', '"Score (0 to 9)"', '"Owner"'],
  });
});

test('the column with the closer header has the field, or else the first one', () => {
  assert.deepEqual(fields(['Email', 'Business Phone', 'Phone', 'Phone Number']), [
    'email',
    null,
    'phone',
    null,
  ]);
  assert.deepEqual(fields(['Email', 'E-mail']), ['email', null]);
  assert.deepEqual(ignored(['Work Email', 'Email', 'Phone 2']), [
    '"Work Email" ("Email" is used for email)',
    '"Phone 2"',
  ]);
  assert.deepEqual(ignored(['email', 'Email', 'Phone', 'email', 'Phone', 'Phone']), [
    '"Email" (column 1 "email" is used for email)',
    'column 4 "email" (column 1 "email" is used for email)',
    'column 5 "Phone" (column 3 "Phone" is used for phone)',
    'column 6 "Phone" (column 3 "Phone" is used for phone)',
  ]);
});

test('--map replaces the recognised field of a column', () => {
  assert.deepEqual(fields(['Email', 'Phone', 'Handset'], 'Handset=phone'), [
    'email',
    null,
    'phone',
  ]);
  assert.deepEqual(fields(['Email', 'Phone'], 'Phone=mobile_phone'), ['email', 'mobilePhone']);
  assert.deepEqual(fields(['Login', 'Email'], 'Login=email'), ['email', null]);
  assert.deepEqual(fields(['Email', 'a=b'], 'a=b=notes'), ['email', 'notes']);
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
  assert.deepEqual(columns(['Email', 'Name', 'Score'], 'Name=', 'Score='), {
    fields: ['email', null, null],
    ignored: [],
  });
});

test('the two columns of a report are left out of the import and of the output', () => {
  assert.deepEqual(columns(['offplan_line', 'offplan_reason', 'Email']), {
    fields: [null, null, 'email'],
    ignored: [],
  });
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
  assert.equal(refusal(['Email'], 'a=notes', 'b=notes'), '--map names "notes" twice');
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
