export { createBatcher } from './batcher.ts';
export { createFairQueue } from './fair-queue.ts';
export { sharePool, type PoolShare } from './shared-pool.ts';
