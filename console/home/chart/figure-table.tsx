import type { ReactNode } from 'react';
import { texts } from './texts.ts';
import './figure-table.css';

export interface FigureRow {
  label: ReactNode;
  values: readonly ReactNode[];
}

/** The figures of a chart as a table, in a closed `details` element below it. */
export function FigureTable({
  caption,
  heads,
  rows,
}: {
  caption: string;
  heads: readonly string[];
  rows: readonly FigureRow[];
}) {
  if (rows.length === 0) return null;
  return (
    <details className="figure-table">
      <summary>{texts.showAsTable}</summary>
      <table>
        <caption className="hidden-text">{caption}</caption>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, values }, row) => (
            // A row has no id, and the rows never change their order.
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={row}>
              <th scope="row">{label}</th>
              {values.map((value, column) => (
                // oxlint-disable-next-line react/no-array-index-key
                <td key={column} data-title={heads[column + 1]}>
                  {value}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
