export { hasNoLease, runWithLease } from './lease.ts';
export { createWorker, type Worker } from './worker.ts';
