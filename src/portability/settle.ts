import { below, type Report } from './faults.ts';
import { differs } from './given.ts';
import type { Match } from './match.ts';

/** What becomes of a row. */
export type Change = 'created' | 'updated' | 'unchanged';

/** An entry of the file as the row that it makes. */
export interface Settled<Row> {
  at: number;
  row: Row;
  change: Change;
}

/** How many entries made, changed and left alone a row. */
export type Counts = Record<Change, number>;

/** What a new row has where the file gives nothing, and what it cannot be made without. */
export interface Creation<Row> {
  noun: string;
  defaults: Omit<Row, 'id'>;
  required: readonly (keyof Row & string)[];
}

/** Puts what an entry gives on the stored row, or on a new one; `pointer` is where the entry is. */
export function settle<Row extends { id: string }>(
  { at, id, isNew }: Match,
  stored: Row | undefined,
  change: Partial<Row>,
  creation: Creation<Row>,
  { pointer, report }: { pointer: string; report: Report },
): Settled<Row> {
  if (!isNew && stored !== undefined) {
    const isChanged = differs(stored, change);
    return { at, row: { ...stored, ...change }, change: isChanged ? 'updated' : 'unchanged' };
  }
  reportMissing(change, creation, pointer, report);
  return { at, row: { ...creation.defaults, ...change, id } as Row, change: 'created' };
}

export function reportMissing<Row>(
  change: Partial<Row>,
  { noun, required }: Pick<Creation<Row>, 'noun' | 'required'>,
  pointer: string,
  report: Report,
): void {
  for (const field of required)
    if (change[field] === undefined)
      report(below(pointer, field), `is required for a new ${noun}.`);
}

export function countChanges(settled: { change: Change }[]): Counts {
  const counts: Counts = { created: 0, updated: 0, unchanged: 0 };
  for (const { change } of settled) counts[change] += 1;
  return counts;
}

/** The rows with a certain fate. */
export function rowsOf<Row>(settled: Settled<Row>[], change: Change): Row[] {
  return settled.filter((each) => each.change === change).map(({ row }) => row);
}
