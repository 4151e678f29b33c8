import {
  useCallback,
  useLayoutEffect,
  useRef,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  type SyntheticEvent,
} from 'react';
import { findTarget } from './keys.ts';
import { revealCell } from './reveal.ts';
import { ALL_SELECTED, NOTHING_SELECTED, setSelected, toggleSelected } from './selection.ts';
import type { CellPosition, Column, GridProps } from './types.ts';
import { cellOf, type ActiveCell } from './use-active-cell.ts';
import type { Viewport } from './use-row-scroll.ts';

export interface Editing {
  id: string;
  column: string;
}

interface InputOptions<Row> {
  props: GridProps<Row>;
  columns: readonly (Column<Row> & { width: number })[];
  viewport: Viewport;
  cell: ActiveCell;
  editing: Editing | undefined;
  setEditing: (editing: Editing | undefined) => void;
}

/** Handles the keys, the clicks and the focus of a grid. */
export function useGridInput<Row>(options: InputOptions<Row>) {
  const latestRef = useRef(options);
  useLayoutEffect(() => {
    latestRef.current = options;
  });
  // The row at which a range of selected rows begins.
  const anchorRef = useRef(0);
  const { hasFocusRef } = options.cell;

  const close = useCallback((move?: 'down') => closeEditor(latestRef.current, move), []);
  const handlers = {
    onKeyDown: (event: KeyboardEvent) => {
      if (isElsewhere(event)) return;
      if (isInEditor(event.target)) {
        if (event.key === 'Escape' && !event.defaultPrevented) close();
        return;
      }
      if (event.defaultPrevented || event.nativeEvent.isComposing) return;
      if (pressKey(options, event, anchorRef)) event.preventDefault();
    },
    onMouseDown: (event: MouseEvent) => {
      // Focus the cell and not its check box, and keep Shift from selecting text.
      const isBox = (event.target as Element).matches('.grid-check > input');
      if (isBox || (event.shiftKey && !isInEditor(event.target))) event.preventDefault();
    },
    onClick: (event: MouseEvent) => {
      if (!isElsewhere(event)) clickCell(options, event, anchorRef);
    },
    onMouseOver: showCutText,
    onDoubleClick: (event: MouseEvent) => {
      const at = cellOf(event.target);
      if (at && !isElsewhere(event) && !isInEditor(event.target)) openEditor(options, at);
    },
    onFocus: (event: FocusEvent) => {
      if (isElsewhere(event)) return;
      hasFocusRef.current = true;
      // A press of the pointer focuses the link of a name. The focus belongs to its cell.
      if (event.target.matches('.grid-link')) return event.target.parentElement?.focus();
      const at = cellOf(event.target);
      const { active } = options.cell;
      if (at && (at.row !== active.row || at.column !== active.column)) options.cell.setActive(at);
    },
    onBlur: (event: FocusEvent) => {
      const isInside = event.currentTarget.contains(event.relatedTarget);
      hasFocusRef.current = isInside;
    },
  };
  return { handlers, close };
}

/** Returns whether an event comes from a portal, such as the menu of a cell: React also bubbles those to the grid. */
const isElsewhere = ({ currentTarget, target }: SyntheticEvent): boolean =>
  !currentTarget.contains(target as Node);

/** Shows the full text of a too narrow cell as a tooltip. */
function showCutText({ target }: MouseEvent): void {
  const cell = (target as Element).closest<HTMLElement>('.grid-row > .grid-cell');
  const text = cell?.querySelector('.grid-link, .grid-title') ?? cell;
  if (cell === null || text === null) return;
  cell.title = text.scrollWidth > text.clientWidth ? (text.textContent ?? '') : '';
}

function isInEditor(target: EventTarget): boolean {
  return (target as Element).closest('.grid-editor') !== null;
}

function reveal<Row>(options: InputOptions<Row>, target: CellPosition): void {
  const { columns, props, viewport } = options;
  const widths = columns.map(({ width }) => width);
  revealCell(viewport, target, { widths, hasCheck: props.selection !== undefined });
}

function moveTo<Row>(options: InputOptions<Row>, target: CellPosition): void {
  reveal(options, target);
  options.cell.focusCell(target);
}

function columnAt<Row>({ columns, props }: InputOptions<Row>, cell: number) {
  return columns[cell - (props.selection ? 1 : 0)];
}

/** Handles a key. Returns false when the grid does not use it. */
function pressKey<Row>(
  options: InputOptions<Row>,
  event: KeyboardEvent,
  anchorRef: RefObject<number>,
): boolean {
  const { props, cell, viewport } = options;
  const { active } = cell;
  const row = props.rows[active.row];
  const isHead = active.row === -1;
  const used = row === undefined ? false : (props.onKey?.(event, row) ?? false);
  if (typeof used === 'string') return openColumn(options, used);
  if (used) return true;
  if (event.key === ' ') return pressSpace(options, event.shiftKey, anchorRef);
  if (event.key === 'a' && (event.ctrlKey || event.metaKey) && props.selection) {
    props.onSelectionChange?.(ALL_SELECTED);
    return true;
  }
  if (event.key === 'Enter' && isHead) return pressHead(options, active.column);
  if (event.key === 'Enter' || event.key === 'F2') return pressEnter(options, event.key);
  const page = Math.max(countVisibleRows(viewport) - 1, 1);
  const top = viewport.headHeight > 0 ? -1 : 0;
  const columns = options.columns.length + (props.selection ? 1 : 0);
  const target = findTarget(event, active, { rows: viewport.count, columns, page, top });
  if (!target) return false;
  moveTo(options, target);
  const isRange = event.shiftKey && target.row !== active.row && active.row >= 0 && target.row >= 0;
  if (isRange) selectRange(options, anchorRef.current, target.row);
  else if (!event.shiftKey) anchorRef.current = Math.max(target.row, 0);
  return true;
}

