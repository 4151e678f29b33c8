import { SECURITY_HEADERS } from '../platform/http/index.ts';

const YEAR_SECONDS = 31_536_000;

interface Origins {
  publicUrl: string;
  mediaBaseUrl: string;
}

/** Makes the headers of the shell: a page that runs its own files only, and makes no HTML from text. */
export function makeShellHeaders(
  { publicUrl, mediaBaseUrl }: Origins,
  styleHashes: string[],
): Record<string, string> {
  const mediaOrigins = new Set([publicUrl, mediaBaseUrl].map((url) => new URL(url).origin));
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    ["style-src 'self'", ...styleHashes].join(' '),
    ["img-src 'self' data: blob:", ...mediaOrigins].join(' '),
    "connect-src 'self'",
    "font-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return {
    ...SECURITY_HEADERS,
    'content-security-policy': policy.join('; '),
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    // The proxy ends TLS, and may set it, too.
    ...(publicUrl.startsWith('https:') && {
      'strict-transport-security': `max-age=${YEAR_SECONDS}`,
    }),
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
  };
}
