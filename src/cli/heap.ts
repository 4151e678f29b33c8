import { setFlagsFromString } from 'node:v8';

/*
 * Left alone, V8 lets the garbage of short-lived work grow by a third of a process's memory (an import of a file 307 MB
 * instead of 196, at the same speed), and all of it to several times what is in use (a service that reads batches 276 MB
 * instead of 201). The place for new objects keeps the 4 MB that bin/offplan.js gives it: in 1 MB, V8's least, 32 leads in
 * flight are still alive when it is full, and are copied. So little is collected sooner by one thread than others are
 * woken. To look for garbage in threads of its own, V8 waits for them where PostgreSQL and clients keep them from a
 * processor, for 4 to 20 ms (p99 beside an account that sends leads of 1 MB 17 ms instead of 10).
 */
const FLAGS = [
  '--semi-space-growth-factor=1',
  '--heap-growing-percent=80',
  '--no-parallel-scavenge',
  '--no-concurrent-marking',
];

/** Node cuts small buffers out of larger ones, 64 KB since 24; one that is kept keeps all of its larger one. */
const BUFFER_POOL_BYTES = 8 * 1024;

/** Has V8 collect garbage early, little by little, in the thread that makes it, and small buffers keep little else. */
export function collectEarly(): void {
  Buffer.poolSize = BUFFER_POOL_BYTES;
  for (const flag of FLAGS) setFlagsFromString(flag);
}
