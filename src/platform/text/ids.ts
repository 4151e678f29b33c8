import { randomFillSync } from 'node:crypto';
import { V7Generator } from 'uuidv7';

const random = new Uint32Array(1024);
let used = random.length;

/** Takes a random number from a buffer. Asking the system for each number would take longer than making the id. */
function nextUint32(): number {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  return random[used++] as number;
}

const generator = new V7Generator({ nextUint32 });

/** Makes a UUID of version 7. Within one process, each new id sorts after all earlier ones. */
export function newId(): string {
  return generator.generate().toString();
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** The lowest and the highest UUID; `newId` makes neither. The first page of a list begins after one of them. */
export const NIL_ID = '00000000-0000-0000-0000-000000000000';
export const MAX_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Reads the time at which an id was made from the first 48 bits of a UUIDv7. Returns null for any other UUID. */
export function readIdTime(id: string): Date | null {
  return id[14] === '7' ? new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16)) : null;
}

/** Reads the time of creation from the id of a row. For an imported row, this is the time in the installation that exported it. */
export function readCreationTime(id: string, now: Date): Date {
  const time = readIdTime(id);
  return time !== null && time < now ? time : now;
}

/** Makes the lowest id of a time: an id begins with its time (UUIDv7). */
export function makeFirstId(ms: number): string {
  const digits = Math.max(ms, 0).toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`;
}
