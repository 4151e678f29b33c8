import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../http/caller.ts';
import { rateLimited } from '../http/limits/hooks.ts';
import { createTurns, type Presence, type TakeTurn } from '../turns.ts';

/** What a body up to this length takes is nothing that others wait for. */
export const SHORT_BODY_BYTES = 32 * 1024;
/** How fast longer ones of one account begin to be received: a MB is some milliseconds of work. */
const RECEIVED_BYTES_PER_MS = { alone: 25_000, besideOthers: 8_000 };
/** How fast they are read beside others: a MB is 40 ms of work, here and in PostgreSQL. */
const READ_BYTES_PER_MS = 2_500;
/** How much of one account is held at once: what has begun to arrive and has not been read. */
const HELD_BYTES_MAX = 128 * 1024 * 1024;
const RETRY_AFTER_MS = 5_000;

const ONE_AT_A_TIME = { lanes: Infinity, lanesOfAccount: 1 };

/** What is held of one request. */
interface Held {
  accountId: string;
  bytes: number;
  /** Whether whoever reads it lets go of it, and not the connection when that ends. */
  isBeingRead: boolean;
}

/** Takes long bodies in, so that the many or long ones of one account neither hold up others nor fill the memory. */
export function createIntake(presence: Presence) {
  const takeBeginningTurn = createTurns(ONE_AT_A_TIME);
  const takeBytesTurn = createTurns(ONE_AT_A_TIME);
  const requests = new WeakMap<FastifyRequest, Held>();
  const bytesOf = new Map<string, number>();

  function receivingMs(accountId: string, bytes: number): number {
    const { alone, besideOthers } = RECEIVED_BYTES_PER_MS;
    return bytes / (presence.hasOthersThan(accountId) ? besideOthers : alone);
  }

  function resize(held: Held, bytes: number): void {
    const all = (bytesOf.get(held.accountId) ?? 0) + bytes - held.bytes;
    held.bytes = bytes;
    if (all === 0) bytesOf.delete(held.accountId);
    else bytesOf.set(held.accountId, all);
  }

  /** A hook before the body is received. Only the beginning is waited for: who sends slowly holds up nobody. */
  async function begin(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { accountId } = callerOf(request);
    const { bodyLimit } = request.routeOptions;
    const length = request.headers['content-length'];
    // Chunks do not say how many there will be.
    const bytes = length === undefined ? bodyLimit : Number(length);
    // What is too long is not received, and who left while the key was looked up does not leave again.
    if (bytes <= SHORT_BODY_BYTES || bytes > bodyLimit || reply.raw.destroyed) return;
    if ((bytesOf.get(accountId) ?? 0) + bytes > HELD_BYTES_MAX) throw tooMuch();
    const held = { accountId, bytes: 0, isBeingRead: false };
    resize(held, bytes);
    requests.set(request, held);
    reply.raw.once('close', () => {
      if (!held.isBeingRead) resize(held, 0);
    });
    if (length !== undefined)
      await pace(takeBeginningTurn, accountId, () =>
        reply.raw.destroyed ? 0 : receivingMs(accountId, bytes),
      );
  }

  /** Notes how long a body is that is there. */
  function arrived(request: FastifyRequest, { length }: Buffer): void {
    const held = requests.get(request);
    if (held === undefined || held.bytes === length) return;
    resize(held, length);
    // It came in chunks, and at once: the next ones wait for it.
    void pace(takeBeginningTurn, held.accountId, () => receivingMs(held.accountId, length));
  }

  /** Does what a body that is there is needed for, and then lets go of it. */
  async function holding<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
    const held = requests.get(request);
    if (held === undefined) return work();
    held.isBeingRead = true;
    try {
      return await work();
    } finally {
      resize(held, 0);
    }
  }

  /** Waits until a body that is there may be read. */
  async function turnOf(accountId: string, { length }: Buffer): Promise<void> {
    if (length <= SHORT_BODY_BYTES) return;
    await pace(takeBytesTurn, accountId, () =>
      presence.hasOthersThan(accountId) ? length / READ_BYTES_PER_MS : 0,
    );
  }

  return { begin, arrived, holding, turnOf };
}

function tooMuch(): Error {
  const most = `${HELD_BYTES_MAX / 1024 / 1024} MiB`;
  const detail = `An account may send ${most} of imports at once; send what is left when some of these are answered.`;
  return rateLimited(detail, { resetMs: RETRY_AFTER_MS });
}

/** Waits for the account's turn, which lasts for as long as is said when it begins. */
function pace(takeTurn: TakeTurn, accountId: string, lastingMs: () => number): Promise<void> {
  return new Promise((begin) => {
    void takeTurn(accountId, async () => {
      begin();
      const ms = lastingMs();
      if (ms >= 1) await sleep(ms);
    });
  });
}
