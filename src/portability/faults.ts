import type { Fault } from '../platform/fields/index.ts';

/**
 * Takes a fault of the file: a JSON pointer (RFC 6901), '' for the whole file, and a sentence. The sentence never
 * quotes what the file says about people.
 */
export type Report = (pointer: string, detail: string) => void;

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

/** The faults of a file while a load gathers them. */
export interface FaultList {
  faults: Fault[];
  report: Report;
  /** Reports faults whose pointers begin at an entry of the file. */
  reportWithin: (pointer: string, faults: Fault[]) => void;
  hasFaultsWithin: (pointer: string) => boolean;
}

/** Gathers one fault a place: the first, since the later ones often follow from it. */
export function gatherFaults(known: Fault[] = []): FaultList {
  const faults = [...known];
  const pointers = new Set(faults.map(({ pointer }) => pointer));
  function report(pointer: string, detail: string): void {
    if (pointers.has(pointer)) return;
    pointers.add(pointer);
    faults.push({ pointer, detail });
  }
  return {
    faults,
    report,
    reportWithin: (place, found) => {
      for (const { pointer, detail } of found) report(place + pointer, detail);
    },
    hasFaultsWithin: (place) => faults.some(({ pointer }) => pointer.startsWith(`${place}/`)),
  };
}

/** Lists the members that lead to the value of a pointer. */
export function membersOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((member) => member.replaceAll('~1', '/').replaceAll('~0', '~'));
}
