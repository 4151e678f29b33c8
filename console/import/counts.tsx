import { formatNumber } from '../parts/text/format.ts';

/** Shows the counts of a run, each with a label. */
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

/** Counts the rows that the other system marks as deleted: all rows that no other count includes. */
export const countDeleted = (run: {
  rowsRead: number;
  created: number;
  merged: number;
  refused: number;
}): number => run.rowsRead - run.created - run.merged - run.refused;
