import type { FastifyReply, FastifyRequest } from 'fastify';
import { getPrincipal, rateLimited } from '../access/index.ts';

/** How many bytes of bodies of one account may be in flight. */
const ACCOUNT_MAX_BYTES = 64 * 1024 * 1024;
/** The memory that a request takes besides its body. */
const REQUEST_BYTES = 4 * 1024;
const RETRY_AFTER_MS = 5_000;

/** Limits the memory for the bodies of one account, from the arrival of their first bytes until they are answered. */
export function createBodyLimit() {
  const inFlight = new Map<string, number>();
  const counted = new WeakMap<FastifyRequest, number>();

  function add(accountId: string, bytes: number): void {
    const total = (inFlight.get(accountId) ?? 0) + bytes;
    if (total === 0) inFlight.delete(accountId);
    else inFlight.set(accountId, total);
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
      if ((inFlight.get(accountId) ?? 0) + bytes > ACCOUNT_MAX_BYTES) throw tooManyBytes();
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
