import rateLimit from '@fastify/rate-limit';
import { callerOf } from './caller.ts';
import { Problem } from './problems.ts';
import type { Server } from './server.ts';

const WINDOW_MS = 60_000;

/** Limits the requests that one API key may make in a minute. To be registered after authentication. */
export async function limitRequests(server: Server, perMinute: number): Promise<void> {
  await server.register(rateLimit, {
    max: perMinute,
    timeWindow: WINDOW_MS,
    hook: 'preParsing',
    keyGenerator: (request) => callerOf(request).keyId,
    errorResponseBuilder: (_request, { ttl }) =>
      new Problem('rate_limited', `This API key may make ${perMinute} requests a minute.`, {
        headers: { 'retry-after': String(Math.ceil(ttl / 1000)) },
      }),
  });
}
