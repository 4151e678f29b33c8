import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { getInstance } from './errors.ts';
import { invalidRequest, Problem } from './problems.ts';

/** A resource that has a version. `etag` is also the text of the header. */
export interface Versioned {
  etag: string;
}

/** Formats the ETag of a row: the number of its version. */
export function formatEtag(version: number): string {
  return `"${version}"`;
}

/** Makes the ETag of a body. It is weak, since it is the same for each content coding of the body. */
export function makeEtag(bytes: Buffer): string {
  return `W/"${hash('sha256', bytes, 'base64url')}"`;
}

/** Whether an If-None-Match header names this ETag, by the weak comparison of RFC 9110, 8.8.3.2. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header === etag || header.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  const named: string[] = header.match(/"[^"]*"/g) ?? [];
  return named.includes(opaque);
}

/** Sends a resource and its ETag. A GET whose If-None-Match names this version gets a 304. */
export function sendResource(
  request: FastifyRequest,
  reply: FastifyReply,
  resource: Versioned,
): FastifyReply {
  reply.header('etag', resource.etag);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (isRead && matchesEtag(request.headers['if-none-match'], resource.etag))
    return reply.code(304).send();
  return reply.send(resource);
}

/**
 * Sends a resource that the request has created. Its URL is below the path of the request, unless `path` names another. A repeat
 * by an Idempotency-Key gets the same answer.
 */
export function sendCreated(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    resource,
    isRepeat = false,
    path = getInstance(request),
  }: { resource: Versioned & { id: string }; isRepeat?: boolean; path?: string },
): FastifyReply {
  if (isRepeat) reply.header('idempotent-replayed', 'true');
  reply.code(201).header('location', `${path}/${resource.id}`);
  return sendResource(request, reply, resource);
}

/** The versions that an If-Match header names: any, or those with these ETags. */
export type IfMatch = '*' | string[];

const ETAG_LIST = /^\s*(?:W\/)?"[^"]*"\s*(?:,\s*(?:W\/)?"[^"]*"\s*)*$/;

/**
 * Reads the If-Match header. Without one, any version matches. A proxy that compresses answers may have marked an ETag as weak
 * (`W/"7"`), so the mark is ignored.
 */
export function readIfMatch({ headers }: FastifyRequest): IfMatch {
  const header = headers['if-match'];
  if (header === undefined || header.trim() === '*') return '*';
  if (ETAG_LIST.test(header)) return header.match(/"[^"]*"/g) ?? [];
  const detail = 'If-Match must be the ETag of the resource, with its quotes, such as "7".';
  throw invalidRequest([{ header: 'If-Match', detail }]);
}

/** Throws a 412 with the resource unless If-Match names its version. The caller has locked the row. */
export function requireMatch(ifMatch: IfMatch, current: Versioned): void {
  if (ifMatch === '*' || ifMatch.includes(current.etag)) return;
  const detail =
    'The resource has changed since the version in If-Match; current is the resource as it is now.';
  throw new Problem('precondition_failed', detail, { etag: current.etag, current });
}
