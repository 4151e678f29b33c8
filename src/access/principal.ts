import type { FastifyRequest } from 'fastify';

export type Access = 'read' | 'read-write';

/** Who makes a request: what its API key stands for. */
export interface Caller {
  readonly accountId: string;
  readonly keyId: string;
  readonly access: Access;
  /** The account's stock clock when the key was looked up, in milliseconds; see stocklist/clock.ts. */
  readonly stockClockMs: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until authentication has passed. */
    caller: Caller | null;
  }
}

/** The caller of a request that has passed authentication. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error('nobody has authenticated this request');
  return request.caller;
}
