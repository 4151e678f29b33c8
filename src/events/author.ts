import type { FastifyRequest } from 'fastify';
import { getPrincipal, type Caller } from '../access/index.ts';
import { SYSTEM, type Author } from './types.ts';

/** Reads who makes a request, as the author of its events. */
export function readAuthor(request: FastifyRequest): Author {
  const { type, id } = getPrincipal(request).actor;
  return { actor: { type, id }, requestId: request.id };
}

/** The one who asks a service to write: what they may do, and the author of the events. */
export interface Requester {
  caller: Caller;
  author: Author;
}

/** Reads who makes a request, for a service that checks what they may do. */
export function readRequester(request: FastifyRequest): Requester {
  return { caller: getPrincipal(request), author: readAuthor(request) };
}

/** A command of the operator, who may do everything. */
export const OPERATOR: Requester = { caller: null, author: SYSTEM };
