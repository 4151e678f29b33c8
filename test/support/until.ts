import { setTimeout as sleep } from 'node:timers/promises';

const TIMEOUT_MS = 60_000;
const PAUSE_MS = 25;

/** Waits until the condition is true. Throws an error that quotes the condition after a minute. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const endMs = Date.now() + TIMEOUT_MS; Date.now() < endMs; await sleep(PAUSE_MS))
    if (await condition()) return;
  throw new Error(`not true after ${TIMEOUT_MS / 1_000} s: ${condition.toString()}`);
}
