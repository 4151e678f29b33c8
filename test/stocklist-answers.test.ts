import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { build } from './support/harness.ts';
import { addProject, changeOrganization, changeProject, relateProjects } from './support/stock.ts';
import { slugsOf, tenancies } from './support/tenancy.ts';

const service = await build({ after });
const { makeTenant, makeTenantWith } = tenancies(service);

const revisionOf = ({ headers }: { headers: Record<string, unknown> }): string =>
  String(headers['stocklist-revision']);

describe('caching headers', () => {
  test('let a private cache keep the answer and ask each time', async () => {
    const { list, read, slug } = await makeTenantWith(1);
    for (const { headers } of [await list(), await read(slug)]) {
      assert.equal(headers['cache-control'], 'private, no-cache');
      assert.match(String(headers['vary']), /accept-encoding/i);
      assert.match(String(headers['etag']), /^W\/"[\w-]+"$/);
    }
  });

  test('the same answer has the same ETag, and If-None-Match with it is a 304 without a body', async () => {
    const { list, read, slug } = await makeTenantWith(1);
    for (const get of [
      (headers = {}) => list('', headers),
      (headers = {}) => read(slug, headers),
    ]) {
      const first = await get();
      const etag = String(first.headers['etag']);
      assert.equal((await get()).headers['etag'], etag);
      for (const sent of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
        const again = await get({ 'if-none-match': sent });
        assert.equal(again.status, 304, sent);
        assert.equal(again.text, '');
        assert.equal(again.headers['etag'], etag);
        assert.equal(again.headers['cache-control'], 'private, no-cache');
        assert.equal(again.headers['content-type'], undefined);
        assert.equal(again.headers['stocklist-revision'], first.headers['stocklist-revision']);
      }
    }
  });

  test('an ETag of before a change gets the whole answer', async () => {
    const { account, list } = await makeTenantWith(1);
    const before = await list();
    const { slug } = await addProject(service.db, account);
    const answer = await list('', { 'if-none-match': String(before.headers['etag']) });
    assert.equal(answer.status, 200);
    assert.equal(slugsOf(answer)[0], slug);
  });

  test('no two pages have one ETag', async () => {
    const { list } = await makeTenantWith(2);
    const [one, two] = [await list('?limit=1'), await list('?limit=1&page=2')];
    assert.notEqual(one.headers['etag'], two.headers['etag']);
  });
});

describe('content codings', () => {
  const DECODE = { gzip: gunzipSync, br: brotliDecompressSync } as const;

  for (const coding of ['gzip', 'br'] as const)
    test(`${coding} holds the very bytes of the plain answer`, async () => {
      const { account, list } = await makeTenantWith(3);
      const plain = await list();
      const key = await service.key(account.slug, 'read');
      for (let round = 0; round < 3; round += 1) {
        const answer = await service.inject({
          url: '/api/v1/stocklist',
          headers: { authorization: `Bearer ${key}`, 'accept-encoding': coding },
        });
        assert.equal(answer.headers['content-encoding'], coding);
        assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
        assert.equal(Number(answer.headers['content-length']), answer.rawPayload.length);
        assert.equal(answer.headers['etag'], plain.headers['etag']);
        assert.equal(String(DECODE[coding](answer.rawPayload)), plain.text);
      }
    });

  test('a coding that the client refuses is not used', async () => {
    const { list } = await makeTenantWith(1);
    const { headers } = await list('', { 'accept-encoding': 'br;q=0, gzip;q=0, *' });
    assert.equal(headers['content-encoding'], undefined);
  });

  test('a coded answer is a 304, too', async () => {
    const { list } = await makeTenantWith(1);
    const etag = String((await list()).headers['etag']);
    const answer = await list('', { 'if-none-match': etag, 'accept-encoding': 'br' });
    assert.equal(answer.status, 304);
  });
});

describe('HEAD', () => {
  test('has the headers of GET and no body', async () => {
    const { account, list } = await makeTenantWith(1);
    const get = await list();
    const key = await service.key(account.slug, 'read');
    const head = await service.send({ method: 'HEAD', url: '/api/v1/stocklist', key });
    assert.equal(head.status, 200);
    assert.equal(head.text, '');
    for (const name of ['content-length', 'content-type', 'etag', 'stocklist-revision'])
      assert.equal(head.headers[name], get.headers[name], name);
  });
});

describe('Stocklist-Revision', () => {
  test('is the same on every page and every reading while nothing changes', async () => {
    const { list } = await makeTenantWith(3);
    const queries = [
      '',
      '?limit=1',
      '?limit=1&page=2',
      '?city=x',
      '?updated_since=2026-01-01T00:00Z',
    ];
    const revisions = new Set<string>();
    for (const query of queries) revisions.add(revisionOf(await list(query)));
    assert.equal(revisions.size, 1);
    assert.notEqual([...revisions][0], 'undefined');
  });

  test('is another after any change of the stock', async () => {
    const { account, list } = await makeTenant();
    const { id } = await addProject(service.db, account);
    const other = await addProject(service.db, account);
    const seen = new Set([revisionOf(await list())]);
    const changes = [
      () => changeProject(service.db, account, id, { name: 'Changed' }),
      () => changeProject(service.db, account, id, { publication: 'draft' }),
      () => changeProject(service.db, account, id, { publication: 'live' }),
      () => changeOrganization(service.db, account, { intro: 'Changed.' }),
      () => relateProjects(service.db, account, id, [other.id]),
    ];
    for (const [index, change] of changes.entries()) {
      await change();
      seen.add(revisionOf(await list()));
      assert.equal(seen.size, index + 2);
    }
  });

  test("is not moved by another account's change", async () => {
    const [one, other] = [await makeTenantWith(1), await makeTenantWith(1)];
    const before = revisionOf(await one.list());
    await addProject(service.db, other.account);
    assert.equal(revisionOf(await one.list()), before);
  });
});

test('a change of the organization shows at once', async () => {
  const { account, list, read, slug } = await makeTenantWith(1);
  await list();
  await read(slug);
  await changeOrganization(service.db, account, { display_name: 'Renamed' });
  assert.equal((await list()).body.organization.displayName, 'Renamed');
  assert.equal((await read(slug)).body.organization.displayName, 'Renamed');
});
