import { mock } from 'node:test';

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

/** Lets every cached look-up expire. */
export function expireLookUps(): void {
  passTime(LOOK_UP_CACHED_MS + 1);
}

/**
 * Moves the wall clock of this process, which then stands still, and lets every cached look-up expire. Call `mock.timers.reset` after
 * the test.
 */
export function moveClock(ms: number): void {
  moveClockTo(Date.now() + ms);
}

/** As `moveClock`, to a time in milliseconds since 1970. */
export function moveClockTo(now: number): void {
  mock.timers.reset();
  mock.timers.enable({ apis: ['Date'], now });
  expireLookUps();
}
