import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Server } from './server.ts';

/** Fields of a header, by their names in lower case. */
export type Fields = Readonly<Record<string, string>>;

const ADDED = 'added';

/** Begins what every answer says in its header with the request's id. To be called before any hook is added. */
export function sendRequestIds(server: Server): void {
  server.decorateRequest(ADDED, null);
  server.addHook('onRequest', (request, _reply, done) => {
    request.setDecorator(ADDED, { 'x-request-id': request.id });
    done();
  });
  server.addHook('onSend', (request, reply, payload, done) => {
    reply.headers(addedTo(request));
    done(null, payload);
  });
}

/** Adds to the header of what a request will be answered with, whoever sends it. */
export function addFields(request: FastifyRequest, fields: Fields): void {
  Object.assign(addedTo(request), fields);
}

function addedTo(request: FastifyRequest): Record<string, string> {
  return request.getDecorator(ADDED);
}

/** Fields as Node sends them: a name, its value, the next name. */
export type ReadyFields = readonly string[];

export function readyFields(fields: Fields): ReadyFields {
  return Object.entries(fields).flat();
}

/**
 * Sends an answer that is kept, together with others: what was asked in one turn of the event loop is answered at its
 * end, since a write that wakes a reader who has gone to sleep takes several times as long as one to a reader at work.
 * Fastify would gather its fields anew for each request, which takes up to a tenth of the time of a small answer.
 */
export function sendReady(reply: FastifyReply, ready: ReadyFields, body?: Buffer): void {
  setImmediate(() => {
    const { raw, request } = reply.hijack();
    const fields = ready.slice();
    const added = addedTo(request);
    for (const name in added) fields.push(name, added[name] ?? '');
    raw.writeHead(raw.statusCode, fields);
    raw.end(request.method === 'HEAD' ? undefined : body);
  });
}
