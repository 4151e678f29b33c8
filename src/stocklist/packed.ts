// Each entry is the 16 bytes of a project's id and then the 8 bytes of its updatedAt as PostgreSQL sends it:
// microseconds since 2000, of which it never has but whole milliseconds.
const ENTRY_BYTES = 24;
const ID_BYTES = 16;
const POSTGRES_EPOCH_MS = Date.UTC(2000, 0, 1);

export interface StockEntry {
  id: string;
  updatedAtMs: number;
}

/**
 * How many entries changed after a time, or all without one. The entries are ordered by updatedAt, the
 * latest first, so that those are the first ones.
 */
export function countAfter(packed: Buffer, timeMs: number | null): number {
  let low = 0;
  let high = packed.length / ENTRY_BYTES;
  if (timeMs === null) return high;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (updatedAtOf(packed, middle) > timeMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The entries from `start` up to, not including, `end`. */
export function entriesBetween(packed: Buffer, start: number, end: number): StockEntry[] {
  return Array.from({ length: Math.max(end - start, 0) }, (_, offset) => ({
    id: idOf(packed, start + offset),
    updatedAtMs: updatedAtOf(packed, start + offset),
  }));
}

function updatedAtOf(packed: Buffer, position: number): number {
  const micros = Number(packed.readBigInt64BE(position * ENTRY_BYTES + ID_BYTES));
  return micros / 1000 + POSTGRES_EPOCH_MS;
}

function idOf(packed: Buffer, position: number): string {
  const start = position * ENTRY_BYTES;
  const hex = packed.toString('hex', start, start + ID_BYTES);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
