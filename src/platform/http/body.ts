import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from './problems.ts';
import { isWithin, type Shape } from './shape.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as the text that was received; empty until it was parsed. */
    bodyText: string;
  }
}

/** Many times what a lead has; its parsing takes some milliseconds. */
export const BODY_SHAPE: Shape = { containers: 10_000, members: 10_000 };

/** The value of a JSON body, whose text is kept. Bytes that are no UTF-8 are refused, since replacing them would change a lead. */
export function parseJson(request: FastifyRequest, body: Buffer, shape: Shape): unknown {
  if (body.length === 0) throw empty();
  if (!isWithin(body, shape)) throw overgrown(shape);
  if (!isUtf8(body)) throw malformed('The body is not valid UTF-8.');
  const text = body.toString('utf8', hasByteOrderMark(body) ? 3 : 0);
  request.bodyText = text;
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the body, which is personal data.
    throw malformed('The body is not valid JSON.');
  }
}

/** Makes JSON the one media type of bodies in a scope. */
export function acceptJson(
  scope: Pick<FastifyInstance, 'removeAllContentTypeParsers' | 'addContentTypeParser'>,
  parse: (request: FastifyRequest, body: Buffer) => Promise<unknown>,
): void {
  scope.removeAllContentTypeParsers();
  for (const type of ['application/json', /^application\/[\w.+-]+\+json\s*(;|$)/] as const)
    scope.addContentTypeParser(type, { parseAs: 'buffer' }, parse);
}

function overgrown({ containers, members }: Shape): Problem {
  const detail = `The body may hold at most ${containers} lists and objects, and ${members} members.`;
  return new Problem('body_too_large', detail);
}

function empty(): Problem {
  return malformed('The body is empty; send a JSON object.');
}

function malformed(detail: string): Problem {
  return new Problem('malformed_body', detail);
}

// Some writers put one before a text; it is no part of the lead.
function hasByteOrderMark(body: Buffer): boolean {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
}

const IS_JSON = /^application\/([\w.-]+\+)?json\s*(;|$)/i;

/**
 * Refuses a request that gives its body no type, which Fastify would let through to validation when there is
 * no body either, an encoding that is not UTF-8, a compressed body, or none. A hook before the parsing: the type is judged
 * before the size is.
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
  // Neither length nor chunks: there is nothing whose end Fastify could wait for.
  if (request.raw.readableEnded && IS_JSON.test(type)) return done(empty());
  done();
}

function unsupported(detail: string, headers: Record<string, string> = {}): Problem {
  return new Problem('unsupported_media_type', detail, { headers });
}
