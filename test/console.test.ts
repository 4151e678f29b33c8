import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { build } from './support/harness.ts';
import { assertHeaders, SECURITY } from './support/headers.ts';
import { assertProblem } from './support/problem.ts';

const { inject, send } = await build({ after });
const get = (url: string, headers = {}) => inject({ url, headers });

const page = await get('/');
const [script = ''] = /\/assets\/index-[\w-]+\.js/.exec(page.payload) ?? [];

test('the console is one page at / and at each address below /a/, which a browser asks for again', async () => {
  for (const url of ['/', '/a/kowhai-lane', '/a/kowhai-lane/contacts/1?q=a', '/a/%00']) {
    const { statusCode, headers, payload } = await get(url);
    assert.equal(statusCode, 200, url);
    assert.equal(payload, page.payload);
    assertHeaders(headers, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
    });
    const etag = String(headers['etag']);
    const again = await get(url, { 'if-none-match': etag });
    assert.deepEqual([again.statusCode, again.payload, again.headers['etag']], [304, '', etag]);
  }
});

test('the page runs its own files only, and makes no HTML from text', async () => {
  const policy = String(page.headers['content-security-policy']);
  const hashes = policy.match(/ 'sha256-[\w+/]{43}='/g) ?? [];
  assert.ok(hashes.length > 0, policy);
  assertHeaders(page.headers, {
    ...SECURITY,
    'content-security-policy':
      `default-src 'none'; script-src 'self'; style-src 'self'${hashes.join('')}` +
      "; img-src 'self' data: blob: http://127.0.0.1:3000 https://media.example.com" +
      "; connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'" +
      "; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'strict-transport-security': undefined,
  });
  assert.doesNotMatch(page.payload, /<script>|<style|\son\w+=|style=|https?:/);
});

test('a browser keeps to https when the public URL has it, and finds the files below its path', async (t) => {
  const secure = await build(t, { publicUrl: 'https://crm.example.com/offplan' });
  const { headers, payload } = await secure.inject({ url: '/' });
  assert.ok(payload.includes(`src="/offplan${script}"`), payload);
  assertHeaders(headers, { 'strict-transport-security': 'max-age=31536000' });
});

for (const coding of ['br', 'gzip', undefined])
  test(`a file of the console is kept for good, and is sent ${coding ?? 'as it is'} when asked`, async () => {
    const accepted = coding === undefined ? {} : { 'accept-encoding': coding };
    const { statusCode, headers } = await get(script, accepted);
    assert.equal(statusCode, 200);
    assertHeaders(headers, {
      ...SECURITY,
      'content-type': 'application/javascript; charset=utf-8',
      'content-encoding': coding,
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    });
  });

test('an unknown path is a problem, and the page answers no other method', async () => {
  for (const url of [
    '/assets/none-12345678.js',
    '/assets/',
    '/assets/..%2fconsole.json',
    '/contacts',
  ]) {
    assertProblem(await send({ url }), 'route_not_found', url);
  }
  for (const url of ['/', '/a/kowhai-lane', script]) {
    const { statusCode, headers } = await inject({ method: 'POST', url });
    assert.deepEqual([statusCode, headers['allow']], [405, 'GET, HEAD'], url);
  }
});

test('the files of the console have the texts of React Aria in English alone', () => {
  const built = new URL('../dist/console/', import.meta.url);
  const { assets } = JSON.parse(readFileSync(new URL('console.json', built), 'utf8')) as {
    assets: string[];
  };
  const code = assets
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(new URL(`assets/${name}`, built), 'utf8'))
    .join('\n');
  assert.match(code, /Dismiss/);
  // Danish, Spanish, Finnish, French, German, Greek, Russian, Hebrew, Korean, Chinese and Japanese.
  const foreign =
    /Luk|Descartar|Ohita|Rejeter|Schließen|[\u0370-\u03FF\u0400-\u04FF\u05D0-\u05EA\uAC00-\uD7AF\u4E00-\u9FFF\u3040-\u30FF]{2}/;
  assert.deepEqual(code.match(foreign), null);
});
