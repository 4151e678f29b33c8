import { setTimeout as sleep } from 'node:timers/promises';
import { attach } from './attach.ts';
import { EmbeddedPostgresError, errorText } from './error.ts';
import { stop } from './postmaster.ts';
import { close, isLastToLeave, type Presence } from './presence.ts';
import type { Server } from './server.ts';

const firstDelayMs = 100;
const longestDelayMs = 5_000;
const goodbyeMs = 1_000;

/**
 * Keeps us among the server's users until released: when the connection is lost, most likely because
 * the server was killed, it comes back in the background, starting the server if need be.
 */
export function keepPresence(server: Server, first: Presence, note: (text: string) => void) {
  const releasing = new AbortController();
  let current: Promise<Presence | null> = Promise.resolve(first);
  let released: Promise<void> | undefined;

  const watch = (presence: Presence) => {
    void presence.ended.then(() => {
      if (!releasing.signal.aborted) current = regain();
    });
  };
  const regain = async () => {
    note('The connection to PostgreSQL was lost; starting it again if need be.');
    const presence = await regainPresence(server, releasing.signal, note);
    if (presence !== null) watch(presence);
    return presence;
  };
  const release = async () => {
    releasing.abort();
    const presence = await current;
    if (presence !== null) await leave(server, presence);
  };

  watch(first);
  return { release: () => (released ??= release()) };
}

/** Tries, at growing distances, until it works or is no longer wanted. */
async function regainPresence(
  server: Server,
  signal: AbortSignal,
  note: (text: string) => void,
): Promise<Presence | null> {
  let delayMs = firstDelayMs;
  let said = '';
  while (!signal.aborted) {
    try {
      return await attach(server, signal);
    } catch (error) {
      if (signal.aborted) break;
      if (said !== errorText(error)) note((said = errorText(error)));
    }
    await sleep(delayMs, undefined, { signal }).catch(() => {});
    delayMs = Math.min(delayMs * 2, longestDelayMs);
  }
  return null;
}

async function leave(server: Server, presence: Presence): Promise<void> {
  try {
    // While we hold the lock exclusively whoever comes waits for it, and starts over when we are done.
    if (await isLastToLeave(presence)) await stop(server);
  } catch (error) {
    // A connection that broke has given the lock back already.
    if (error instanceof EmbeddedPostgresError) throw error;
  } finally {
    close(presence.client);
    await Promise.race([presence.ended, sleep(goodbyeMs, undefined, { ref: false })]);
  }
}
