import { formatNumber } from '../parts/format.ts';

/** The counts of a run, as figures with their words. */
export function Counts({ counts }: { counts: [count: number, what: string][] }) {
  return (
    <dl className="import-counts">
      {counts.map(([count, what]) => (
        <div key={what} className="import-count">
          <dt>{what}</dt>
          <dd>{formatNumber(count)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** How many rows are marked as deleted in the other system: those that are neither of the others. */
export const countDeleted = (run: {
  rowsRead: number;
  created: number;
  merged: number;
  refused: number;
}): number => run.rowsRead - run.created - run.merged - run.refused;
