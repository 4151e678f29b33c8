import { setTimeout as sleep } from 'node:timers/promises';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { principalOf, rateLimited } from '../access/index.ts';
import { createTurns, type Presence, type TakeTurn } from '../platform/queue/index.ts';

/** What a body up to this length takes is nothing that others wait for. */
export const SHORT_BODY_BYTES = 32 * 1024;
/** How fast longer ones of one account begin to be received: a MB is some milliseconds of work. */
const RECEIVED_BYTES_PER_MS = { alone: 25_000, besideOthers: 8_000 };
/** How fast they are read beside others: a MB is 40 ms of work, here and in PostgreSQL. */
const READ_BYTES_PER_MS = 2_500;
/**
 * How much of one account is held at once: long bodies that have begun to arrive and have not been read, and short ones
 * until they are answered. Beside others the last of it begins to be received after 8 seconds, and has to be there after 12.
 */
const HELD_BYTES_MAX = 64 * 1024 * 1024;
/** What a request takes beside its body. */
const REQUEST_BYTES = 4 * 1024;
/** A body that says no length is waited for by the next ones while so much of it comes in so long. */
const QUICK = { bytes: 16 * 1024, ms: 5 };
const RETRY_AFTER_MS = 5_000;

const ONE_AT_A_TIME = { lanes: Infinity, lanesOfAccount: 1 };

/** What is held of one request. */
interface Held {
  accountId: string;
  bytes: number;
  /** Whether whoever reads it lets go of it, and not the connection when that ends. */
  isBeingRead: boolean;
  /** Whether nobody knows how long it is until it is there. */
  isInChunks: boolean;
  isThere: boolean;
  /** Called when a body is there that the next ones wait for. */
  onThere: (() => void) | null;
}

/** Takes bodies in, so that the many or long ones of one account neither hold up others nor fill the memory. */
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
    const { accountId } = principalOf(request);
    const { bodyLimit } = request.routeOptions;
    const length = request.headers['content-length'];
    // Chunks do not say how many there will be.
    const bytes = length === undefined ? bodyLimit : Number(length);
    // What is too long is not received, and who left while the key was looked up does not leave again.
    if (bytes > bodyLimit || reply.raw.destroyed) return;
    if ((bytesOf.get(accountId) ?? 0) + bytes + REQUEST_BYTES > HELD_BYTES_MAX) throw tooMuch();
    const held: Held = {
      accountId,
      bytes: 0,
      isBeingRead: false,
      isInChunks: length === undefined,
      isThere: false,
      onThere: null,
    };
    resize(held, bytes + REQUEST_BYTES);
    requests.set(request, held);
    reply.raw.once('close', () => {
      if (!held.isBeingRead) resize(held, 0);
    });
    if (bytes <= SHORT_BODY_BYTES) return;
    await pace(takeBeginningTurn, accountId, async () => {
      if (held.isInChunks) await arrival(held, request.raw.socket);
      const isCharged = held.isThere || !held.isInChunks;
      return isCharged && !reply.raw.destroyed ? receivingMs(accountId, held.bytes) : 0;
    });
  }

  /** Waits for a body that comes in chunks as long as it comes quickly. */
  async function arrival(held: Held, socket: Socket): Promise<void> {
    let bytesBefore = -Infinity;
    while (!held.isThere && socket.bytesRead - bytesBefore >= QUICK.bytes) {
      bytesBefore = socket.bytesRead;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, QUICK.ms);
        held.onThere = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    held.onThere = null;
  }

  /** Notes how long a body is that is there. */
  function arrived(request: FastifyRequest, { length }: Buffer): void {
    const held = requests.get(request);
    if (held === undefined || !held.isInChunks) return;
    resize(held, length + REQUEST_BYTES);
    held.isThere = true;
    if (held.onThere !== null) return held.onThere();
    // It came in chunks, and slowly: the next ones wait for it now.
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
function pace(
  takeTurn: TakeTurn,
  accountId: string,
  lastingMs: () => number | Promise<number>,
): Promise<void> {
  return new Promise((begin) => {
    void takeTurn(accountId, async () => {
      begin();
      const ms = await lastingMs();
      if (ms >= 1) await sleep(ms);
    });
  });
}
