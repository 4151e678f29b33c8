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

/** A UUID of version 7: later ones sort after earlier ones of this process. */
export function newId(): string {
  return generator.generate().toString();
}
