import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  checkContact,
  checkLink,
  createEmptyContact,
  planContact,
  parseLabel,
  parseLink,
} from './rules.ts';

const REFERENCES = {
  userIds: new Set(['u']),
  projectIds: new Set(['p', 'q']),
  projectOfUnit: new Map([['1a', 'p']]),
};
const pointersOf = (faults: { pointer: string }[]) => faults.map(({ pointer }) => pointer);

test('a contact is stored with a trimmed email, lower-case ids and instants in UTC', () => {
  const { row, change } = planContact(undefined, 'c', {
    email: ' Aroha@Example.com ',
    assignedAccountUserId: '0196A000-0000-7000-8000-000000000001',
    importedAt: '2026-04-01T10:15:09.204999+13:00',
  });
  assert.equal(change, 'created');
  assert.deepEqual(row, {
    ...createEmptyContact({ id: 'c', email: 'Aroha@Example.com', emailKey: 'aroha@example.com' }),
    assignedAccountUserId: '0196a000-0000-7000-8000-000000000001',
    importedAt: '2026-03-31T21:15:09.204Z',
  });
});

test('a new contact needs an email, and a user of the account', () => {
  const entry = { assignedAccountUserId: 'V' };
  assert.deepEqual(pointersOf(checkContact(entry, true, REFERENCES)), [
    '/email',
    '/assignedAccountUserId',
  ]);
  assert.deepEqual(checkContact({ assignedAccountUserId: 'U' }, false, REFERENCES), []);
  assert.deepEqual(checkContact({ assignedAccountUserId: null }, false, REFERENCES), []);
});

test('a link leads to a project of the account, or to a unit of that project', () => {
  const check = (projectId: string, unitId?: string) =>
    pointersOf(checkLink(parseLink({ projectId, ...(unitId && { unitId }) }), REFERENCES));
  assert.deepEqual([check('P'), check('p', '1A')], [[], []]);
  assert.deepEqual([check('x', '1a'), check('q', '1a')], [['/projectId'], ['/unitId']]);
});

test('a label is one tag without regard to case and spaces, and has at most 100 characters', () => {
  assert.deepEqual(parseLabel('  First   home '), { label: 'First home', key: 'first home' });
  assert.equal(parseLabel('x'.repeat(101)), null);
});
