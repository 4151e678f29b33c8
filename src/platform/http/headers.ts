/**
 * The headers of every answer with a body. A browser must not run, frame, or guess the type of an answer, nor send its URL as a
 * referrer. A 304 has none of them: the client keeps the headers that came with the body (RFC 9110, 15.4.5). The proxy that ends
 * TLS sets Strict-Transport-Security.
 */
export const SECURITY_HEADERS = Object.freeze({
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
});

/** The headers of answers that no cache may store: personal data, problems, health. */
export const UNCACHED_HEADERS = Object.freeze({ ...SECURITY_HEADERS, 'cache-control': 'no-store' });

/** The headers of pictures, which other websites show. An SVG that is opened by itself may use styles and no scripts. */
export const MEDIA_HEADERS = Object.freeze({
  ...SECURITY_HEADERS,
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
});

/** The headers of the reference page, which loads files from this server only. */
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

/** Counts the fields with this name, in lower case. Node.js drops all but the first of some fields, such as Authorization. */
export function countFields(rawHeaders: string[], name: string): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const field = rawHeaders[at] ?? '';
    if (field.length === name.length && field.toLowerCase() === name) count += 1;
  }
  return count;
}
