import type { FastifyRequest } from 'fastify';
import { Problem, SAFE_METHODS } from '../platform/http/index.ts';

interface CrossSiteOptions {
  publicUrl: string;
  /** Whether a request without `Sec-Fetch-Site` and `Origin` passes. Browsers send at least one of them when they write. */
  passesUnknown: boolean;
}

/** Throws when a page of another site has made the browser send this request, which writes. */
export function refuseCrossSite(
  request: FastifyRequest,
  { publicUrl, passesUnknown }: CrossSiteOptions,
): void {
  if (SAFE_METHODS.has(request.method)) return;
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined ? site === 'same-origin' : isOwnOrigin(request, origin, publicUrl)) return;
  if (site === undefined && origin === undefined && passesUnknown) return;
  throw new Problem(
    'cross_site_request',
    'A request with the cookie of a session must come from a page of this server: with Sec-Fetch-Site: same-origin, or with its Origin.',
  );
}

function isOwnOrigin(
  request: FastifyRequest,
  origin: string | undefined,
  publicUrl: string,
): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false;
  const { protocol, host, origin: sent } = new URL(origin);
  if (sent === new URL(publicUrl).origin) return true;
  // Compare hosts through URL, which drops the default port of the scheme.
  const asked = `${protocol}//${request.host}`;
  return URL.canParse(asked) && host !== '' && host === new URL(asked).host;
}
