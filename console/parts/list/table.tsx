import type { ReactNode } from 'react';
import './table.css';

/** A table of a few rows. On a phone each row is a block of lines. For long lists, use the grid. */
export function Table({
  label,
  titles,
  actions,
  children,
}: {
  label: string;
  /** The heads of the columns. */
  titles: readonly string[];
  /** The head of the last column, which has buttons. Only screen readers read it. */
  actions?: string | undefined;
  /** The rows: each has a `TableName`, a `TableCell` for each further title, and a `TableActions`. */
  children: ReactNode;
}) {
  return (
    <table className="table" aria-label={label}>
      <thead>
        <tr>
          {titles.map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
          {actions !== undefined && (
            <th scope="col">
              <span className="hidden-text">{actions}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

/** The cell that names its row. */
export function TableName({ children, below }: { children: ReactNode; below?: ReactNode }) {
  return (
    <th scope="row">
      {children}
      {below !== undefined && <span className="table-soft">{below}</span>}
    </th>
  );
}

/** A cell. On a phone, the title of its column stands before it. */
export function TableCell({ title, children }: { title: string; children: ReactNode }) {
  return <td data-title={title}>{children}</td>;
}

/** The cell with the buttons of a row. */
export function TableActions({ children }: { children: ReactNode }) {
  return <td className="table-actions">{children}</td>;
}
