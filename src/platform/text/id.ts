import { randomFillSync } from 'node:crypto';
import { V7Generator } from 'uuidv7';

const numbers = new Uint32Array(1024);
let used = numbers.length;

// The generator's own source asks the system for eight numbers at a time, which takes longer than all else of an id.
function nextUint32(): number {
  if (used === numbers.length) {
    randomFillSync(numbers);
    used = 0;
  }
  return numbers[used++] ?? 0;
}

const generator = new V7Generator({ nextUint32 });

const TEXT = Buffer.from('00000000-0000-0000-0000-000000000000');
const DIGITS = Buffer.from('0123456789abcdef');
/** Where the two digits of each byte stand. */
const PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];

/** A UUID of version 7: later ones sort after earlier ones of this process. */
export function newId(): string {
  const { bytes } = generator.generate();
  // Text that is put together piece by piece, as the generator's own, takes 800 bytes of memory until it is sent, not 80.
  let index = 0;
  for (const place of PLACES) {
    const byte = bytes[index++] ?? 0;
    TEXT[place] = DIGITS[byte >> 4] ?? 0;
    TEXT[place + 1] = DIGITS[byte & 15] ?? 0;
  }
  return TEXT.toString('latin1');
}
