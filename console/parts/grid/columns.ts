import { useCallback, useMemo, useSyncExternalStore } from 'react';
import type { Column, ColumnLayout } from './types.ts';

/** The members of a column that decide its place and width. */
export type LayoutColumn = Pick<Column<never>, 'id' | 'title' | 'width' | 'isName' | 'isHidden'>;

const PREFIX = 'offplan-columns:';
const CHANGED = 'offplan-columns-changed';
const MIN_WIDTH = 64;
const MAX_WIDTH = 800;

const limitWidth = (width: number) => Math.round(Math.min(Math.max(width, MIN_WIDTH), MAX_WIDTH));

/** Lists the columns to show when neither the person nor a view has chosen any. */
function defaultLayout(columns: readonly LayoutColumn[]): ColumnLayout {
  return columns.filter(({ isHidden }) => !isHidden).map(({ id }) => ({ field: id }));
}

/** Reads the columns that the browser stores under a key; null when it stores none. */
export function useStoredLayout(key: string): ColumnLayout | null {
  const text = useSyncExternalStore(listen, () => readText(key));
  return useMemo(() => parseLayout(text) ?? null, [text]);
}

/** Reads the stored columns, or else `usual` (for example those of a view), or else the default ones. It follows changes, also those of other tabs. */
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

/** Stores the columns of a list. Null removes them, so that the list shows its usual ones. */
export function writeColumnLayout(key: string, layout: ColumnLayout | null): void {
  try {
    if (layout) localStorage.setItem(PREFIX + key, JSON.stringify(layout));
    else localStorage.removeItem(PREFIX + key);
  } catch {
    // Without storage, the grid keeps its usual columns.
  }
  window.dispatchEvent(new Event(CHANGED));
}

/** Returns the columns of a layout with their widths, the name column first. */
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
