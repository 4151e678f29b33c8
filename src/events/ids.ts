/** The numbers in an id: the time and the number of an event, and the place of a change in it; 0 for the event itself. */
interface IdParts {
  at: Date;
  sequence: number;
  subject: string;
  index?: number;
}

const SEQUENCE_BITS = 40n;
const SUBJECT_BITS = 22n;
/** An id has room for no later place; such changes share the last one. */
const INDEX_MAX = 4_095;
const VARIANT = 2n << 62n;
const mask = (bits: bigint) => (1n << bits) - 1n;

/**
 * Makes the id of an event, or of one of its changes: a UUIDv7 of its time, its number, and some bits of its subject, in
 * place of random ones. So it needs neither a column nor an index.
 */
export function makeId({ at, sequence, subject, index = 0 }: IdParts): string {
  const own = BigInt(`0x${subject.slice(-12)}`) & mask(SUBJECT_BITS);
  const low = VARIANT | (own << SEQUENCE_BITS) | BigInt(sequence);
  const time = at.getTime().toString(16).padStart(12, '0');
  const place = Math.min(index, INDEX_MAX).toString(16).padStart(3, '0');
  const tail = low.toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${place}-${tail.slice(0, 4)}-${tail.slice(4)}`;
}

/** Reads the number of the event, and the place of the change, from an id. The id of anything else has some numbers, too. */
export function readId(id: string): { sequence: number; index: number } {
  const low = BigInt(`0x${id.slice(19).replace('-', '')}`);
  return {
    sequence: Number(low & mask(SEQUENCE_BITS)),
    index: Number.parseInt(id.slice(15, 18), 16),
  };
}

const CURSOR = /^e(\d{1,15})$/;

/** Makes the cursor of a place in the log: that after the event with this number. */
export function makeCursor(sequence: number): string {
  return Buffer.from(`e${sequence}`).toString('base64url');
}

/** Reads the number from a cursor; undefined when the text is none. */
export function readCursor(cursor: string): number | undefined {
  const [, digits] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
