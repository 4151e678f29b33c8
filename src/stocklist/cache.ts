import { LRUCache } from 'lru-cache';

// What an entry takes beside its texts and bytes: the cache's own columns, objects, headers.
const ENTRY_BYTES = 1024;

// The most that entries read a second time may take; what is new has at least the rest.
const HOT_SHARE = 0.8;

export interface Cache<V> {
  /** What all entries take. */
  readonly bytes: number;
  get(key: string): V | undefined;
  /** The same, by who goes on with what it is reading: that makes nothing hot. */
  look(key: string): V | undefined;
  /** What takes the place of a hot entry is hot. */
  set(key: string, value: V): void;
}

/**
 * What was used last, within a number of bytes. What is read a second time is hot and gives way to nothing
 * that is read once, so that a scan of everything pushes no hot entry out; the hot entry that was read
 * longest ago becomes as good as new. Nothing is ever invalidated: a key names what never changes, such as
 * an account at one stand of its stock clock, or its value says at which stand it was true.
 */
export function createCache<V extends object>(
  maxBytes: number,
  bytesOf: (value: V) => number,
): Cache<V> {
  const sizeCalculation = (value: V, key: string): number =>
    ENTRY_BYTES + textBytes(key) + bytesOf(value);
  const fresh = new LRUCache<string, V>({ maxSize: maxBytes, sizeCalculation });
  const hot = new LRUCache<string, V>({
    maxSize: Math.floor(maxBytes * HOT_SHARE),
    sizeCalculation,
    dispose: (value, key, reason) => {
      if (reason === 'evict') fresh.set(key, value);
    },
  });

  function get(key: string): V | undefined {
    const found = hot.get(key);
    if (found !== undefined) return found;
    const again = fresh.get(key);
    if (again !== undefined) promote(key, again);
    return again;
  }

  // One that is larger than all that may be hot stays where it is.
  function promote(key: string, value: V): void {
    hot.set(key, value);
    if (hot.has(key)) fresh.delete(key);
  }

  const look = (key: string): V | undefined => hot.get(key) ?? fresh.get(key);

  function set(key: string, value: V): void {
    const bytes = sizeCalculation(value, key);
    const wasHot = hot.delete(key);
    fresh.delete(key);
    if (bytes > maxBytes) return;
    // Hot entries move only for one that is larger than what they leave.
    while (hot.calculatedSize > maxBytes - bytes) hot.pop();
    fresh.set(key, value);
    while (fresh.calculatedSize + hot.calculatedSize > maxBytes) fresh.pop();
    if (wasHot) promote(key, value);
  }

  return {
    get,
    look,
    set,
    get bytes() {
      return fresh.calculatedSize + hot.calculatedSize;
    },
  };
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
