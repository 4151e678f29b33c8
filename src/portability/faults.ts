import type { Fault } from '../platform/fields/index.ts';

const byPlace = new Intl.Collator('en', { numeric: true });

/** A load that is refused for faults of its file. They stand in the order of the file, and nothing was changed. */
export class AccountFileError extends Error {
  readonly faults: Fault[];

  constructor(faults: Fault[]) {
    const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`;
    super(`the account file has ${count}; nothing was changed`);
    this.faults = faults.toSorted((a, b) => byPlace.compare(a.pointer, b.pointer));
  }
}

/** The faults of a file, one a place: the first, since the later ones often follow from it. */
export class FaultList {
  readonly #detailOf = new Map<string, string>();

  /**
   * Takes a fault: a JSON pointer (RFC 6901), '' for the whole file, and a sentence. The sentence never quotes what the
   * file says about people.
   */
  report(pointer: string, detail: string): void {
    if (!this.#detailOf.has(pointer)) this.#detailOf.set(pointer, detail);
  }

  /** Takes faults whose pointers begin at an entry of the file. */
  reportWithin(place: string, faults: Fault[]): void {
    for (const { pointer, detail } of faults) this.report(place + pointer, detail);
  }

  has(pointer: string): boolean {
    return this.#detailOf.has(pointer);
  }

  hasWithin(pointer: string): boolean {
    return this.#detailOf.keys().some((each) => each.startsWith(`${pointer}/`));
  }

  copy(): FaultList {
    const copied = new FaultList();
    for (const [pointer, detail] of this.#detailOf) copied.report(pointer, detail);
    return copied;
  }

  /** Throws an AccountFileError when there is a fault. */
  throwIfAny(): void {
    const faults = [...this.#detailOf].map(([pointer, detail]) => ({ pointer, detail }));
    if (faults.length > 0) throw new AccountFileError(faults);
  }
}
