import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 20_000;
const EVERY_MS = 25;

/** Waits until something is so, and fails when it does not come to that. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const endMs = Date.now() + PATIENCE_MS; Date.now() < endMs; await sleep(EVERY_MS))
    if (await condition()) return;
  throw new Error('it did not come to that');
}
