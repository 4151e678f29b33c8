import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Server } from './server.ts';

/** Fields of a header, by their names in lower case. */
export type Fields = Readonly<Record<string, string>>;

declare module 'fastify' {
  interface FastifyRequest {
    /** What is added to the header of its answer, whoever sends that. */
    added: Fields | null;
  }
}

/** Adds to every answer what was added to its request. */
export function sendAddedFields(server: Server): void {
  server.decorateRequest('added', null);
  server.addHook('onSend', (request, reply, payload, done) => {
    if (request.added !== null) reply.headers(request.added);
    done(null, payload);
  });
}

/** Adds to the header of what a request will be answered with. */
export function addFields(request: FastifyRequest, fields: Fields): void {
  request.added = request.added === null ? fields : { ...request.added, ...fields };
}

/** Fields as Node sends them: a name, its value, the next name. */
export type ReadyFields = readonly string[];

export function readyFields(fields: Fields): ReadyFields {
  const ready: string[] = [];
  for (const [name, value] of Object.entries(fields)) ready.push(name, value);
  return ready;
}

/** In pieces, one after the other: texts are sent in UTF-8. */
export type Body = readonly (Buffer | string)[];

/** An answer that is kept. */
export interface Ready {
  status: 200 | 304;
  fields: ReadyFields;
  body?: Body;
}

/**
 * Sends an answer that is kept, together with others: what was asked in one turn of the event loop is answered at its
 * end, since a write that wakes a reader who has gone to sleep takes several times as long as one to a reader at work.
 * Fastify would gather its fields anew for each request, which takes up to a tenth of the time of a small answer.
 */
export function sendReady(reply: FastifyReply, ready: Ready): void {
  const { method, added } = reply.request;
  const { status, fields } = ready;
  const isHead = method === 'HEAD';
  sendRaw(reply.hijack().raw, isHead ? { status, fields } : ready, readyFields(added ?? {}));
}

/** The same where there is no Fastify: see server.ts. */
export function sendRaw(response: ServerResponse, ready: Ready, added: ReadyFields): void {
  if (waiting.push({ response, ready, added }) === 1) setImmediate(sendWaiting);
}

interface Waiting {
  response: ServerResponse;
  ready: Ready;
  added: ReadyFields;
}

let waiting: Waiting[] = [];

function sendWaiting(): void {
  const all = waiting;
  waiting = [];
  for (const each of all) send(each);
}

function send({ response, ready: { status, fields, body }, added }: Waiting): void {
  // The service has given up waiting for it, and answered: see drain.ts.
  if (response.headersSent) return;
  response.writeHead(status, [...fields, ...added]);
  if (body !== undefined && body.length > 1) {
    response.cork();
    for (const piece of body.slice(0, -1)) response.write(piece);
  }
  response.end(body?.at(-1));
}
