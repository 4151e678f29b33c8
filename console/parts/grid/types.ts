import type { KeyboardEvent, ReactNode } from 'react';

export interface Column<Row> {
  id: string;
  title: string;
  /** The default, in pixels. */
  width: number;
  /** The API's sort key without the sign. */
  sort?: string;
  align?: 'end';
  /** The column that sticks, and opens a row. Exactly one has it. */
  isName?: boolean;
  /** Hidden until a person chooses the column. */
  isHidden?: boolean;
  /** The content of a cell. It has nothing to focus, or only with `tabIndex={-1}`. */
  cell: (row: Row) => ReactNode;
  /** F2, Enter or a double click opens this in the cell. It calls `close` when it is done, with `'down'` after Enter. */
  editor?: (row: Row, close: (move?: 'down') => void) => ReactNode;
  canEdit?: (row: Row) => boolean;
}

/** `all` false: the rows of `ids`. `all` true: all rows that fit the filter, without those of `ids`. */
export interface Selection {
  all: boolean;
  ids: ReadonlySet<string>;
}

/** The columns that are shown, in order. A view of the API keeps the same. */
export type ColumnLayout = readonly { field: string; width?: number }[];

export interface GridProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  /** The rows loaded so far, in order. One that is undefined is shown as a bar. */
  rows: readonly (Row | undefined)[];
  rowId: (row: Row) => string;
  /** The id of a row that is not loaded any more. */
  idAt?: (index: number) => string | undefined;
  totalCount?: number | undefined;
  isTotalExact?: boolean | undefined;
  hasMore: boolean;
  isLoading: boolean;
  /** The grid calls it when the person is two pages before the end. */
  loadMore: () => void;
  /** Hears which rows are on the screen, so that those which are bars can be loaded. */
  onRange?: (first: number, last: number, active: number) => void;
  /** Set when the last page could not be loaded. The grid shows a button for it. */
  onRetry?: (() => void) | undefined;
  /** Another number takes the grid back to its first row. */
  generation?: number;
  pageSize: number;
  /** Such as `-createdAt`. */
  sort?: string | undefined;
  onSort?: (sort: string) => void;
  selection?: Selection;
  onSelectionChange?: (selection: Selection) => void;
  /** Enter on the name cell, a click on it, a tap on a row of a phone. */
  onOpen: (row: Row) => void;
  /** The two lines of a row on a phone. */
  phoneRow: (row: Row) => ReactNode;
  /** The name under which `sessionStorage` keeps the scroll offset and the focused cell. */
  place: string;
  /** The name under which `localStorage` keeps the columns; see `useColumnLayout`. */
  columnsKey?: string;
  /** The columns as long as the person sets none, such as those of a view. They must be the same object each time. */
  usualColumns?: ColumnLayout | null | undefined;
  /** The screen's own keys on a row. True: the key is used. The id of a column: its editor opens. */
  onKey?: (event: KeyboardEvent, row: Row) => boolean | string;
  density?: 'normal' | 'compact';
}

/** A cell by its numbers. The row -1 is the head. */
export interface CellPosition {
  row: number;
  column: number;
}
