import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { ROLES, SCOPES, type Role } from '../src/access/index.ts';
import { issueKey } from '../src/keys/index.ts';
import { expireLookUps } from './support/clock.ts';
import { document } from './support/document.ts';
import { endpointsOf } from './support/endpoints.ts';
import { readEvents } from './support/event-log.ts';
import { build, MEDIA_BASE_URL, type Answer } from './support/harness.ts';
import { addPerson, browser, openSession, type TestPerson } from './support/people.ts';
import { assertProblem } from './support/problem.ts';
import { run } from './support/sql.ts';

const service = await build({ after });
const { db } = service;
const ORGANIZATION = '/api/v1/organization';
const STOCKLIST = '/api/v1/stocklist';

async function openAccount(role: Role = 'owner') {
  const me = await addPerson(service, { role });
  return { me, ...(await enter(me)) };
}

async function enter(person: TestPerson) {
  const send = browser(service, await openSession(service, person));
  const get = (headers = {}): Promise<Answer> => send({ url: ORGANIZATION, headers });
  const patch = (payload: object, headers = {}): Promise<Answer> =>
    send({ method: 'PATCH', url: ORGANIZATION, payload, headers });
  return { send, get, patch };
}

describe('the organization', () => {
  test('has the fields of the stock endpoints and the settings, and is a 304 while it has the ETag', async () => {
    const { me, get } = await openAccount('viewer');
    const { body, headers } = await get();
    assert.equal(headers['etag'], body.etag);
    assert.deepEqual(
      [body.id, body.slug, body.agentsSee, body.timeZone, body.defaultCurrency, body.secondStepFor],
      [me.accountId, me.slug, 'all', 'UTC', null, 'nobody'],
    );
    const key = await service.key(me.slug, 'read');
    const { organization } = (await service.send({ url: STOCKLIST, key })).body;
    assert.deepEqual(
      Object.fromEntries(Object.keys(organization).map((field) => [field, body[field]])),
      organization,
    );
    assert.equal((await get({ 'if-none-match': body.etag })).status, 304);
  });

  test('is changed by owners and keys with the scope, and by no manager', async () => {
    const { me, patch } = await openAccount();
    const scopes = SCOPES.filter((scope) => scope === 'settings:write');
    const key = await issueKey(db, me.accountId, { name: 'x', scopes });
    assert.equal((await patch({ intro: 'By the sea' })).status, 200);
    const payload = { intro: null };
    const byKey = await service.send({ method: 'PATCH', url: ORGANIZATION, key, payload });
    assert.deepEqual([byKey.status, byKey.body.intro], [200, null]);
    for (const role of ROLES.filter((each) => each !== 'owner')) {
      const other = await enter(await addPerson(service, { role, slug: me.slug }));
      const answer = await other.patch({ intro: 'x' });
      assert.deepEqual([answer.status, answer.body.code], [403, 'insufficient_access']);
    }
  });

  test('shows a change on the stock endpoints at once, and its settings do not tick the stock clock', async () => {
    const { me, patch } = await openAccount();
    const key = await service.key(me.slug, 'read');
    const read = () => service.send({ url: STOCKLIST, key });
    const before = await read();
    const settings = {
      agentsSee: 'own',
      timeZone: 'pacific/auckland',
      defaultCurrency: 'NZD',
      secondStepFor: 'everybody',
    };
    const changed = await patch(settings);
    assert.equal(changed.status, 200, changed.text);
    assert.equal(changed.body.timeZone, 'Pacific/Auckland');
    await run(db, "update accounts set second_step_for = 'nobody' where account_id = $1", [
      me.accountId,
    ]);
    expireLookUps();
    assert.equal(
      (await read()).headers['stocklist-revision'],
      before.headers['stocklist-revision'],
    );
    const shown = await patch({ displayName: 'Tūī Heights', logoImage: { key: 'logo/tui.svg' } });
    assert.deepEqual(shown.body.logoImage, {
      key: 'logo/tui.svg',
      url: `${MEDIA_BASE_URL}/logo/tui.svg`,
    });
    const now = await read();
    assert.notEqual(now.headers['stocklist-revision'], before.headers['stocklist-revision']);
    assert.equal(now.body.organization.displayName, 'Tūī Heights');
    assert.deepEqual(now.body.organization.logoImage, shown.body.logoImage);
  });

  test('keeps its version when nothing changes, and a stale If-Match is a 412', async () => {
    const { me, get, patch } = await openAccount();
    const { body } = await get();
    assert.deepEqual((await patch({})).body, body);
    const { displayName } = body;
    assert.deepEqual((await patch({ displayName })).body, body);
    const before = (await readEvents(db, me.accountId)).length;
    const changed = await patch({ phone: '+64 9 555 0100' }, { 'if-match': body.etag });
    assert.notEqual(changed.body.etag, body.etag);
    const stale = await patch({ phone: null }, { 'if-match': body.etag });
    assertProblem(stale, 'precondition_failed', ORGANIZATION);
    assert.deepEqual(stale.body.current, changed.body);
    assert.deepEqual((await get()).body, changed.body);
    const events = (await readEvents(db, me.accountId)).slice(before);
    assert.deepEqual(
      events.map(({ type, subject, actor, data }) => [type, subject, actor, data]),
      [['organization.updated', me.accountId, `user ${me.id}`, { changed: ['phone'] }]],
    );
  });

  test('is changed once by twenty requests with one ETag', async () => {
    const { get, patch } = await openAccount();
    const { body } = await get();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        patch({ phone: `+64 9 555 01${n + 10}` }, { 'if-match': body.etag }),
      ),
    );
    const [changed, ...more] = answers.filter(({ status }) => status === 200);
    assert.deepEqual(more, []);
    assert.ok(answers.every(({ status }) => status === 200 || status === 412));
    assert.deepEqual((await get()).body, changed?.body);
  });

  test('refuses what no organization can have, and names it', async () => {
    const { get, patch } = await openAccount();
    const { body } = await get();
    for (const [field, value] of Object.entries({
      displayName: null,
      companyName: ' ',
      location: ' ',
      intro: 'x'.repeat(1_001),
      email: 'x',
      websiteUrl: 'ftp://x',
      logoImage: { key: '../x' },
      agentsSee: 'none',
      timeZone: '+13:00',
      defaultCurrency: 'nzd',
      secondStepFor: 'owners',
      slug: 'x',
      id: body.id,
    })) {
      const answer = await patch({ [field]: value });
      const { errors } = assertProblem(answer, 'invalid_request', ORGANIZATION);
      assert.match(errors?.[0]?.pointer ?? '', new RegExp(`^/${field}`));
    }
    assert.equal((await patch({ timeZone: 'Middle/Earth' })).status, 400);
    assert.deepEqual((await get()).body, body);
  });

  test('is in the account file with its settings', async () => {
    const { me, patch } = await openAccount();
    await patch({ timeZone: 'Pacific/Auckland', agentsSee: 'own' });
    const { organization } = (await service.exported(me.slug)).account;
    assert.deepEqual(
      [organization.timeZone, organization.agentsSee, organization.secondStepFor],
      ['Pacific/Auckland', 'own', 'nobody'],
    );
  });
});

