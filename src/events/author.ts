import type { FastifyRequest } from 'fastify';
import { getPrincipal, type Caller } from '../access/index.ts';
import { SYSTEM, type Author } from './types.ts';

/** Reads the author of the events that a request causes. */
export function readAuthor(request: FastifyRequest): Author {
  const { type, id } = getPrincipal(request).actor;
  return { actor: { type, id }, requestId: request.id };
}

/** The caller of a service function that writes, for permission checks, and the author of its events. */
export interface Requester {
  caller: Caller;
  author: Author;
}

/** Reads the caller and the author of a request. */
export function readRequester(request: FastifyRequest): Requester {
  return { caller: getPrincipal(request), author: readAuthor(request) };
}

/** The requester of the operator's commands, which may do everything. */
export const OPERATOR: Requester = { caller: null, author: SYSTEM };
