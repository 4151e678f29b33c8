import { useCallback, useMemo, useSyncExternalStore } from 'react';
import type { Column, ColumnLayout } from './types.ts';

/** The part of a column that its place and width need. */
export type LayoutColumn = Pick<Column<never>, 'id' | 'title' | 'width' | 'isName' | 'isHidden'>;

const PREFIX = 'offplan-columns:';
const CHANGED = 'offplan-columns-changed';
const MIN_WIDTH = 64;
const MAX_WIDTH = 800;

const limitWidth = (width: number) => Math.round(Math.min(Math.max(width, MIN_WIDTH), MAX_WIDTH));

/** The columns that are shown before a person chooses. */
function defaultLayout(columns: readonly LayoutColumn[]): ColumnLayout {
  return columns.filter(({ isHidden }) => !isHidden).map(({ id }) => ({ field: id }));
}

/** The columns that the person has set and not saved in a view; null: none. */
export function useStoredLayout(key: string): ColumnLayout | null {
  const text = useSyncExternalStore(listen, () => readText(key));
  return useMemo(() => parseLayout(text) ?? null, [text]);
}

/** Reads the stored columns, else `usual`, such as those of a view, and hears of changes, also those made in another tab. */
export function useColumnLayout(
  key: string | undefined,
  columns: readonly LayoutColumn[],
  usual?: ColumnLayout | null,
): { layout: ColumnLayout; setLayout: (layout: ColumnLayout | null) => void } {
  const text = useSyncExternalStore(listen, () => (key === undefined ? null : readText(key)));
  const layout = useMemo(
    () => parseLayout(text) ?? usual ?? defaultLayout(columns),
    [text, columns, usual],
  );
  const setLayout = useCallback(
    (layout: ColumnLayout | null) => key !== undefined && writeColumnLayout(key, layout),
    [key],
  );
  return { layout, setLayout };
}

/** Stores the columns of a list, such as those of a view that a person opens; null: the usual ones. */
export function writeColumnLayout(key: string, layout: ColumnLayout | null): void {
  try {
    if (layout) localStorage.setItem(PREFIX + key, JSON.stringify(layout));
    else localStorage.removeItem(PREFIX + key);
  } catch {
    // Without storage the usual columns stay.
  }
  window.dispatchEvent(new Event(CHANGED));
}

/** Gives the shown columns with their widths, the name column first. */
export function applyLayout<C extends LayoutColumn>(
  columns: readonly C[],
  layout: ColumnLayout,
): C[] {
  const shown = layout.flatMap(({ field, width }) => {
    const column = columns.find(({ id }) => id === field);
    return column ? [{ ...column, width: limitWidth(width ?? column.width) }] : [];
  });
  const name = columns.find(({ isName }) => isName);
  const others = shown.filter(({ isName }) => !isName);
  return name ? [shown.find(({ isName }) => isName) ?? name, ...others] : others;
}

export function setWidth(layout: ColumnLayout, field: string, width: number): ColumnLayout {
  const entry = { field, width: limitWidth(width) };
  return layout.some((each) => each.field === field)
    ? layout.map((each) => (each.field === field ? entry : each))
    : [entry, ...layout];
}

function listen(onChange: () => void): () => void {
  window.addEventListener('storage', onChange);
  window.addEventListener(CHANGED, onChange);
  return () => {
    window.removeEventListener('storage', onChange);
    window.removeEventListener(CHANGED, onChange);
  };
}

function readText(key: string): string | null {
  try {
    return localStorage.getItem(PREFIX + key);
  } catch {
    return null;
  }
}

function parseLayout(text: string | null): ColumnLayout | undefined {
  try {
    const value: unknown = text === null ? undefined : JSON.parse(text);
    return Array.isArray(value) ? (value as ColumnLayout) : undefined;
  } catch {
    return undefined;
  }
}