describe('agentsSee', () => {
  test('lets agents see their own contacts alone, and GET /me says so', async () => {
    const { me, patch } = await openAccount();
    const agent = await enter(await addPerson(service, { role: 'agent', slug: me.slug }));
    const viewer = await enter(await addPerson(service, { role: 'viewer', slug: me.slug }));
    const sees = async ({ send }: typeof agent) =>
      (await send({ url: '/api/v1/me' })).body.contacts;
    assert.equal(await sees(agent), 'all');
    await patch({ agentsSee: 'own' });
    assert.deepEqual([await sees(agent), await sees(viewer)], ['own', 'all']);
  });
});

describe('secondStepFor', () => {
  const scoped = endpointsOf(document).filter(
    ({ scope }) => scope !== 'public' && scope !== 'session' && scope !== 'any',
  );

  test('lets people whom it names do nothing but turn their second step on', async () => {
    const { me, send, patch } = await openAccount();
    const agent = await enter(await addPerson(service, { role: 'agent', slug: me.slug }));
    assert.equal((await patch({ secondStepFor: 'owners_and_managers' })).status, 200);
    for (const { request, name } of scoped) {
      const answer = await send(request());
      assert.equal(answer.body?.code, 'second_step_setup_required', name);
    }
    assertProblem(await send({ url: ORGANIZATION }), 'second_step_setup_required', ORGANIZATION);
    assert.equal((await agent.get()).status, 200);
    const key = await service.key(me.slug, 'all');
    assert.equal((await service.send({ url: ORGANIZATION, key })).status, 200);
    assert.equal((await send({ url: '/api/v1/me' })).status, 200);
    const readNeed = async () =>
      (await send({ url: '/api/v1/me' })).body.session.needsSecondStep as boolean;
    assert.equal(await readNeed(), true);
    const begun = await send({ method: 'POST', url: '/api/v1/me/second-step' });
    assert.equal(begun.status, 200, begun.text);
    // The codes of an app are tried in second-step.test.ts.
    await run(
      db,
      'update second_steps set secret = pending_secret where account_id = $1 and user_id = $2',
      [me.accountId, me.id],
    );
    expireLookUps();
    assert.equal((await send({ url: ORGANIZATION })).status, 200);
    assert.equal(await readNeed(), false);
    assert.equal((await patch({ secondStepFor: 'everybody' })).status, 200);
    assert.equal((await agent.get()).body.code, 'second_step_setup_required');
    const out = await agent.send({ method: 'POST', url: '/api/v1/sign-out' });
    assert.equal(out.status, 204);
  });

  test('is refused by name where the service cannot keep secrets', async (t) => {
    const bare = await build(t, {}, undefined, null);
    const owner = await addPerson(bare, { role: 'owner' });
    const send = browser(bare, await openSession(bare, owner));
    const ask = (secondStepFor: string) =>
      send({ method: 'PATCH', url: ORGANIZATION, payload: { secondStepFor } });
    const answer = await ask('everybody');
    assert.deepEqual([answer.status, answer.body.code], [503, 'unavailable']);
    assert.match(answer.body.detail, /OFFPLAN_SECRET_KEY/);
    assert.equal((await ask('nobody')).status, 200);
  });
});
