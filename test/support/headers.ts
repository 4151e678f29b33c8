import assert from 'node:assert/strict';

/** The headers of every answer with a body, unless a test says otherwise. */
export const SECURITY = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** Headers that would name the software behind an answer, or let other origins read it. */
const UNWANTED = /^(server|via|x-powered-by|access-control-.*|set-cookie)$/;

/** Asserts that an answer has these headers, and none of the unwanted ones. */
export function assertHeaders(
  headers: Record<string, unknown>,
  expected: Record<string, string | undefined>,
): void {
  const found = Object.fromEntries(Object.keys(expected).map((name) => [name, headers[name]]));
  assert.deepEqual(found, expected);
  assert.deepEqual(
    Object.keys(headers).filter((name) => UNWANTED.test(name)),
    [],
  );
}
