import { Notice } from '../../parts/message/notice.tsx';

interface RefusedRowsProps {
  title: string;
  head: readonly string[];
  rows: readonly RefusedRow[];
}

export interface RefusedRow {
  /** A text that no other row has. Units of two projects can have the same name. */
  id: string;
  /** A cell for each column of the head. */
  cells: readonly (string | number)[];
}

/** The table of what is refused and left out, above the preview of the other changes. */
export function RefusedRows({ title, head, rows }: RefusedRowsProps) {
  if (rows.length === 0) return null;
  return (
    <Notice look="error" title={title}>
      <table className="bulk-table">
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, cells }) => (
            <tr key={id}>
              {cells.map((cell, index) => (
                <td key={head[index]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Notice>
  );
}
