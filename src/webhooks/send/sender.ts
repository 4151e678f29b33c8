import type { ClientRequest, IncomingMessage } from 'node:http';
import https from 'node:https';
import { checkAddress } from './address.ts';
import { lookUpPublic } from './look-up.ts';

// An import would read the lazy exports of node:http, and so load the fetch client of Node.js.
const http = process.getBuiltinModule('node:http');

/** How much of an answer is read, for the log of deliveries. */
const RESPONSE_MAX_BYTES = 4_096;
/** Shorter than the keep-alive time of common servers, so that few requests use a connection that the server is closing. */
const IDLE_CONNECTION_MS = 4_000;

interface Delivery {
  url: string;
  body: string | Buffer;
  headers: Record<string, string>;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** The result of one attempt to deliver. */
export interface SendResult {
  /** null when no answer came. */
  status: number | null;
  ms: number;
  /** Why the delivery failed; null for an answer 2xx. */
  error: string | null;
  responseStart: string;
  retryAfterSeconds: number | null;
}

/** Sends deliveries to endpoints. */
export interface Sender {
  send(delivery: Delivery): Promise<SendResult>;
  close(): void;
}

/** Creates the sender of deliveries. It reuses connections, and follows no redirects. */
export function makeSender({ allowPrivate }: { allowPrivate: boolean }): Sender {
  const options = { keepAlive: true, timeout: IDLE_CONNECTION_MS };
  const agents = { http: new http.Agent(options), https: new https.Agent(options) };

  function openRequest({ url, body, headers }: Delivery, signal: AbortSignal) {
    const isPlain = new URL(url).protocol === 'http:';
    return (isPlain ? http : https).request(url, {
      method: 'POST',
      agent: isPlain ? agents.http : agents.https,
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      signal,
      ...(!allowPrivate && { lookup: lookUpPublic }),
    });
  }

  async function exchange(delivery: Delivery, signal: AbortSignal): Promise<Answer> {
    const request = openRequest(delivery, signal);
    // Without a listener, an error while the body of the answer arrives would end the process.
    request.on('error', () => undefined);
    request.end(delivery.body);
    try {
      const response = await waitForResponse(request);
      return toAnswer(response, await readStart(response));
    } catch (error) {
      // The receiver closed an idle connection while the request was on its way.
      if (request.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET')
        return exchange(delivery, signal);
      throw error;
    }
  }

  return {
    async send(delivery) {
      const started = performance.now();
      const timeout = AbortSignal.timeout(delivery.timeoutMs);
      const signal = delivery.signal ? AbortSignal.any([delivery.signal, timeout]) : timeout;
      const fault = checkAddress(delivery.url, { allowPrivate });
      const answer: Answer | string =
        fault === null
          ? await exchange(delivery, signal).catch((error: Error) =>
              timeout.aborted
                ? `no answer in ${delivery.timeoutMs / 1000} s`
                : describeFault(error, delivery.url),
            )
          : `the address ${fault}`;
      const ms = Math.round(performance.now() - started);
      return typeof answer === 'string' ? { ...NO_ANSWER, ms, error: answer } : { ...answer, ms };
    },
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

/**
 * Waits for the head of the answer. A receiver that switches to another protocol (101) sends none: Node.js detaches the
 * connection, and neither an error nor the signal would end the wait.
 */
function waitForResponse(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    request.once('error', reject);
    request.once('upgrade', (_response, socket) => {
      socket.destroy();
      reject(new Error('answered 101, which switches to another protocol'));
    });
  });
}

/** The meaning of error codes of Node.js for the host of an endpoint. */
const FAULTS: Record<string, string> = {
  ENOTFOUND: 'was not found',
  ENODATA: 'has no address',
  ETIMEOUT: 'was not found: the name server did not answer',
  EAI_AGAIN: 'was not found: the name server did not answer',
  ECONNREFUSED: 'refuses connections',
  ECONNRESET: 'closed the connection',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
  ETIMEDOUT: 'does not accept connections',
  CERT_HAS_EXPIRED: 'has a certificate that has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'has a self-signed certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'has a certificate of an authority that this server does not trust',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'has a certificate of an authority that this server does not trust',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'does not send the intermediate certificate, or its authority is not trusted',
};

/** Says in words why no answer came. The message of an error of a connection to several addresses is empty. */
function describeFault({ code = '', message }: NodeJS.ErrnoException, url: string): string {
  const fault = FAULTS[code];
  if (fault !== undefined) return `the host ${new URL(url).hostname} ${fault}`;
  return message === '' ? code : message;
}

type Answer = Omit<SendResult, 'ms'>;

const NO_ANSWER = { status: null, responseStart: '', retryAfterSeconds: null };

function toAnswer({ statusCode = 0, headers }: IncomingMessage, start: Buffer): Answer {
  const isRedirect = statusCode >= 300 && statusCode < 400;
  const error = `answered ${statusCode}${isRedirect ? '; redirects are not followed' : ''}`;
  return {
    status: statusCode,
    error: statusCode >= 200 && statusCode < 300 ? null : error,
    // PostgreSQL stores no zero bytes.
    responseStart: start.toString().replaceAll('\0', '\uFFFD'),
    retryAfterSeconds: readRetryAfter(headers['retry-after']),
  };
}

/** Reads the first bytes of an answer and closes its connection when more follow. */
async function readStart(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > RESPONSE_MAX_BYTES) break;
    }
  } catch {
    // The status counts, even when the rest of the body does not arrive.
  }
  return Buffer.concat(chunks).subarray(0, RESPONSE_MAX_BYTES);
}

/** The header `Retry-After` in seconds: a number, or a date. */
function readRetryAfter(text = ''): number | null {
  if (/^\d+$/.test(text)) return Number(text);
  // `Date.parse` takes nearly any text for a date.
  if (!text.endsWith(' GMT')) return null;
  const seconds = Math.ceil((Date.parse(text) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? null : Math.max(seconds, 0);
}
