import type { FastifyReply, FastifyRequest } from 'fastify';
import { getPrincipal, rateLimited } from '../access/index.ts';
import { BODY_LIMIT_BYTES, unavailable } from '../platform/http/index.ts';

/** How many bytes of bodies of one account may be in flight. */
const ACCOUNT_MAX_BYTES = 64 * 1024 * 1024;
/** How many bytes of bodies of all accounts may be in flight in a process. */
const TOTAL_MAX_BYTES = 4 * ACCOUNT_MAX_BYTES;
/** The memory that a request takes besides its body. */
const REQUEST_BYTES = 4 * 1024;
/** An account may have this many in flight even when the process is full: enough for the longest lead. */
const ACCOUNT_MIN_BYTES = BODY_LIMIT_BYTES + REQUEST_BYTES;
const RETRY_AFTER_MS = 5_000;

/** Limits the memory for the bodies of one account and of all, from the arrival of their first bytes until they are answered. */
export function createBodyLimit() {
  const inFlight = new Map<string, number>();
  const counted = new WeakMap<FastifyRequest, number>();
  let totalBytes = 0;

  function add(accountId: string, bytes: number): void {
    const accountBytes = (inFlight.get(accountId) ?? 0) + bytes;
    if (accountBytes === 0) inFlight.delete(accountId);
    else inFlight.set(accountId, accountBytes);
    totalBytes += bytes;
  }

  return {
    /** A hook before the body is read. A body in chunks counts as the longest allowed one until it has arrived. */
    count: async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const { accountId } = getPrincipal(request);
      const { bodyLimit } = request.routeOptions;
      const length = Number(request.headers['content-length'] ?? bodyLimit);
      // Fastify refuses a longer body without reading it, and a client that has left sends nothing.
      if (length > bodyLimit || reply.raw.destroyed) return;
      const bytes = length + REQUEST_BYTES;
      const accountBytes = (inFlight.get(accountId) ?? 0) + bytes;
      if (accountBytes > ACCOUNT_MAX_BYTES) throw tooManyBytes();
      if (totalBytes + bytes > TOTAL_MAX_BYTES && accountBytes > ACCOUNT_MIN_BYTES)
        throw unavailable('The service receives too many imports at the moment. Send it again.');
      counted.set(request, bytes);
      add(accountId, bytes);
      reply.raw.once('close', () => add(accountId, -(counted.get(request) ?? 0)));
    },

    /** Corrects the count when the body has arrived. */
    correct: (request: FastifyRequest, body: Buffer): void => {
      const before = counted.get(request);
      if (before === undefined) return;
      const bytes = body.length + REQUEST_BYTES;
      counted.set(request, bytes);
      add(getPrincipal(request).accountId, bytes - before);
    },
  };
}

function tooManyBytes(): Error {
  const limit = `${ACCOUNT_MAX_BYTES / 1024 / 1024} MiB`;
  const detail = `An account may send ${limit} of imports at once. Wait for an answer before you send more.`;
  return rateLimited(detail, { resetMs: RETRY_AFTER_MS });
}
