import type { FastifyReply, FastifyRequest } from 'fastify';
import { getPrincipal } from '../access/index.ts';
import { SAFE_METHODS, type Check, type Server } from '../platform/http/index.ts';
import { createFairQueue } from '../platform/queue/index.ts';

/**
 * A writer keeps its connection while it waits for the lock of its account. More writers of one account would only wait longer, and
 * two accounts must not use all slots.
 */
const WRITES = { slots: 5, slotsPerAccount: 2, maxWaitMs: 30_000 };

/** Makes the routes of a group that write wait for a slot of their account. Call it before the routes are added. */
export function queueWrites(group: Server, authenticate: Check): void {
  const runFair = createFairQueue(WRITES);
  const answered = new WeakMap<FastifyRequest, () => void>();
  group.addHook('onSend', async (request) => answered.get(request)?.());
  group.addHook('onRoute', (route) => {
    const { handler, method, config } = route;
    const isRead = [method].flat().every((each) => SAFE_METHODS.has(each));
    if (isRead || config?.hasSlowBody === true || config?.asksOthers === true) return;

    route.handler = function handleInSlot(request: FastifyRequest, reply: FastifyReply) {
      const answer = Promise.withResolvers<unknown>();
      const isAnswered = Promise.withResolvers<void>();
      answered.set(request, isAnswered.resolve);
      runFair(getPrincipal(request).accountId, async () => {
        // The key may have been revoked meanwhile.
        await authenticate(request, reply);
        answer.resolve(handler.call(group, request, reply));
        // The promise of the handler also waits until the client has read the answer.
        await Promise.race([answer.promise, isAnswered.promise]);
      }).catch(answer.reject);
      return answer.promise;
    };
  });
}
