import type { FastifyRequest } from 'fastify';
import { Problem } from '../platform/http/index.ts';

/** The name of the session cookie over HTTPS. Because of its prefix, browsers refuse it from a subdomain or over plain HTTP. */
const SECURE_NAME = '__Host-offplan';
/** The name of the session cookie over plain HTTP. Only a browser on the same machine gets it. */
const LOOPBACK_NAME = 'offplan';
const LOOPBACK = /^(?:localhost|[\w.-]+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i;

const DAY_S = 24 * 60 * 60;
/** The browser drops the cookie after the longest life of a session. The server may end the session earlier. */
const MAX_AGE_S = 90 * DAY_S;

/** Reads the token of the session out of the cookies of a request; null when there is none. */
export function readSessionToken(request: FastifyRequest, publicUrl: string): string | null {
  const { cookie } = request.headers;
  if (cookie === undefined) return null;
  const values = parseCookies(cookie);
  const sent = [SECURE_NAME, LOOPBACK_NAME].filter((name) => values.has(name));
  return sent.length === 0 ? null : (values.get(chooseName(request, publicUrl)) ?? null);
}

/** Formats the cookie of a session. */
export function formatSessionCookie(
  request: FastifyRequest,
  publicUrl: string,
  token: string,
): string {
  return formatCookie(request, publicUrl, token, MAX_AGE_S);
}

/** Formats a cookie that makes the browser delete the session cookie. */
export function formatEndedCookie(request: FastifyRequest, publicUrl: string): string {
  return formatCookie(request, publicUrl, '', 0);
}

function formatCookie(
  request: FastifyRequest,
  publicUrl: string,
  value: string,
  maxAgeS: number,
): string {
  const name = chooseName(request, publicUrl);
  const secure = name === SECURE_NAME ? ' Secure;' : '';
  return `${name}=${value}; HttpOnly;${secure} SameSite=Strict; Path=/; Max-Age=${maxAgeS}`;
}

/** Chooses the name of the cookie. Throws when the request came over plain HTTP from another machine. */
function chooseName(request: FastifyRequest, publicUrl: string): string {
  if (isSecure(request, publicUrl)) return SECURE_NAME;
  if (LOOPBACK.test(request.host)) return LOOPBACK_NAME;
  throw new Problem(
    'https_required',
    'People sign in over HTTPS only. Send the request to an https URL; a proxy that ends TLS must be named in TRUST_PROXY, or keep the Host of PUBLIC_URL.',
  );
}

/** Throws when no session can begin over the connection of this request. */
export function requireSafeConnection(request: FastifyRequest, publicUrl: string): void {
  chooseName(request, publicUrl);
}

/**
 * Returns whether the client uses HTTPS. A proxy that terminates TLS says so (TRUST_PROXY), or passes on the Host of an https
 * PUBLIC_URL.
 */
function isSecure(request: FastifyRequest, publicUrl: string): boolean {
  if (request.protocol === 'https') return true;
  const { protocol, host } = new URL(publicUrl);
  return protocol === 'https:' && request.host.toLowerCase() === host;
}

function parseCookies(header: string): Map<string, string> {
  const pairs = header.split(';').map((pair): [string, string] => {
    const [name = '', ...value] = pair.split('=');
    return [name.trim(), value.join('=').trim()];
  });
  // Keep the first of two cookies with one name: a browser sends the one with the longer path first. A Map keeps the last.
  return new Map(pairs.toReversed());
}
