export { createBatcher } from './batcher.ts';
export { createFairQueue } from './fair-queue.ts';
