import { mock } from 'node:test';

/** A change by another process takes effect within this time: the service caches look-ups for so long. */
export const LOOK_UP_CACHED_MS = 250;

const now = performance.now.bind(performance);
let aheadMs = 0;
mock.method(performance, 'now', () => now() + aheadMs);

/**
 * Moves this process's monotonic clock forward, so that what the service caches expires without a wait. The clock never
 * goes back: what one test cached must not live longer in the next.
 */
export function passTime(ms: number): void {
  aheadMs += ms;
}
