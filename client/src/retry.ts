import { readRetryAfter } from './problem.ts';

export interface RetryOptions {
  /** How often a request is sent again; 4 by default, 0 for never. */
  retries?: number;
  /** The longest wait before a repeat. An answer that asks for a longer one is an error at once; 60,000 by default. */
  maxDelayMs?: number;
  /** How long an attempt may take until its answer is there; 60,000 by default. */
  timeoutMs?: number;
  /** Sends a request; the `fetch` of the platform by default. */
  fetch?: typeof globalThis.fetch;
  /** Waits before the next attempt, and rejects when the signal aborts; tests give their own. */
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** The options that a single call can override. openapi-fetch puts them on the request of the call. */
export type CallOptions = Pick<RetryOptions, 'retries' | 'timeoutMs'>;

const REPEATABLE_METHODS = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);
/** The service, or a proxy before it, has not handled the request. */
const NOT_BEGUN = new Set([408, 429]);
/** The service may or may not have handled the request. */
const UNCERTAIN = new Set([502, 503, 504]);
const FIRST_DELAY_MS = 250;
const LONGEST_BACK_OFF_MS = 30_000;

/** Makes a `fetch` that retries a request when a repeat is safe and may succeed. */
export function createRetryingFetch(
  options: RetryOptions,
): (request: Request) => Promise<Response> {
  const { maxDelayMs = 60_000, wait = sleep } = options;

  return async (request) => {
    const { retries = options.retries ?? 4, timeoutMs = options.timeoutMs ?? 60_000 } =
      request as CallOptions;
    const { signal } = request;
    for (let attempt = 0; ; attempt++) {
      const outcome = await sendOnce(request, timeoutMs, options.fetch).catch((error: unknown) => ({
        error,
      }));
      const response = outcome instanceof Response ? outcome : undefined;
      const delayMs = chooseDelay(attempt, response, maxDelayMs);
      const isOver = signal.aborted || attempt >= retries || delayMs > maxDelayMs;
      if (isOver || !shouldRepeat(request, response)) {
        if (outcome instanceof Response) return outcome;
        throw outcome.error;
      }
      await response?.body?.cancel();
      await wait(delayMs, signal);
    }
  };
}

/** Sends a request, and reads an answer in JSON whole, so that one that is cut off counts as lost. */
async function sendOnce(
  request: Request,
  timeoutMs: number,
  fetch = globalThis.fetch,
): Promise<Response> {
  const timeout = new AbortController();
  const timer = setTimeout(
    () => timeout.abort(new DOMException('The answer took too long.', 'TimeoutError')),
    timeoutMs,
  );
  try {
    const signal = AbortSignal.any([request.signal, timeout.signal]);
    const response = await fetch(request.clone(), { signal });
    const isJson = /json$|json;/.test(response.headers.get('content-type') ?? '');
    if (!isJson || response.body === null) return response;
    return new Response(await response.arrayBuffer(), response);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether to send a request again after this answer, or after none. */
function shouldRepeat({ method, headers }: Request, response: Response | undefined): boolean {
  if (response !== undefined && NOT_BEGUN.has(response.status)) return true;
  const hasKey = headers.has('idempotency-key');
  if (!hasKey && !REPEATABLE_METHODS.has(method)) return false;
  if (response === undefined || UNCERTAIN.has(response.status)) return true;
  // An earlier attempt with the same key is still running.
  return hasKey && response.status === 409 && response.headers.has('retry-after');
}

function chooseDelay(attempt: number, response: Response | undefined, maxDelayMs: number): number {
  const seconds = response && readRetryAfter(response.headers);
  if (seconds !== undefined) return seconds * 1_000;
  const backOffMs = Math.min(FIRST_DELAY_MS * 2 ** attempt, LONGEST_BACK_OFF_MS, maxDelayMs);
  return backOffMs * (0.5 + Math.random() / 2);
}

/** Waits, and rejects when the signal aborts. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    function abort(): void {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    }
    signal?.addEventListener('abort', abort, { once: true });
  });
}
