import { setFlagsFromString } from 'node:v8';

/**
 * Keeps the garbage of short-lived work small: left alone, V8 lets it grow by a third of a process's memory (an
 * import of a file 360 MB instead of 228, at the same speed; a service under everything 461 instead of 360).
 */
export function keepYoungHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
