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

/** A project that changed, and whether it belongs to the entries now. */
export interface ChangedEntry extends StockEntry {
  isChosen: boolean;
}

/** The entries after these changes, which are in their order and later than all that is packed. */
export function withChanges(packed: Buffer, changed: ChangedEntry[]): Buffer {
  const entries = changed.map(toEntry);
  const former = entries
    .map((entry) => positionOf(packed, entry.subarray(0, ID_BYTES)))
    .filter((start) => start !== -1)
    .toSorted((a, b) => a - b);
  const starts = [0, ...former.map((start) => start + ENTRY_BYTES)];
  const stayed = starts.map((start, at) => packed.subarray(start, former[at]));
  return Buffer.concat([...entries.filter((_, at) => changed[at]?.isChosen), ...stayed]);
}

function toEntry({ id, updatedAtMs }: StockEntry): Buffer {
  const entry = Buffer.alloc(ENTRY_BYTES);
  entry.write(id.replaceAll('-', ''), 'hex');
  entry.writeBigInt64BE(BigInt(updatedAtMs - POSTGRES_EPOCH_MS) * 1000n, ID_BYTES);
  return entry;
}

/** Where the entry with this id starts, or -1: what looks like it across two entries is none. */
function positionOf(packed: Buffer, id: Buffer): number {
  let start = packed.indexOf(id);
  while (start !== -1 && start % ENTRY_BYTES !== 0) start = packed.indexOf(id, start + 1);
  return start;
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
