import { makeFirstId } from '../../../platform/text/index.ts';

/** A generator of pseudo-random values, which are the same at each load. */
export interface Random {
  /** Returns a number from 0 up to, but not including, 1. */
  next: () => number;
  /** Returns a number from `from` up to `to`. */
  between: (from: number, to: number) => number;
  pick: <Item>(items: readonly Item[]) => Item;
  /** Picks an item with a probability in proportion to its weight. */
  pickBy: <Item>(items: readonly Item[], weigh: (item: Item) => number) => Item;
  /** Picks a key with a probability in proportion to its weight. */
  pickWeighted: <Key extends string>(weights: Partial<Record<Key, number>>) => Key;
  isChance: (share: number) => boolean;
  /** Makes a UUIDv7 with a time. */
  makeId: (ms: number) => string;
}

/** Creates a generator with a seed, by the algorithm mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed;

  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  const pick = <Item>(items: readonly Item[]): Item =>
    items[Math.floor(next() * items.length)] as Item;

  function pickBy<Item>(items: readonly Item[], weigh: (item: Item) => number): Item {
    let left = next() * items.reduce((sum, item) => sum + weigh(item), 0);
    return items.find((item) => (left -= weigh(item)) < 0) ?? pick(items);
  }

  function pickWeighted<Key extends string>(weights: Partial<Record<Key, number>>): Key {
    const entries = Object.entries(weights) as [Key, number][];
    return pickBy(entries, ([, weight]) => weight)[0];
  }

  function hex(digits: number): string {
    const number = Math.floor(next() * 16 ** digits);
    return number.toString(16).padStart(digits, '0');
  }

  return {
    next,
    between: (from, to) => from + next() * (to - from),
    pick,
    pickBy,
    pickWeighted,
    isChance: (share) => next() < share,
    makeId: (ms) => `${makeFirstId(ms).slice(0, 14)}7${hex(3)}-8${hex(3)}-${hex(6)}${hex(6)}`,
  };
}
