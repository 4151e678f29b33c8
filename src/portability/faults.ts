/** What is wrong at one place of an account file. The detail never quotes what the file holds of people. */
export interface Fault {
  /** JSON pointer (RFC 6901); of the whole file when it is empty. */
  pointer: string;
  detail: string;
}

/** Takes what is wrong at a place. */
export type Report = (pointer: string, detail: string) => void;

/** An account file that cannot be loaded, with every fault in it. Nothing was changed. */
export class AccountFileError extends Error {
  readonly faults: Fault[];

  constructor(faults: Fault[]) {
    const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`;
    super(`the account file has ${count}; nothing was changed`);
    this.faults = faults;
  }
}

/** Adds to `faults`: the first at a place counts, those that follow from it do not. */
export function collectFaults(faults: Fault[] = []): { faults: Fault[]; report: Report } {
  const places = new Set(faults.map(({ pointer }) => pointer));
  function report(pointer: string, detail: string): void {
    if (places.has(pointer)) return;
    places.add(pointer);
    faults.push({ pointer, detail });
  }
  return { faults, report };
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
