import { setFlagsFromString } from 'node:v8';

/**
 * Keeps the garbage of short-lived work small: left alone, V8 lets it grow by a third of a process's memory (an
 * import of a file 307 MB instead of 196, at the same speed; a service under everything 461 instead of 360). One thread
 * collects it: that little is collected sooner than other threads are woken and waited for (eight leads in flight: 5 %
 * more of them, their p99 5.6 ms instead of 7.1).
 */
export function keepYoungHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--no-parallel-scavenge');
}
