import type { FastifyReply } from 'fastify';
import { UNCACHED_HEADERS } from '../platform/http/index.ts';

/** Sends a 204 that no cache may store. */
export function sendNothing(reply: FastifyReply): FastifyReply {
  return reply.code(204).headers(UNCACHED_HEADERS).send();
}
