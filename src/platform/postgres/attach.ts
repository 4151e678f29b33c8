import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError, errorCode, errorText } from './error.ts';
import { clearStaleLocks } from './locks.ts';
import { endLaunch, launch, readFailure, type Launch } from './postmaster.ts';
import { takePresence, type Presence } from './presence.ts';
import type { Server } from './server.ts';

const patienceMs = 30_000;
/** A server that says it is starting up or shutting down (57P03) is given longer: after a crash it replays its log. */
const recoveryMsMax = 300_000;
const pauseMs = 25;

/** SQLSTATEs of a server that is coming, going or full. */
const passing = new Set(['57P01', '57P02', '57P03', '53300']);

/**
 * Becomes one of the server's users, starting the server if it does not run. Others may start or
 * stop it at the same moment, so that every step may fail; then everything is looked at anew.
 */
export async function attach(server: Server, signal: AbortSignal): Promise<Presence> {
  const startedMs = Date.now();
  let aliveMs = startedMs;
  let launched: Launch | null = null;
  for (;;) {
    // What we have started we also see through, so that it can be stopped in order.
    if (launched?.hasEnded !== false) signal.throwIfAborted();
    try {
      return await takePresence(server);
    } catch (error) {
      const nowMs = Date.now();
      if (isBusy(error) && nowMs - startedMs < recoveryMsMax) aliveMs = nowMs;
      const mayWait = nowMs - aliveMs < patienceMs;
      if (!isPassing(error, mayWait)) throw giveUp(error, server, launched);
      if (isNobodyThere(error)) launched = await ensureLaunched(server, launched, mayWait);
    }
    await sleep(pauseMs);
  }
}

function isBusy(error: unknown): boolean {
  return errorCode(error) === '57P03';
}

function isNobodyThere(error: unknown): boolean {
  return ['ENOENT', 'ECONNREFUSED'].includes(errorCode(error) ?? '');
}

/** Whether the next try may go better; not so after a clear answer, or after too long a wait. */
function isPassing(error: unknown, mayWait: boolean): boolean {
  const code = errorCode(error) ?? '';
  const isAnswer = /^[0-9A-Z]{5}$/.test(code) && !code.startsWith('E');
  if (error instanceof EmbeddedPostgresError) return false;
  return isAnswer ? mayWait && passing.has(code) : mayWait || isNobodyThere(error);
}

function giveUp(error: unknown, server: Server, launched: Launch | null): EmbeddedPostgresError {
  // A server that refuses us is of no use to anyone; one that is busy may be ready for the next.
  if (launched?.hasEnded === false && !isBusy(error)) endLaunch(launched);
  if (error instanceof EmbeddedPostgresError) return error;
  const reason =
    errorCode(error) === '58P01'
      ? 'it has lost its files and ends by itself within a minute: try again then.'
      : errorText(error);
  return new EmbeddedPostgresError(
    `The embedded PostgreSQL in ${server.cluster} cannot be used: ${reason}`,
  );
}

/** Starts a server, unless ours is still on its way or someone else's is coming or going. */
async function ensureLaunched(
  server: Server,
  launched: Launch | null,
  mayWait: boolean,
): Promise<Launch | null> {
  if (mayWait && launched?.hasEnded === false) return launched;
  if (launched !== null) await assertMayRetry(server, launched, mayWait);
  if (await clearStaleLocks(server)) return launch(server);
  if (mayWait) return null;
  throw new EmbeddedPostgresError(
    `A PostgreSQL runs on ${server.cluster} (see its postmaster.pid) but does not answer in ${server.socketFolder}: stop it.`,
  );
}

/**
 * A server that finds another one, or the dying processes of one that was killed, gives up, and one whose last user was
 * faster than we is shut down in order; we try again. Any other reason stays.
 */
async function assertMayRetry(server: Server, launched: Launch, mayWait: boolean): Promise<void> {
  const reason = await readFailure(server, launched);
  if (mayWait && /lock file|shared memory block|database system is shut down/.test(reason)) return;
  throw new EmbeddedPostgresError(`The embedded PostgreSQL does not start: ${reason}`);
}
