export type { ClockJump } from './clock.ts';
export { createSweeper, type FailedStep } from './sweeper.ts';
