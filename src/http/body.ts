import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import { Problem } from './problems.ts';

type Done = (error: Error | null, body?: unknown) => void;

export const BODY_TEXT = 'bodyText';

/** The body of a request as the text that was received. */
export function bodyTextOf(request: FastifyRequest): string {
  return request.getDecorator<string>(BODY_TEXT);
}

/** Parses a JSON body, and keeps its text. Bytes that are no UTF-8 are refused, since replacing them would change a lead. */
export function parseJson(request: FastifyRequest, body: Buffer, done: Done): void {
  if (body.length === 0) return done(malformed('The body is empty; send a JSON object.'));
  if (!isUtf8(body)) return done(malformed('The body is not valid UTF-8.'));
  const text = body.toString('utf8', hasByteOrderMark(body) ? 3 : 0);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    // The parser's own message quotes the body, which is personal data.
    return done(malformed('The body is not valid JSON.'));
  }
  request.setDecorator(BODY_TEXT, text);
  done(null, parsed);
}

function malformed(detail: string): Problem {
  return new Problem('malformed_body', detail);
}

// Some writers put one before a text; it is no part of the lead.
function hasByteOrderMark(body: Buffer): boolean {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
}

/**
 * Refuses a request that gives its body no type, which Fastify would let through to validation when there is
 * no body either, an encoding that is not UTF-8, or a compressed body. A hook before the parsing: the type is judged before the
 * size is.
 */
export function requireJsonType(
  request: FastifyRequest,
  _reply: unknown,
  _payload: unknown,
  done: (error?: Error) => void,
): void {
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
  done();
}

function unsupported(detail: string, headers: Record<string, string> = {}): Problem {
  return new Problem('unsupported_media_type', detail, { headers });
}
