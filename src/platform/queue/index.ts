export { createBatcher } from './batcher.ts';
export { createFairQueue } from './fair-queue.ts';
export { sharePool, type GetPool } from './shared-pool.ts';
