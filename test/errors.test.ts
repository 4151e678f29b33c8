import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { after, describe, test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { InjectOptions } from 'fastify';
import type { ProblemCode } from '../src/platform/http/index.ts';
import { developersOf, NOWHERE, type Developer } from './support/developer.ts';
import { document } from './support/document.ts';
import { keyEndpointsOf } from './support/endpoints.ts';
import { accountFile } from './support/accounts.ts';
import { isCitus } from './support/databases.ts';
import { build, type Answer } from './support/harness.ts';
import { assertProblem } from './support/problem.ts';
import { run } from './support/sql.ts';

const service = await build({ after });
const makeDeveloper = developersOf(service);

const CONTACTS = '/api/v1/contacts';
const EMAIL = 'aroha@example.com';
const JSON_TYPE = { 'content-type': 'application/json' };
const MEBIBYTE = 1_048_576;

/** POST /contacts with these bytes, refused with this code and without a trace. */
async function refusedBytes(
  { key, exported }: Developer,
  code: ProblemCode,
  payload: string | Buffer | undefined,
  headers: Record<string, string> = JSON_TYPE,
): Promise<Answer> {
  const before = await exported();
  const request = { method: 'POST', url: CONTACTS, key, headers } as const;
  const answer = await service.send(payload === undefined ? request : { ...request, payload });
  assertProblem(answer, code, CONTACTS);
  assert.deepEqual(await exported(), before);
  return answer;
}

describe('POST /contacts with a body that is not a JSON object', () => {
  const bodies: [string, string | Buffer][] = [
    ['empty', ''],
    ['blank', ' \n'],
    ['an array', `[{"email":"${EMAIL}"}]`],
    ['a string', `"${EMAIL}"`],
    ['a number', '1'],
    ['true', 'true'],
    ['null', 'null'],
    ['cut off', `{"email":"${EMAIL}"`],
    ['two objects', `{"email":"${EMAIL}"}{}`],
    ['JavaScript', `{email:'${EMAIL}'}`],
    ['with a trailing comma', `{"email":"${EMAIL}",}`],
    ['with NaN', `{"email":"${EMAIL}","budget":NaN}`],
    ['with a raw line end in a text', `{"email":"${EMAIL}","notes":"a\nb"}`],
    ['deeply nested arrays', '['.repeat(9_000)],
    ['not UTF-8', Buffer.from(`{"email":"${EMAIL}","name":"Zo\xEB"}`, 'latin1')],
    ['half a surrogate pair in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0xbc, 0x22])],
    ['UTF-16', Buffer.from(`{"email":"${EMAIL}"}`, 'utf16le')],
  ];
  for (const [what, body] of bodies)
    test(`answers 400 malformed_body and does not quote it: ${what}`, async () => {
      const { text } = await refusedBytes(await makeDeveloper(), 'malformed_body', body);
      assert.doesNotMatch(text, /aroha/);
    });

  test('takes nested values in unknown fields, and answers 413 to too many lists, objects or members', async () => {
    const developer = await makeDeveloper();
    const lists = (count: number) => `[${'[],'.repeat(count - 2)}[]]`;
    const deep = (count: number) => '['.repeat(count) + ']'.repeat(count);
    const members = (count: number) =>
      `{${Array.from({ length: count }, (_, n) => `"${n}":0`).join(',')}}`;
    const send = (path: string, x: string) =>
      service.send({
        method: 'POST',
        url: path,
        key: developer.key,
        headers: JSON_TYPE,
        payload: `{"x":${x},${path === CONTACTS ? `"email":"${EMAIL}"` : `"contacts":[{"email":"${EMAIL}"}]`}}`,
      });
    for (const [path, containers, names] of [
      [CONTACTS, 10_000, 10_000],
      [`${CONTACTS}/batch`, 20_000, 50_000],
    ] as const) {
      for (const x of [deep(containers - 3), lists(containers - 3), members(names - 3)])
        assert.ok((await send(path, x)).status < 300);
      const before = await developer.exported();
      for (const x of [deep(containers + 1), lists(containers + 1), members(names + 1)])
        assertProblem(await send(path, x), 'body_too_large', path);
      assert.deepEqual(await developer.exported(), before);
    }
  });
});

describe('POST /contacts with a Content-Type that is not JSON', () => {
  const types = [
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    'application/xml',
    'application/jsonx',
    'application/json-seq',
    'application/ndjson',
    'application/vnd.crm.lead+json+xml',
    'json',
    '*/*',
    '',
    'application/json; charset=utf-16',
    'application/json; charset="iso-8859-1"',
  ];
  for (const type of types)
    test(`answers 415 unsupported_media_type: ${type || '(empty)'}`, async () => {
      const body = JSON.stringify({ email: EMAIL });
      await refusedBytes(await makeDeveloper(), 'unsupported_media_type', body, {
        'content-type': type,
      });
    });

  test('answers 415 without a type, with a body or without', async () => {
    const developer = await makeDeveloper();
    const body = Buffer.from(JSON.stringify({ email: EMAIL }));
    await refusedBytes(developer, 'unsupported_media_type', body, {});
    await refusedBytes(developer, 'unsupported_media_type', undefined, {});
  });

  for (const type of [
    'application/json',
    'APPLICATION/JSON',
    'application/json;charset=utf-8',
    'application/json; charset="UTF-8"',
    'application/json; profile="x"',
    'application/vnd.crm.lead+json',
    'application/vnd.crm.lead+json; charset=utf-8',
  ])
    test(`takes ${type}`, async () => {
      const { key } = await makeDeveloper();
      const headers = { 'content-type': type };
      const payload = JSON.stringify({ email: EMAIL });
      const { status } = await service.send({
        method: 'POST',
        url: CONTACTS,
        key,
        headers,
        payload,
      });
      assert.equal(status, 201);
    });
});

describe('POST /contacts with a body over 1 MiB', () => {
  const sized = (bytes: number): string => {
    const frame = JSON.stringify({ email: EMAIL, notes: '' }).length;
    return JSON.stringify({ email: EMAIL, notes: 'x'.repeat(bytes - frame) });
  };

  test('answers 413 body_too_large', async () => {
    await refusedBytes(await makeDeveloper(), 'body_too_large', sized(MEBIBYTE + 1));
  });

  test('counts bytes, not characters', async () => {
    const notes = 'ā'.repeat(MEBIBYTE / 2);
    await refusedBytes(
      await makeDeveloper(),
      'body_too_large',
      JSON.stringify({ email: EMAIL, notes }),
    );
  });

  test('takes a body of 1 MiB, and refuses one byte more', async () => {
    const { post, key } = await makeDeveloper();
    const request = { method: 'POST', url: CONTACTS, key, headers: JSON_TYPE } as const;
    assert.equal((await service.send({ ...request, payload: sized(MEBIBYTE) })).status, 201);
    assert.equal((await post({ email: EMAIL })).status, 200);
  });
});

describe('an unknown route', () => {
  const urls = [
    '/nothing',
    '/api',
    '/api/v1',
    '/api/v1/',
    '/api/v1/nothing',
    '/api/v2/stocklist',
    '/api/v1/stocklist/',
    '/api/v1/Stocklist',
    '/api/v1//stocklist',
    '/api/v1/projects',
    '/api/v1/projects/a/b',
    '/api/v1/contacts/x/y',
    '/api/v1/livez',
    '/openapi.json',
    '/*',
  ];
  for (const url of urls)
    test(`gets a 404 route_not_found, with a key or without: ${url}`, async () => {
      const { key } = await makeDeveloper();
      assertProblem(await service.send({ url: `${url}?a=b` }), 'route_not_found', url);
      const { detail } = assertProblem(await service.send({ url, key }), 'route_not_found', url);
      assert.match(detail, /begin with \/api\/v1 and have no slash at the end/);
      assertProblem(await service.send({ method: 'POST', url }), 'route_not_found', url);
    });

  test('gets a 404 with any method and any body', async () => {
    const types = ['application/json', 'text/plain', '', 'x'];
    for (const method of METHODS) {
      if (method === 'CONNECT') continue;
      for (const type of [undefined, ...types]) {
        const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
        for (const payload of ['', '{']) {
          const request = { method: method as 'PUT', url: '/nothing', headers };
          const answer = await service.send(payload ? { ...request, payload } : request);
          assert.equal(answer.status, 404, `${method} ${type}`);
          if (method !== 'HEAD') assertProblem(answer, 'route_not_found', '/nothing');
        }
      }
    }
  });

  test('is the answer to POST /contacts/ with a slash at the end, and the detail says so', async () => {
    const { key } = await makeDeveloper();
    const url = `${CONTACTS}/`;
    const answer = await service.send({
      method: 'POST',
      url,
      key,
      headers: JSON_TYPE,
      payload: '{}',
    });
    assert.match(assertProblem(answer, 'route_not_found', url).detail, /no slash at the end/);
  });

  test('is the answer to a picture that does not exist', async () => {
    for (const name of ['nothing.svg', '', '..%2f..%2fpackage.json', '..%5caccount.json', '%00'])
      assertProblem(
        await service.send({ url: `/media/${name}` }),
        'route_not_found',
        `/media/${name}`,
      );
  });

  test('is the answer to a file name that no file can have', async () => {
    for (const url of ['/docs/static/%00', '/docs/static/nothing'])
      assertProblem(await service.send({ url }), 'route_not_found', url);
  });

  const malformed = [
    ['/api/v1/projects/%', '/api/v1/projects/%25'],
    ['/api/v1/projects/%zz', '/api/v1/projects/%25zz'],
    ['/api/v1/projects/%ff%fe', '/api/v1/projects/%ff%fe'],
    ['/%', '/%25'],
  ] as const;
  for (const [url, instance] of malformed)
    test(`is the answer to a malformed URL: ${url}`, async () => {
      const { key } = await makeDeveloper();
      assertProblem(await service.send({ url, key }), 'route_not_found', instance);
      assertProblem(await service.send({ method: 'DELETE', url }), 'route_not_found', instance);
    });
});

describe('a known route with another method', () => {
  const routes: [string, string][] = [
    ['/', 'GET, HEAD'],
    ['/livez', 'GET, HEAD'],
    ['/readyz', 'GET, HEAD'],
    ['/docs', 'GET, HEAD'],
    ['/media/logo.svg', 'GET, HEAD'],
    ['/api/v1/openapi.json', 'GET, HEAD'],
    ['/api/v1/stocklist', 'GET, HEAD'],
    ['/api/v1/projects/x', 'GET, HEAD'],
    ['/api/v1/contacts', 'GET, HEAD, POST'],
    ['/api/v1/contacts/batch', 'POST'],
    ['/api/v1/contacts/bulk', 'POST'],
    ['/api/v1/contacts/x', 'DELETE, GET, HEAD, PATCH'],
  ];
  for (const [url, allow] of routes)
    test(`gets a 405 with Allow: ${url}`, async () => {
      const allowed = allow.split(', ');
      for (const method of METHODS) {
        if (method === 'CONNECT' || allowed.includes(method)) continue;
        const answer = await service.send({ method: method as 'PUT', url: `${url}?a=b` });
        assert.equal(answer.headers['allow'], allow, method);
        if (method === 'HEAD') assert.equal(answer.status, 405);
        else {
          const { detail } = assertProblem(answer, 'method_not_allowed', url);
          assert.equal(detail, `This path accepts ${allow.replace(/, (?=\w+$)/, ' and ')}.`);
        }
      }
    });

  test('gets a 405 before its body is read', async () => {
    const headers = { 'content-type': 'text/plain' };
    for (const payload of ['{', 'x'.repeat(MEBIBYTE + 1)]) {
      const answer = await service.send({ method: 'PUT', url: CONTACTS, headers, payload });
      assertProblem(answer, 'method_not_allowed', CONTACTS);
    }
  });
});

test('a list with many faults gets a short answer', async () => {
  const { key } = await makeDeveloper();
  const payload = `{"email":"${EMAIL}","tags":[${'1,'.repeat(500_000)}1]}`;
  const request = { method: 'POST', url: CONTACTS, key, headers: JSON_TYPE, payload } as const;
  const answer = await service.send(request);
  assertProblem(answer, 'invalid_request', CONTACTS);
  assert.ok(answer.text.length < 1_000);
});

test('POST /contacts ignores a byte order mark before the body', async () => {
  const { key } = await makeDeveloper();
  const payload = `\uFEFF{"email":"${EMAIL}"}`;
  const request = { method: 'POST', url: CONTACTS, key, headers: JSON_TYPE, payload } as const;
  assert.equal((await service.send(request)).status, 201);
});

test('POST /contacts answers 415 to a compressed body, with Accept-Encoding: identity', async () => {
  const developer = await makeDeveloper();
  const body = Buffer.from(JSON.stringify({ email: EMAIL }));
  const bodies = { gzip: gzipSync(body), br: brotliCompressSync(body), 'GZIP, identity': body };
  for (const [coding, payload] of Object.entries(bodies)) {
    const headers = { ...JSON_TYPE, 'content-encoding': coding };
    const answer = await refusedBytes(developer, 'unsupported_media_type', payload, headers);
    assert.match(answer.body.detail, /Content-Encoding/);
    assert.equal(answer.headers['accept-encoding'], 'identity');
  }
  const headers = { ...JSON_TYPE, 'content-encoding': 'Identity' };
  const sent = {
    method: 'POST',
    url: CONTACTS,
    key: developer.key,
    headers,
    payload: body,
  } as const;
  assert.equal((await service.send(sent)).status, 201);
});

test('POST /contacts answers malformed_body to bytes of gzip', async () => {
  await refusedBytes(await makeDeveloper(), 'malformed_body', gzipSync(`{"email":"${EMAIL}"}`));
});

test('a filter that is not valid percent-encoding or UTF-8, or has U+0000, matches nothing', async () => {
  const { key } = await makeDeveloper();
  const texts = ['%', '%zz', '%ff%fe', '%ED%A0%80', '%C3', '%00', 'a%00b', '%F4%90%80%80'];
  for (const text of texts) {
    const url = `/api/v1/stocklist?city=${text}`;
    const { status, body } = await service.send({ url, key });
    assert.deepEqual([status, body.projects], [200, []], text);
    assert.ok(body.filters.city.isWellFormed());
    for (const name of ['page', 'limit', 'updated_since']) {
      const answer = await service.send({ url: `/api/v1/stocklist?${name}=${text}`, key });
      const { errors } = assertProblem(answer, 'invalid_request', '/api/v1/stocklist');
      assert.equal(errors?.[0] && 'parameter' in errors[0] && errors[0].parameter, name);
    }
  }
});

test('a query parameter with the name of a property of Object is unknown', async () => {
  const { key } = await makeDeveloper();
  const query = '__proto__=1&__proto__[page]=x&constructor=1&toString=2&%00=3&=4&&&%';
  const { status, body } = await service.send({ url: `/api/v1/stocklist?${query}`, key });
  assert.equal(status, 200);
  assert.deepEqual(new Set(Object.values(body.filters)), new Set([null]));
});

test('a 400 names every parameter that was sent twice, also with equal values', async () => {
  const developer = await makeDeveloper();
  for (const name of ['page', 'limit', 'region', 'city', 'suburb', 'status', 'updated_since']) {
    const url = `/api/v1/stocklist?${name}=&${name}=`;
    const answer = await service.send({ url, key: developer.key });
    const { errors } = assertProblem(answer, 'invalid_request', '/api/v1/stocklist');
    assert.deepEqual(errors, [{ parameter: name, detail: `${name} may be sent only once.` }]);
  }
  const { body } = await service.send({ url: '/api/v1/stocklist', key: developer.key });
  for (const path of ['/api/v1/stocklist', `/api/v1/projects/${body.projects[0].slug}`]) {
    const answer = await service.send({
      url: `${path}?other=1&more=1&other=2`,
      key: developer.key,
    });
    const { errors } = assertProblem(answer, 'invalid_request', path);
    assert.deepEqual(errors, [{ parameter: 'other', detail: 'other may be sent only once.' }]);
    assert.equal(
      (await service.send({ url: `${path}?other=1&more=1`, key: developer.key })).status,
      200,
    );
  }
  const before = await developer.exported();
  for (const path of [CONTACTS, `${CONTACTS}/batch`])
    for (const name of ['dryRun', 'other']) {
      const payload = path === CONTACTS ? { email: EMAIL } : { contacts: [{ email: EMAIL }] };
      const url = `${path}?${name}=true&${name}=true`;
      const answer = await service.send({ method: 'POST', url, key: developer.key, payload });
      assertProblem(answer, 'invalid_request', path);
    }
  assert.deepEqual(await developer.exported(), before);
});

test('a 400 names repeated parameters in storable characters, shortened, and at most ten of them', async () => {
  const developer = await makeDeveloper();
  const many = Array.from({ length: 1_000 }, (_, n) => `p${n}&p${n}`).join('&');
  for (const [query, names] of [
    ['%00=1&%00=2', ['\uFFFD']],
    [`${'x'.repeat(5_000)}&${'x'.repeat(5_000)}`, ['x'.repeat(64)]],
    [many, Array.from({ length: 10 }, (_, n) => `p${n}`)],
  ] as const) {
    const url = `${CONTACTS}/batch?${query}`;
    const payload = { contacts: [{ email: EMAIL }] };
    const answer = await service.send({ method: 'POST', url, key: developer.key, payload });
    const { errors } = assertProblem(answer, 'invalid_request', `${CONTACTS}/batch`);
    assert.deepEqual(
      errors?.map((fault) => 'parameter' in fault && fault.parameter),
      names,
    );
  }
});

test('a condition or a range that a picture does not meet gets a 412 or a 416', async () => {
  const url = '/media/logo.svg';
  const beyond = await service.send({ url, headers: { range: 'bytes=9999999-' } });
  assertProblem(beyond, 'range_not_satisfiable', url);
  const whole = await service.send({ method: 'HEAD', url });
  assert.equal(
    beyond.headers['content-range'],
    `bytes */${String(whole.headers['content-length'])}`,
  );
  for (const range of ['bytes=5-2', 'bytes=0-1, 5-2']) {
    const { status, headers } = await service.send({ url, headers: { range } });
    assert.deepEqual(
      [status, headers['content-length']],
      [200, whole.headers['content-length']],
      'an invalid range is ignored',
    );
  }
  for (const name of ['if-match', 'if-unmodified-since']) {
    const headers = { [name]: name === 'if-match' ? '"other"' : 'Mon, 01 Jan 2001 00:00:00 GMT' };
    assertProblem(await service.send({ url, headers }), 'precondition_failed', url);
  }
});

test('GET /projects/:slug answers 404 project_not_found to an unknown slug', async () => {
  const { key } = await makeDeveloper();
  for (const slug of ['nothing', 'Harbourlight', NOWHERE, '%E2%82%AC', '%00', 'x'.repeat(5_000)]) {
    const url = `/api/v1/projects/${slug}`;
    assertProblem(await service.send({ url, key }), 'project_not_found', url);
  }
});

describe('a request with several faults', () => {
  type Request = Omit<InjectOptions, 'url'> & { url?: string };
  const OVERSIZED = `{"email":1,"notes":"${'x'.repeat(MEBIBYTE)}"}`;
  const twins = ['401', '402'].map((n) => ({
    id: `0196a000-0000-7000-8000-000000000${n}`,
    email: EMAIL,
  }));
  const TEXT_TYPE = { 'content-type': 'text/plain' };
  const typed = (body: object): Request => ({
    headers: JSON_TYPE,
    payload: JSON.stringify(body),
  });

  // Each request has the fault of its own row and of every row below, as far as one can.
  const posts: [ProblemCode, 'none' | 'wrong' | 'read' | 'write', Request][] = [
    ['route_not_found', 'none', { url: '/api/v1/nothing', headers: TEXT_TYPE, payload: OVERSIZED }],
    ['method_not_allowed', 'none', { method: 'PUT', headers: TEXT_TYPE, payload: OVERSIZED }],
    ['missing_api_key', 'none', { headers: TEXT_TYPE, payload: OVERSIZED }],
    ['invalid_api_key', 'wrong', { headers: TEXT_TYPE, payload: OVERSIZED }],
    ['insufficient_access', 'read', { headers: TEXT_TYPE, payload: OVERSIZED }],
    ['unsupported_media_type', 'write', { headers: TEXT_TYPE, payload: OVERSIZED }],
    [
      'unsupported_media_type',
      'write',
      { headers: { 'content-type': 'application/json; charset=utf-16' }, payload: OVERSIZED },
    ],
    ['body_too_large', 'write', { headers: JSON_TYPE, payload: OVERSIZED }],
    ['malformed_body', 'write', { headers: JSON_TYPE, payload: '{"email":1' }],
    ['invalid_request', 'write', typed({ email: EMAIL, name: 1, projectId: NOWHERE })],
    ['project_not_available', 'write', typed({ email: EMAIL, projectId: NOWHERE })],
    ['duplicate_contacts', 'write', typed({ email: EMAIL })],
  ];
  for (const [code, access, request] of posts) {
    const what = `${access} key, ${JSON.stringify(request).slice(0, 60)}`;
    test(`gets the first in the documented order: ${code} (${what})`, async () => {
      const developer = await makeDeveloper(twins);
      const keys = {
        none: undefined,
        wrong: 'offplan_x',
        read: await service.key(developer.slug, 'read'),
        write: developer.key,
      };
      const key = keys[access];
      const { url = CONTACTS, ...rest } = request;
      const whole = { method: 'POST', ...rest, url } as const;
      const answer = await service.send(key === undefined ? whole : { ...whole, key });
      assertProblem(answer, code, url);
    });
  }

  test('GET routes check the key before the parameters and the project', async () => {
    for (const [path, query] of [
      ['/api/v1/stocklist', '?page=x'],
      ['/api/v1/projects/nothing', ''],
    ] as const) {
      const url = path + query;
      assertProblem(await service.send({ url }), 'missing_api_key', path);
      assertProblem(await service.send({ url, key: 'x' }), 'invalid_api_key', path);
    }
    assertProblem(
      await service.send({ url: '/api/v1/projects/%', key: 'x' }),
      'route_not_found',
      '/api/v1/projects/%25',
    );
  });
});

describe('an invalid parameter', () => {
  const parameters = [
    'page=0',
    'page=-1',
    'page=1.5',
    'page=x',
    'limit=0',
    'limit=0x10',
    'page=1&page=2',
  ];
  for (const query of [...parameters, 'updated_since=yesterday', 'updated_since=2026-01-01'])
    test(`gets a 400 invalid_request that names it: ${query}`, async () => {
      const { key } = await makeDeveloper();
      const answer = await service.send({ url: `/api/v1/stocklist?${query}`, key });
      const { errors } = assertProblem(answer, 'invalid_request', '/api/v1/stocklist');
      const [fault] = errors ?? [];
      assert.deepEqual(Object.keys(fault ?? {}), ['parameter', 'detail']);
      assert.equal(fault && 'parameter' in fault && fault.parameter, query.split('=', 1)[0]);
    });
});

test('every answer has its own request id, which a client cannot choose', async () => {
  const { key } = await makeDeveloper();
  const headers = { 'x-request-id': 'mine', 'request-id': 'mine' };
  const urls = ['/livez', '/nothing', '/api/v1/stocklist', '/api/v1/projects/x', CONTACTS];
  const ids: unknown[] = [];
  for (const url of [...urls, ...urls])
    ids.push((await service.send({ url, key, headers })).headers['x-request-id']);
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(!ids.includes('mine'));
});

test('a 500 says nothing about its cause, on every endpoint', async (t) => {
  const broken = await build(t);
  const { slug } = await developersOf(broken)();
  const key = await broken.key(slug, 'all');
  for (const table of [
    'projects',
    'units',
    'accounts',
    'imports',
    'contacts',
    'activities',
    'events',
    'changes',
    'media',
    'account_slugs',
    'tags',
    'users',
  ])
    await run(broken.db, `alter table ${table} rename to gone_${table}`);
  for (const endpoint of keyEndpointsOf(document)) {
    const request = endpoint.request();
    const { requestId, ...said } = assertProblem(
      await broken.send({ ...request, key }),
      'internal_error',
      request.url,
    );
    assert.deepEqual(said, {
      type: 'urn:offplan:problem:internal_error',
      title: 'Something went wrong',
      status: 500,
      detail: 'The request could not be handled. It was logged.',
      instance: request.url,
      code: 'internal_error',
    });
    const logged = broken.log.filter((line) => line.includes(requestId));
    assert.ok(
      logged.some((line) => line.includes('"42P01"')),
      endpoint.name,
    );
  }
});

test('a body with lists in lists in lists, or that is no object, is malformed', async () => {
  const url = '/api/v1/links/open';
  const headers = { 'content-type': 'application/json' };
  for (const payload of [`{"token":${'['.repeat(4_900)}${']'.repeat(4_900)}}`, '[]', 'null', '5']) {
    const answer = await service.send({ method: 'POST', url, headers, payload });
    assertProblem(answer, 'malformed_body', url);
  }
});

test(
  'a lead that finds the disk of the database full gets a 503 that says so',
  { skip: isCitus() && 'Citus allows no trigger' },
  async (t) => {
    const full = await build(t);
    await full.load(accountFile('tui-ridge'));
    const key = await full.key('tui-ridge', 'all');
    await run(
      full.db,
      `create function fill() returns trigger language plpgsql as $$ begin
      raise exception using errcode = '53100', message = 'could not extend file: No space left on device';
    end $$`,
    );
    await run(full.db, 'create trigger fill before insert on contacts execute function fill()');
    const lead = { method: 'POST', url: CONTACTS, key, payload: { email: EMAIL } } as const;
    const answer = await full.send(lead);
    assertProblem(answer, 'unavailable', CONTACTS);
    assert.equal(answer.headers['retry-after'], '1');
    assert.equal(
      answer.body.detail,
      'The disk of the database is full. Send the request again later.',
    );

    await run(full.db, 'drop trigger fill on contacts');
    assert.equal((await full.send(lead)).status, 201);
  },
);
