import assert from 'node:assert/strict';
import { test } from 'node:test';
import pino from 'pino';
import { Type } from 'typebox';
import { acceptJson, parseJson, BODY_MAX_SIZE } from './body.ts';
import { createServer } from './server.ts';
import { neverShutDown } from './shutdown.ts';
import { SKIP_VALIDATION } from './validation.ts';

const Note = Type.Object(
  {
    text: Type.String({ maxLength: 5 }),
    stars: Type.Optional(Type.Integer()),
    author: Type.Optional(Type.String({ format: 'idn-email' })),
    writtenAt: Type.Optional(Type.String({ format: 'date-time' })),
  },
  { additionalProperties: false },
);
const schema = { body: Note, querystring: Type.Object({ dry: Type.Optional(Type.Boolean()) }) };

async function answerOf(url: string, payload?: object) {
  const server = createServer(pino({ level: 'silent' }), {
    trustedProxies: [],
    observers: [],
    shutdown: neverShutDown(),
  });
  acceptJson(server, async (request, body) => parseJson(request, body, BODY_MAX_SIZE));
  server.post('/notes', { schema }, async ({ body }) => body);
  server.post('/unchecked', { schema, ...SKIP_VALIDATION }, async ({ body }) => body);
  server.get('/free', async ({ query }) => query);
  const answer = await server.inject(
    payload === undefined ? { url } : { method: 'POST', url, payload },
  );
  await server.close();
  return { status: answer.statusCode, type: answer.headers['content-type'], body: answer.json() };
}

test('a route with a schema passes a valid body on as it was sent', async () => {
  const note = { text: 'short', stars: 3 };
  const { status, body } = await answerOf('/notes', note);
  assert.deepEqual([status, body], [200, note]);
});

test('a route with a schema answers 400 invalid_request, and names every field at fault', async () => {
  const { status, type, body } = await answerOf('/notes', { text: 'too long', stars: '3', x: 1 });
  assert.deepEqual([status, body.code], [400, 'invalid_request']);
  assert.equal(type, 'application/problem+json; charset=utf-8');
  const pointers = body.errors.map(({ pointer }: { pointer: string }) => pointer);
  assert.deepEqual(pointers.toSorted(), ['/stars', '/text', '/x']);
});

test('a route with a schema checks the formats that fields have', async () => {
  const note = { text: 'short', author: 'aroha@example.com', writtenAt: '2026-03-31T21:15:09Z' };
  assert.equal((await answerOf('/notes', note)).status, 200);
  const { body } = await answerOf('/notes', { ...note, author: 'aroha', writtenAt: 'yesterday' });
  assert.deepEqual(body.errors, [
    {
      pointer: '/author',
      detail: 'author must be an email address such as aroha@example.com: it has no @.',
    },
    {
      pointer: '/writtenAt',
      detail:
        'writtenAt must be an ISO 8601 date-time with Z or an offset, such as 2026-03-31T21:15:09.204Z.',
    },
  ]);
});

test('a route with a schema names a required field that is missing', async () => {
  const { body } = await answerOf('/notes', {});
  assert.deepEqual(body.errors, [{ pointer: '/text', detail: 'text is required.' }]);
});

test('a route with a schema names a query parameter at fault', async () => {
  const { status, body } = await answerOf('/notes?dry=perhaps', { text: 'short' });
  assert.equal(status, 400);
  assert.deepEqual(
    body.errors.map(({ parameter }: { parameter: string }) => parameter),
    ['dry'],
  );
});

test('a route that skips the validation, or has no schema, takes any input', async () => {
  assert.equal((await answerOf('/unchecked?dry=perhaps', { x: 1 })).status, 200);
  assert.equal((await answerOf('/free?x=1&x=2')).status, 200);
});
