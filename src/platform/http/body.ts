import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from './problems.ts';
import { isJsonWithin, type JsonSize } from './json-size.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The text of the body; empty until it is parsed. */
    bodyText: string;
  }
}

/** The limits of a body with one lead: far more than a lead has, and fast to parse. */
export const BODY_MAX_SIZE: JsonSize = { containers: 10_000, members: 10_000 };

/** Parses a JSON body, and sets `bodyText`. It refuses bytes that are not UTF-8, since replacing them would change a lead. */
export function parseJson(request: FastifyRequest, body: Buffer, maxSize: JsonSize): unknown {
  if (body.length === 0) throw empty();
  if (!isJsonWithin(body, maxSize)) throw tooManyParts(maxSize);
  if (!isUtf8(body)) throw malformed('The body is not valid UTF-8.');
  const text = body.toString('utf8', hasByteOrderMark(body) ? 3 : 0);
  request.bodyText = text;
  try {
    return JSON.parse(text);
  } catch {
    // The message of the parser quotes the body, which is personal data.
    throw malformed('The body is not valid JSON.');
  }
}

/** Makes a scope accept bodies as JSON only. */
export function acceptJson(
  scope: Pick<FastifyInstance, 'removeAllContentTypeParsers' | 'addContentTypeParser'>,
  parse: (request: FastifyRequest, body: Buffer) => Promise<unknown>,
): void {
  scope.removeAllContentTypeParsers();
  for (const type of ['application/json', /^application\/[\w.+-]+\+json\s*(;|$)/] as const)
    scope.addContentTypeParser(type, { parseAs: 'buffer' }, parse);
}

function tooManyParts({ containers, members }: JsonSize): Problem {
  const detail = `The body may hold at most ${containers} lists and objects, and ${members} members.`;
  return new Problem('body_too_large', detail);
}

function empty(): Problem {
  return malformed('The body is empty; send a JSON object.');
}

function malformed(detail: string): Problem {
  return new Problem('malformed_body', detail);
}

// Some clients put a byte order mark before the text.
function hasByteOrderMark(body: Buffer): boolean {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
}

const IS_JSON = /^application\/([\w.-]+\+)?json\s*(;|$)/i;

/**
 * Refuses a body without a type, in a charset other than UTF-8, compressed or missing. Routes run it as a `preParsing` hook,
 * so that a 415 comes before a 413. Fastify would let a request with neither type nor body through.
 */
export function requireJsonType(
  request: FastifyRequest,
  _reply: unknown,
  _payload: unknown,
  done: (error?: Error) => void,
): void {
  const transfer = request.headers['transfer-encoding'];
  if (transfer !== undefined && transfer.toLowerCase() !== 'chunked')
    return done(
      unsupported('Send the body as it is, or in chunks, without another Transfer-Encoding.'),
    );
  const coding = request.headers['content-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'identity')
    return done(
      unsupported('Send the body as it is, without a Content-Encoding.', {
        'accept-encoding': 'identity',
      }),
    );
  const type = request.headers['content-type'];
  if (type === undefined)
    return done(unsupported('Send a body with Content-Type: application/json.'));
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(type)?.[1];
  if (charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset))
    return done(unsupported('Send the body as application/json in UTF-8.'));
  // A request with neither Content-Length nor chunks has no body, and Fastify would not parse it.
  if (request.raw.readableEnded && IS_JSON.test(type)) return done(empty());
  done();
}

function unsupported(detail: string, headers: Record<string, string> = {}): Problem {
  return new Problem('unsupported_media_type', detail, { headers });
}
