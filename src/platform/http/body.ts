import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { explainUnstorable, pointTo } from '../fields/index.ts';
import { isStorable, parseExactJson } from '../text/index.ts';
import { invalidRequest, Problem, type Fault } from './problems.ts';
import { isJsonWithin, type JsonSize } from './json-size.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The text of the body; empty until it is parsed. */
    bodyText: string;
  }
}

/** The limits of a body with one lead. They are far above what a lead has, and such a body is parsed fast. */
export const BODY_MAX_SIZE: JsonSize = { containers: 10_000, members: 10_000 };

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Parses a JSON body, and sets `bodyText`. It refuses bytes that are not UTF-8, since replacing them would change a lead. */
export function parseJson(request: FastifyRequest, body: Buffer, maxSize: JsonSize): unknown {
  if (body.length === 0) throw malformed('The body is empty; send a JSON object.');
  if (!isJsonWithin(body, maxSize)) throw tooManyParts(maxSize);
  // The decoder drops a byte order mark, which some clients put before the text.
  request.bodyText = decode(() => UTF8.decode(body), 'The body is not valid UTF-8.');
  return decode(() => parseExactJson(request.bodyText), 'The body is not valid JSON.');
}

/** How deep lists and objects may be nested: code that reads a body calls itself for each level. */
const DEPTH_MAX = 100;

/** Parses a body as `parseJson` does. It must be a JSON object without texts that no column can store. */
export function parseStorableJson(
  request: FastifyRequest,
  body: Buffer,
  maxSize = BODY_MAX_SIZE,
): unknown {
  const parsed = parseJson(request, body, maxSize);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw malformed('The body must be a JSON object.');
  const faults = findUnstorable(parsed, '');
  if (faults.length > 0) throw invalidRequest(faults);
  return parsed;
}

function findUnstorable(value: unknown, pointer: string, depth = 0): Fault[] {
  if (depth > DEPTH_MAX)
    throw malformed(`The body may nest lists and objects at most ${DEPTH_MAX} deep.`);
  if (typeof value === 'string') {
    const reason = explainUnstorable(value);
    return reason === null ? [] : [{ pointer, detail: `${pointer.slice(1)} ${reason}` }];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    findUnstorable(each, pointTo(pointer, isStorable(name) ? name : '?'), depth + 1),
  );
}

// The message of a decoder quotes the body, which is personal data.
function decode<T>(run: () => T, detail: string): T {
  try {
    return run();
  } catch {
    throw malformed(detail);
  }
}

const IS_JSON = /^application\/([\w.+-]+\+)?json\s*(;|$)/i;

/** The requests that must have a body. */
const withBody = new WeakSet<FastifyRequest>();

/** Makes a group of routes accept bodies as JSON only. An empty body counts as absent, unless the route requires one (`requireJsonType`). */
export function acceptJson(
  group: Pick<FastifyInstance, 'addHook' | 'removeAllContentTypeParsers' | 'addContentTypeParser'>,
  parse: (request: FastifyRequest, body: Buffer) => Promise<unknown>,
): void {
  group.removeAllContentTypeParsers();
  group.addContentTypeParser(
    IS_JSON,
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) =>
      body.length === 0 && !withBody.has(request) ? undefined : parse(request, body),
  );
  // Node.js has ended the stream of a request without Content-Length and chunks, and Fastify would wait for its end.
  group.addHook('preParsing', (request, _reply, payload, done) => {
    done(null, request.raw.readableEnded ? Readable.from([]) : payload);
  });
}

function tooManyParts({ containers, members }: JsonSize): Problem {
  const detail = `The body may hold at most ${containers} lists and objects, and ${members} members.`;
  return new Problem('body_too_large', detail);
}

function malformed(detail: string): Problem {
  return new Problem('malformed_body', detail);
}

/**
 * Refuses a body that is missing, compressed, without a type, or in a charset other than UTF-8. Routes run it as a `preParsing`
 * hook, so that a 415 comes before a 413. Fastify would let a request with neither type nor body through.
 */
export async function requireJsonType(request: FastifyRequest): Promise<void> {
  const { headers } = request;
  const { 'transfer-encoding': transfer = 'chunked', 'content-encoding': coding = 'identity' } =
    headers;
  if (transfer.toLowerCase() !== 'chunked')
    throw unsupported('Send the body as it is, or in chunks, without another Transfer-Encoding.');
  if (coding.toLowerCase() !== 'identity')
    throw unsupported('Send the body as it is, without a Content-Encoding.', {
      'accept-encoding': 'identity',
    });
  const type = headers['content-type'];
  if (type === undefined) throw unsupported('Send a body with Content-Type: application/json.');
  const charset = readCharset(headers) ?? 'utf-8';
  if (!/^(utf-?8|us-ascii)$/i.test(charset))
    throw unsupported('Send the body as application/json in UTF-8.');
  withBody.add(request);
}

/** Tells whether a body arrives as it is: without a Content-Encoding, and without a Transfer-Encoding other than chunks. */
export function isUnencoded(headers: IncomingHttpHeaders): boolean {
  const { 'content-encoding': coding = 'identity', 'transfer-encoding': transfer = 'chunked' } =
    headers;
  return coding.toLowerCase() === 'identity' && transfer.toLowerCase() === 'chunked';
}

/** Reads the charset that the Content-Type of a body names; null when it names none. */
export function readCharset({ 'content-type': type = '' }: IncomingHttpHeaders): string | null {
  return /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(type)?.[1] ?? null;
}

const IS_MERGE_PATCH = /^application\/(merge-patch\+)?json\s*(;|$)/i;

/** Refuses a body that is not a JSON Merge Patch (RFC 7396). PATCH routes run it as a `preParsing` hook. */
export async function requireMergePatch(request: FastifyRequest): Promise<void> {
  await requireJsonType(request);
  if (IS_MERGE_PATCH.test(request.headers['content-type'] ?? '')) return;
  throw unsupported('Send the changes as application/merge-patch+json or application/json.', {
    'accept-patch': 'application/merge-patch+json, application/json',
  });
}

function unsupported(detail: string, headers: Record<string, string> = {}): Problem {
  return new Problem('unsupported_media_type', detail, { headers });
}

/** Allows an action to have no body. Routes run it as a `preValidation` hook. */
export async function allowNoBody(request: FastifyRequest): Promise<void> {
  request.body ??= {};
}
