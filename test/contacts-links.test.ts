import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import {
  ARCHIVED,
  developersOf,
  DRAFT,
  DRAFT_UNIT,
  INACTIVE_USER,
  LIVE,
  NOWHERE,
  OTHER_LIVE,
  OTHER_UNIT,
  UNIT,
  WITHDRAWN_UNIT,
} from './support/developer.ts';
import { build } from './support/harness.ts';
import { BATCH, sender } from './support/imports.ts';

const service = await build({ after });
const makeDeveloper = developersOf(service);
const send = sender(service);
const EMAIL = 'aroha@example.com';

describe('the references of a lead', () => {
  test('link the contact to a live project, and to a unit of it', async () => {
    const { post, contact } = await makeDeveloper();
    const one = await post({ email: EMAIL, projectId: LIVE });
    assert.deepEqual([one.body.linkedProjectId, one.body.linkedUnitId], [LIVE, null]);
    const two = await post({ email: EMAIL, projectId: OTHER_LIVE, unitId: OTHER_UNIT });
    assert.deepEqual([two.body.linkedProjectId, two.body.linkedUnitId], [OTHER_LIVE, OTHER_UNIT]);
    assert.deepEqual((await contact(EMAIL)).links, [
      { projectId: LIVE, unitId: null },
      { projectId: OTHER_LIVE, unitId: OTHER_UNIT },
    ]);
  });

  test('are not among the filled fields', async () => {
    const { post } = await makeDeveloper();
    await post({ email: EMAIL });
    const { body } = await post({ email: EMAIL, projectId: LIVE, unitId: UNIT });
    assert.deepEqual(body.filledFields, []);
  });

  test('are made once, and named in each answer that asked for them', async () => {
    const { post, contact } = await makeDeveloper();
    for (const projectId of [LIVE, LIVE.toUpperCase(), LIVE]) {
      const { body } = await post({ email: EMAIL, projectId });
      assert.equal(body.linkedProjectId, LIVE);
    }
    assert.equal((await contact(EMAIL)).links.length, 1);
    const { body } = await post({ email: EMAIL });
    assert.deepEqual([body.linkedProjectId, body.linkedUnitId], [null, null]);
  });

  test('may be to any number of projects and units, each pair once', async () => {
    const { post, contact } = await makeDeveloper();
    const pairs = [
      { projectId: LIVE, unitId: null },
      { projectId: LIVE, unitId: UNIT },
      { projectId: OTHER_LIVE, unitId: null },
    ];
    for (const pair of [...pairs, ...pairs]) await post({ email: EMAIL, ...pair });
    assert.deepEqual((await contact(EMAIL)).links, pairs);
  });

  const bad: [string, object, 'project' | 'alone' | 'unit' | 'user'][] = [
    ['a project that is not there', { projectId: NOWHERE }, 'project'],
    ['a project id that is no UUID', { projectId: 'harbourlight' }, 'project'],
    ['a project id with a space', { projectId: `${LIVE} ` }, 'project'],
    ['a draft project', { projectId: DRAFT }, 'project'],
    ['an archived project', { projectId: ARCHIVED }, 'project'],
    ['a unit of a draft project', { projectId: DRAFT, unitId: DRAFT_UNIT }, 'project'],
    ['a unit without its project', { unitId: UNIT }, 'alone'],
    ['a unit with a null project', { unitId: UNIT, projectId: null }, 'alone'],
    ['a unit with a blank project', { unitId: UNIT, projectId: ' ' }, 'alone'],
    ['an unknown unit without its project', { unitId: 'x' }, 'alone'],
    ['a unit of another project', { projectId: LIVE, unitId: OTHER_UNIT }, 'unit'],
    ['a unit that is not there', { projectId: LIVE, unitId: NOWHERE }, 'unit'],
    ['a unit id that is no UUID', { projectId: LIVE, unitId: '1A' }, 'unit'],
    ['a unit id in braces', { projectId: LIVE, unitId: `{${UNIT}}` }, 'unit'],
    ['a withdrawn unit', { projectId: LIVE, unitId: WITHDRAWN_UNIT }, 'unit'],
    ['a user who is not there', { assignedAccountUserId: NOWHERE }, 'user'],
    ['a user id that is no UUID', { assignedAccountUserId: 'hana' }, 'user'],
    ['a user who is not active', { assignedAccountUserId: INACTIVE_USER }, 'user'],
  ];
  const refusals = {
    project: ['project_not_available', '/projectId'],
    alone: ['unit_requires_project', '/projectId'],
    unit: ['unit_not_in_project', '/unitId'],
    user: ['user_not_active', '/assignedAccountUserId'],
  } as const;
  for (const [what, fields, refusal] of bad)
    test(`refuse ${what}, for a new contact and for an existing one`, async () => {
      const { post, refused } = await makeDeveloper();
      await post({ email: EMAIL, notes: 'before' });
      const [code, pointer] = refusals[refusal];
      for (const email of [EMAIL, 'new@example.com'])
        await refused({ email, notes: 'never', tag: 'Never', ...fields }, code, pointer);
    });
});

test('a wrong reference in a batch refuses its own lead only, in either order', async () => {
  const good = { email: EMAIL, projectId: LIVE, unitId: UNIT };
  for (const wrong of [
    { projectId: LIVE, unitId: `{${UNIT}}` },
    { projectId: `{${LIVE}}`, unitId: UNIT },
    { projectId: LIVE, unitId: '1A' },
  ])
    for (const isFirst of [true, false]) {
      const developer = await makeDeveloper();
      const bad = { email: 'hana@example.com', ...wrong };
      const contacts = isFirst ? [bad, good] : [good, bad];
      const { body } = await send(developer, { contacts }, { url: BATCH });
      assert.deepEqual(body.summary, { created: 1, merged: 0, refused: 1 });
      assert.equal((await developer.contact(EMAIL)).links[0].unitId, UNIT);
    }
});
