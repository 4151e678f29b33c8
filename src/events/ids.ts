/** The parts of an id: the time, sequence and subject of an event. `index` is the place of a change in it; 0: the event. */
interface IdParts {
  at: Date;
  sequence: number;
  subject: string;
  index?: number;
}

const SEQUENCE_BITS = 40n;
const SUBJECT_BITS = 22n;
/** The largest index that fits into an id. Later changes of the same event all have this one. */
const INDEX_MAX = 4_095;
const VARIANT = 2n << 62n;
const mask = (bits: bigint) => (1n << bits) - 1n;

/**
 * Makes the id of an event, or of one of its changes: a UUIDv7 with the time, the index, the sequence, and some bits of the subject
 * in place of random bits. The service computes the id from the row, and finds the row by the id, so it needs no column and no
 * index.
 */
export function makeEventId({ at, sequence, subject, index = 0 }: IdParts): string {
  const own = BigInt(`0x${subject.slice(-12)}`) & mask(SUBJECT_BITS);
  const low = VARIANT | (own << SEQUENCE_BITS) | BigInt(sequence);
  const time = at.getTime().toString(16).padStart(12, '0');
  const place = Math.min(index, INDEX_MAX).toString(16).padStart(3, '0');
  const tail = low.toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${place}-${tail.slice(0, 4)}-${tail.slice(4)}`;
}

/** Reads the sequence and the index from an id. For an id that `makeEventId` did not make, the numbers are meaningless. */
export function readEventId(id: string): { sequence: number; index: number } {
  const low = BigInt(`0x${id.slice(19).replace('-', '')}`);
  return {
    sequence: Number(low & mask(SEQUENCE_BITS)),
    index: Number.parseInt(id.slice(15, 18), 16),
  };
}

const CURSOR = /^e(\d{1,15})$/;

/** Makes the cursor after which the next event has a larger sequence than this one. */
export function makeEventCursor(sequence: number): string {
  return Buffer.from(`e${sequence}`).toString('base64url');
}

/** Reads the sequence from a cursor; undefined when the text is not a cursor. */
export function readEventCursor(cursor: string): number | undefined {
  const [, digits] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
