import { LRUCache } from 'lru-cache';

// What an entry takes beside its texts and bytes: the cache's own columns, objects, headers.
const ENTRY_BYTES = 1024;

/**
 * What was used last, within a number of bytes. Nothing in it is ever invalidated: its keys name what
 * never changes, such as an account at one stand of its stock clock.
 */
export function createCache<V extends object>(
  maxBytes: number,
  bytesOf: (value: V) => number,
): LRUCache<string, V> {
  return new LRUCache<string, V>({
    maxSize: maxBytes,
    sizeCalculation: (value, key) => ENTRY_BYTES + textBytes(key) + bytesOf(value),
  });
}

/** The most that a text takes in memory. */
export function textBytes(text: string): number {
  return 2 * text.length;
}

/** Those who want one key at the same time share one build: a herd after a change is one build. */
export function createSharing<V>(): (key: string, build: () => Promise<V>) => Promise<V> {
  const builds = new Map<string, Promise<V>>();
  return (key, build) => {
    const running = builds.get(key);
    if (running !== undefined) return running;
    const started = build().finally(() => builds.delete(key));
    builds.set(key, started);
    return started;
  };
}
