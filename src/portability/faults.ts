import type { FieldFault } from '../platform/fields/index.ts';

const byPlace = new Intl.Collator('en', { numeric: true });

const STALE =
  'the account has changed since this file was exported: export it again and edit that file, or give --force';

/** The faults of an account file, in its order. The load changed nothing. */
export class AccountFileError extends Error {
  readonly faults: FieldFault[];

  constructor(faults: FieldFault[], isStale = false) {
    const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`;
    const summary = isStale ? STALE : `the account file has ${count}`;
    super(`${summary}; nothing was changed`);
    this.faults = faults.toSorted((a, b) => byPlace.compare(a.pointer, b.pointer));
  }
}

/** The faults of a file. It keeps only the first fault of each value, since later ones often follow from it. */
export class FaultList {
  readonly #detailOf = new Map<string, string>();
  #isStale = false;

  /**
   * Adds a fault: a JSON pointer (RFC 6901), which is '' for the whole file, and a sentence without personal data of the file.
   */
  report(pointer: string, detail: string): void {
    if (!this.#detailOf.has(pointer)) this.#detailOf.set(pointer, detail);
  }

  /** Adds a fault because the account has changed after the export of the file. */
  reportStale(pointer: string, detail: string): void {
    this.#isStale = true;
    this.report(pointer, detail);
  }

  /** Adds faults of the entry at `basePointer`. Their pointers begin at the entry. */
  reportWithin(basePointer: string, faults: FieldFault[]): void {
    for (const { pointer, detail } of faults) this.report(basePointer + pointer, detail);
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
    if (faults.length > 0) throw new AccountFileError(faults, this.#isStale);
  }
}
