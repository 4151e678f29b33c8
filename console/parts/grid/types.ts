import type { KeyboardEvent, ReactNode } from 'react';

export interface Column<Row> {
  id: string;
  title: string;
  /** The default width, in pixels. */
  width: number;
  /** The API's sort key without the sign. */
  sort?: string;
  align?: 'end';
  /** Whether this is the name column, which is sticky and opens a row. Exactly one column has it. */
  isName?: boolean;
  /** Finds the address below `/a/<slug>` that opens a row. The name is then a link, for a new tab; a plain click calls `onOpen`. */
  address?: (row: Row) => string | undefined;
  /** Whether the column is hidden until a person chooses it. */
  isHidden?: boolean;
  /** Renders a cell. Its elements must not be focusable by Tab: give them `tabIndex={-1}`. */
  cell: (row: Row) => ReactNode;
  /** Renders the editor that F2, Enter or a double click opens in the cell. It must call `close` at the end, with `'down'` after Enter. */
  editor?: (row: Row, close: (move?: 'down') => void) => ReactNode;
  canEdit?: (row: Row) => boolean;
}

/** The selected rows. With `all`, every row that matches the filter except `ids`; otherwise the rows of `ids`. */
export interface Selection {
  all: boolean;
  ids: ReadonlySet<string>;
}

/** The shown columns, in order. The API stores this form in a view. */
export type ColumnLayout = readonly { field: string; width?: number }[];

export interface GridProps<Row> {
  label: string;
  /** The id of the text that says how to use the grid. */
  describedBy?: string;
  columns: readonly Column<Row>[];
  /** The rows in order. The grid shows an undefined one, which is not loaded, as a bar. */
  rows: readonly (Row | undefined)[];
  rowId: (row: Row) => string;
  /** Finds the id of a row that is no longer loaded. */
  idAt?: (index: number) => string | undefined;
  totalCount?: number | undefined;
  isTotalExact?: boolean | undefined;
  hasMore: boolean;
  isLoading: boolean;
  /** Loads the next page. The grid calls it when the person is two pages before the end. */
  loadMore: () => void;
  /** Called with the range of rows on the screen, so that missing rows can be loaded. */
  onRange?: (first: number, last: number, active: number) => void;
  /** Set when a page could not be loaded. The grid then shows a button that calls it. */
  onRetry?: (() => void) | undefined;
  /** When this number changes, the grid scrolls to its first row. */
  generation?: number;
  pageSize: number;
  /** The order of the rows, such as `-createdAt`. */
  sort?: string | undefined;
  onSort?: (sort: string) => void;
  selection?: Selection;
  onSelectionChange?: (selection: Selection) => void;
  /** Opens a row. The grid calls it for Enter or a click on the name cell, and for a tap on a row of a phone. */
  onOpen: (row: Row) => void;
  /** Renders the two lines of a row on a phone. */
  phoneRow: (row: Row) => ReactNode;
  /** The name under which `sessionStorage` keeps the scroll offset and the focused cell. */
  place: string;
  /** The name under which `localStorage` keeps the columns; see `useColumnLayout`. */
  columnsKey?: string;
  /** The columns to show while the browser stores none, such as those of a view. Pass the same object at each render. */
  usualColumns?: ColumnLayout | null | undefined;
  /** Handles the page's own keys on a row. It returns true for a used key, or the id of the column whose editor to open. */
  onKey?: (event: KeyboardEvent, row: Row) => boolean | string;
  density?: 'normal' | 'compact';
}

/** The row and column numbers of a cell. The row -1 is the head. */
export interface CellPosition {
  row: number;
  column: number;
}
