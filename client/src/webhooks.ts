import type { Event } from './events.ts';

const SECRET_PREFIX = 'whsec_';
const SIGNATURE_PREFIX = 'v1,';
const TOLERANCE_S = 300;

/** The headers of a request, as `fetch` and Node.js have them. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Record<string, string | string[] | undefined>;

export interface VerifyOptions {
  /** The largest difference between the time of the delivery and the clock of this machine; 300 seconds by default. */
  toleranceSeconds?: number;
}

/**
 * Why a request is not a delivery that was signed with the secret:
 * - `header_missing`: it has no `webhook-id`, `webhook-timestamp` or `webhook-signature`
 * - `timestamp_invalid`, `timestamp_out_of_range`: somebody may have recorded an old delivery and sent it again
 * - `signature_mismatch`: another secret, or another body
 * - `body_invalid`: the signature is right, and the body is not JSON
 */
export type WebhookFault =
  | 'header_missing'
  | 'timestamp_invalid'
  | 'timestamp_out_of_range'
  | 'signature_mismatch'
  | 'body_invalid';

/** A request that is refused. Answer it with 400, and do not use its body. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly code: WebhookFault;

  constructor(code: WebhookFault, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Checks that Offplan sent a request, and returns its event. The body is the text or the bytes as they arrived: JSON that was
 * parsed and written again has another signature. Several secrets are those of a rotation; one must match.
 */
export async function verifyWebhook(
  secrets: string | string[],
  headers: WebhookHeaders,
  body: string | Uint8Array | ArrayBuffer,
  { toleranceSeconds = TOLERANCE_S }: VerifyOptions = {},
): Promise<Event> {
  const id = readHeader(headers, 'webhook-id');
  const timestamp = readHeader(headers, 'webhook-timestamp');
  const signatures = readHeader(headers, 'webhook-signature');
  checkTimestamp(timestamp, toleranceSeconds);

  const bytes = typeof body === 'string' ? encode(body) : new Uint8Array(body);
  const signed = join(encode(`${id}.${timestamp}.`), bytes);
  if (!(await isSigned([secrets].flat(), signatures, signed)))
    throw new WebhookError(
      'signature_mismatch',
      'No signature in webhook-signature is right: the secret is that of another webhook, or the body is not as it arrived.',
    );
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Event;
  } catch {
    throw new WebhookError('body_invalid', 'The body is not JSON.');
  }
}

function readHeader(headers: WebhookHeaders, name: string): string {
  const value =
    typeof headers.get === 'function'
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookError('header_missing', `The request has no header ${name}.`);
}

function checkTimestamp(text: string, toleranceSeconds: number): void {
  if (!/^\d{1,12}$/.test(text))
    throw new WebhookError('timestamp_invalid', 'webhook-timestamp is not a number of seconds.');
  const distance = Math.abs(Date.now() / 1_000 - Number(text));
  if (distance > toleranceSeconds)
    throw new WebhookError(
      'timestamp_out_of_range',
      `webhook-timestamp is ${Math.round(distance)} seconds away from the time here.`,
    );
}

/** Whether one of the signatures is that of one of the secrets. Web Crypto compares them in constant time. */
async function isSigned(
  secrets: string[],
  signatures: string,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const expected = signatures
    .split(' ')
    .filter((text) => text.startsWith(SIGNATURE_PREFIX))
    .map((text) => decodeBase64(text.slice(SIGNATURE_PREFIX.length)));
  for (const secret of secrets) {
    const key = await importKey(secret);
    for (const signature of expected)
      if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed))) return true;
  }
  return false;
}

function importKey(secret: string) {
  const key = secret.startsWith(SECRET_PREFIX) && decodeBase64(secret.slice(SECRET_PREFIX.length));
  if (!key || key.length === 0)
    throw new TypeError('A secret of a webhook is whsec_ and base64, as Offplan showed it.');
  return crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/** Decodes base64. `atob` alone takes a text without its padding, or with spaces in it, too. */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length % 4 !== 0 || /\s/.test(text)) return undefined;
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

function join(start: Uint8Array, end: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(start.length + end.length);
  all.set(start);
  all.set(end, start.length);
  return all;
}
