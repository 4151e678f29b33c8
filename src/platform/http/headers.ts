/**
 * What every answer with a body tells browsers: it is data, to be shown by no page but as what it is, and its URL is
 * nobody's business. Made once, for the answers that are kept ready. A 304 does without: who gets one keeps the
 * headers that came with the body (RFC 9110, 15.4.5). Strict-Transport-Security is for the proxy that ends TLS to say.
 */
export const SECURITY_HEADERS = Object.freeze({
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
});

/** For what has no validator, or nobody else's cache may keep: personal data, refusals, the health. */
export const UNCACHED_HEADERS = Object.freeze({ ...SECURITY_HEADERS, 'cache-control': 'no-store' });

/** For pictures, which the developers' own websites show; an SVG opened by itself may style itself and do nothing else. */
export const MEDIA_HEADERS = Object.freeze({
  ...SECURITY_HEADERS,
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
});

/** For the reference page, which loads its own files and nothing from elsewhere. */
export const PAGE_HEADERS = Object.freeze({
  ...SECURITY_HEADERS,
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
});
