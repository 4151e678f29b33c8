import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { createCache, type Cache } from './cache.ts';

const KIB = 1024;

interface Entry {
  bytes: number;
}

const cacheOf = (maxBytes: number): Cache<Entry> => createCache(maxBytes, ({ bytes }) => bytes);

// Large enough that what the cache adds for keys and columns is small beside it.
const EACH = { bytes: 100 * KIB };
const ROOM = 100;
const MAX_BYTES = ROOM * (EACH.bytes + 2 * KIB);

/** A cache for `ROOM` entries, and what is done with many of them at once. */
function roomy() {
  const cache = cacheOf(MAX_BYTES);
  // As callers do: what is not there is built and put in.
  const read = (names: string[]) => names.forEach((key) => cache.get(key) ?? cache.set(key, EACH));
  const kept = (names: string[]) => names.filter((key) => cache.get(key) !== undefined);
  return { cache, read, kept };
}

const names = (what: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${what} ${n}`);

describe('the bytes of a cache', () => {
  const MAX = 1024 * KIB;
  const KEYS = 16;
  const key = fc.nat(KEYS - 1).map(String);
  const write = fc.record({ key, bytes: fc.nat(MAX / 2) });
  const step = fc.oneof(write, fc.record({ key }));

  /** A cache in which this was put in and read. */
  function after(steps: ({ key: string } | { key: string; bytes: number })[]): Cache<Entry> {
    const cache = cacheOf(MAX);
    for (const step of steps)
      if ('bytes' in step) cache.set(step.key, step);
      else cache.get(step.key);
    return cache;
  }

  test('are never exceeded, whatever is put in and read', () => {
    const property = fc.property(fc.array(step, { size: 'large' }), (steps) => {
      const cache = after(steps);
      let sum = 0;
      for (let n = 0; n < KEYS; n += 1) sum += cache.get(String(n))?.bytes ?? 0;
      assert(sum <= MAX, `${sum} bytes are kept`);
    });
    fc.assert(property);
  });

  test('what was put in last is there, and as it was put in', () => {
    const property = fc.property(fc.array(step, { size: 'large' }), write, (steps, last) => {
      const cache = after(steps);
      cache.set(last.key, last);
      assert.equal(cache.get(last.key), last);
      assert.equal(cache.get(last.key), last);
    });
    fc.assert(property);
  });

  test('are used to the full, by what was read once or often', () => {
    const { read, kept } = roomy();
    const all = names('page', ROOM);
    read(all);
    for (let round = 0; round < 3; round += 1) assert.deepEqual(kept(all), all);
  });

  test('count an entry once, hot or not', () => {
    const { read, kept } = roomy();
    const all = names('page', ROOM);
    const half = ROOM / 2;
    read(all.slice(0, half));
    for (let round = 0; round < 3; round += 1) read(all.slice(half, -1));
    read(all.slice(-1));
    assert.deepEqual(kept(all), all);
  });

  test('hold nothing that is larger than all of them, and nothing gives way to it', () => {
    const { cache, read, kept } = roomy();
    const all = names('page', ROOM);
    read(all);
    cache.set('too large', { bytes: MAX_BYTES });
    assert.equal(cache.get('too large'), undefined);
    assert.deepEqual(kept(all), all);
  });

  test('hold what takes nearly all of them, though others are hot', () => {
    const { cache, read } = roomy();
    for (let round = 0; round < 3; round += 1) read(names('hot', ROOM));
    const large = { bytes: MAX_BYTES - 10 * KIB };
    cache.set('large', large);
    for (let round = 0; round < 3; round += 1) assert.equal(cache.get('large'), large);
  });
});

describe('what is read again and again', () => {
  const HOT = names('hot', (ROOM * 3) / 4);

  test('stays there while ten times the room is read once', () => {
    const { read, kept } = roomy();
    read(HOT);
    read(HOT);
    read(names('scanned', 10 * ROOM));
    assert.deepEqual(kept(HOT), HOT);
  });

  test('stays there while the scan goes on, and the scan is not kept', () => {
    const { read, kept } = roomy();
    read(HOT);
    const scanned = names('scanned', 10 * ROOM);
    for (const [n, page] of scanned.entries()) {
      read([page]);
      if (n % (2 * ROOM) === 0) assert.deepEqual(kept(HOT), HOT, `after ${n} pages`);
    }
    assert.deepEqual(kept(scanned), scanned.slice(HOT.length - ROOM));
  });

  test('stays there when it is replaced', () => {
    const { cache, read, kept } = roomy();
    read(HOT);
    read(HOT);
    for (const name of HOT) cache.set(name, EACH);
    read(names('scanned', 10 * ROOM));
    assert.deepEqual(kept(HOT), HOT);
  });

  test('does not give way to what is only looked at again', () => {
    const { cache, read, kept } = roomy();
    read(HOT);
    read(HOT);
    for (const name of names('scanned', 10 * ROOM)) {
      read([name]);
      for (let n = 0; n < 3; n += 1) assert.equal(cache.look(name), EACH);
    }
    assert.deepEqual(kept(HOT), HOT);
  });

  test('gives way to what is read again and again after it', () => {
    const { read, kept } = roomy();
    for (let round = 0; round < 10; round += 1) read(HOT);
    const next = names('next', HOT.length);
    for (const [n, page] of names('scanned', 10 * ROOM).entries()) {
      read([page]);
      // Twice each in turn, between pages of a scan.
      const name = next[Math.floor(n / 2) % next.length] ?? '';
      read([name]);
    }
    assert.deepEqual(kept(next), next);
    assert(kept(HOT).length <= ROOM - next.length);
  });

  test('has a second chance when it was hot once', () => {
    const { read, kept } = roomy();
    const all = names('page', ROOM);
    read(all);
    read(all);
    // Fewer may be hot than there is room for: those hot first are back among the new ones.
    const [oldest = ''] = all;
    read([oldest]);
    read(names('scanned', ROOM));
    assert.deepEqual(kept([oldest]), [oldest]);
  });
});

test('what is too large to be kept leaves nothing older under its name', () => {
  const cache = cacheOf(10 * KIB);
  for (const isHot of [false, true]) {
    cache.set('a', { bytes: KIB });
    if (isHot) cache.get('a');
    cache.set('a', { bytes: 20 * KIB });
    assert.equal(cache.get('a'), undefined);
  }
});
