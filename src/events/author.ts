import type { FastifyRequest } from 'fastify';
import { getPrincipal } from '../access/index.ts';
import type { Author } from './types.ts';

/** Reads who makes a request, as the author of its events. */
export function readAuthor(request: FastifyRequest): Author {
  const { type, id } = getPrincipal(request).actor;
  return { actor: { type, id }, requestId: request.id };
}