function countVisibleRows({ scrollerRef, height, headHeight }: Viewport): number {
  return Math.floor(((scrollerRef.current?.clientHeight ?? 0) - headHeight) / height);
}

function pressSpace<Row>(
  options: InputOptions<Row>,
  isRange: boolean,
  anchorRef: RefObject<number>,
): boolean {
  const { active } = options.cell;
  if (active.row === -1) return pressHead(options, active.column);
  if (isRange) selectRange(options, anchorRef.current, active.row);
  else toggleRow(options, active.row, anchorRef);
  return true;
}

/** Edits the cell. Enter in another cell, such as the name or the check box, opens the row. */
function pressEnter<Row>(options: InputOptions<Row>, key: string): boolean {
  const { props, cell } = options;
  const row = props.rows[cell.active.row];
  const isName = columnAt(options, cell.active.column)?.isName ?? false;
  if (row === undefined) return false;
  const isOpening = key === 'Enter' && isName;
  if (!isOpening && openEditor(options, cell.active)) return true;
  if (key === 'Enter') props.onOpen(row);
  return true;
}

function pressHead<Row>(options: InputOptions<Row>, cell: number): boolean {
  const { props } = options;
  const column = columnAt(options, cell);
  if (!column) {
    const { all, ids } = props.selection ?? NOTHING_SELECTED;
    props.onSelectionChange?.(all && ids.size === 0 ? NOTHING_SELECTED : ALL_SELECTED);
  } else if (column.sort !== undefined) {
    props.onSort?.(props.sort === column.sort ? `-${column.sort}` : column.sort);
  }
  return true;
}

function idAt<Row>({ props }: InputOptions<Row>, index: number): string | undefined {
  const row = props.rows[index];
  return row === undefined ? props.idAt?.(index) : props.rowId(row);
}

function toggleRow<Row>(
  options: InputOptions<Row>,
  index: number,
  anchorRef: RefObject<number>,
): void {
  const { selection, onSelectionChange } = options.props;
  const id = idAt(options, index);
  anchorRef.current = index;
  if (selection && id !== undefined) onSelectionChange?.(toggleSelected(selection, id));
}

/** Selects all rows from one to another, both included. */
function selectRange<Row>(options: InputOptions<Row>, from: number, to: number): void {
  const { selection, onSelectionChange } = options.props;
  if (!selection) return;
  const ids: string[] = [];
  for (let index = Math.min(from, to); index <= Math.max(from, to); index++) {
    const id = idAt(options, index);
    if (id !== undefined) ids.push(id);
  }
  onSelectionChange?.(setSelected(selection, ids, true));
}

function clickCell<Row>(
  options: InputOptions<Row>,
  event: MouseEvent,
  anchorRef: RefObject<number>,
): void {
  const at = cellOf(event.target);
  if (!at || event.defaultPrevented || isInEditor(event.target)) return;
  const { props } = options;
  if (at.row === -1) {
    if (!(event.target as Element).closest('.grid-resize')) pressHead(options, at.column);
    moveTo(options, at);
    return;
  }
  const column = columnAt(options, at.column);
  const row = props.rows[at.row];
  // A modified click on a link is the browser's: it opens a new tab.
  const isLink = (event.target as Element).closest('a') !== null;
  const isModified = event.ctrlKey || event.metaKey;
  if (isLink && !isModified) event.preventDefault();
  if (props.selection && event.shiftKey) {
    selectRange(options, anchorRef.current, at.row);
    moveTo(options, at);
  } else if (props.selection && (!column || isModified)) {
    if (isLink) return;
    toggleRow(options, at.row, anchorRef);
    moveTo(options, at);
  } else if (row !== undefined && column?.isName && !isModified) props.onOpen(row);
}

function openColumn<Row>(options: InputOptions<Row>, id: string): boolean {
  const index = options.columns.findIndex((column) => column.id === id);
  if (index === -1) return false;
  const at = { row: options.cell.active.row, column: index + (options.props.selection ? 1 : 0) };
  reveal(options, at);
  return openEditor(options, at);
}

function openEditor<Row>(options: InputOptions<Row>, at: CellPosition): boolean {
  const { props, setEditing, cell } = options;
  const column = columnAt(options, at.column);
  const row = props.rows[at.row];
  if (row === undefined || !column?.editor || column.canEdit?.(row) === false) return false;
  cell.setActive(at);
  setEditing({ id: props.rowId(row), column: column.id });
  return true;
}

/** Closes the editor, and focuses its cell or the one below. When the person has moved the focus elsewhere, it stays there. */
function closeEditor<Row>(options: InputOptions<Row>, move: 'down' | undefined): void {
  const { setEditing, cell, viewport } = options;
  const { row, column } = cell.active;
  setEditing(undefined);
  if (!document.activeElement || !isInEditor(document.activeElement)) return;
  moveTo(options, { row: move ? Math.min(row + 1, viewport.count - 1) : row, column });
}
