/** How long the service caches look-ups. A change by another process takes effect within this time. */
export const LOOK_UP_CACHED_MS = 250;

const now = performance.now.bind(performance);
let aheadMs = 0;
performance.now = () => now() + aheadMs;

/**
 * Moves the monotonic clock of this process forward, so that entries of caches expire without a wait. It never moves the clock
 * back: otherwise an entry that one test cached would live longer in the next test.
 */
export function passTime(ms: number): void {
  aheadMs += ms;
}
