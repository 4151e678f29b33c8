/** What is wrong at one place of an account file. The detail never quotes what the file holds of people. */
export interface Fault {
  /** JSON pointer (RFC 6901); of the whole file when it is empty. */
  pointer: string;
  detail: string;
}

/** Takes what is wrong at a place. */
export type Report = (pointer: string, detail: string) => void;

const inOrder = new Intl.Collator('en', { numeric: true });

/** An account file that cannot be loaded, with every fault in it, by place. Nothing was changed. */
export class AccountFileError extends Error {
  readonly faults: Fault[];

  constructor(faults: Fault[]) {
    const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`;
    super(`the account file has ${count}; nothing was changed`);
    this.faults = faults.toSorted((a, b) => inOrder.compare(a.pointer, b.pointer));
  }
}

/** The faults of a file while they are gathered. */
export interface Faults {
  faults: Fault[];
  report: Report;
  /** Whether something within a place is at fault. */
  isFaultyWithin: (pointer: string) => boolean;
}

/** Adds to `faults`: the first at a place counts, those that follow from it do not. */
export function collectFaults(faults: Fault[] = []): Faults {
  const places = new Set(faults.map(({ pointer }) => pointer));
  function report(pointer: string, detail: string): void {
    if (places.has(pointer)) return;
    places.add(pointer);
    faults.push({ pointer, detail });
  }
  const isFaultyWithin = (pointer: string) =>
    faults.some((fault) => fault.pointer.startsWith(`${pointer}/`));
  return { faults, report, isFaultyWithin };
}

/** The pointer to a member of what `pointer` points to. */
export function below(pointer: string, member: string | number): string {
  return `${pointer}/${String(member).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The members on the way to where a pointer points. */
export function membersOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((member) => member.replaceAll('~1', '/').replaceAll('~0', '~'));
}
