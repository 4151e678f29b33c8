/**
 * The grid of all long lists: contacts, units, the import log, the audit.
 *
 * Create the columns and `phoneRow` once (as a constant, or with `useMemo`): new ones make all rows render again.
 * `useGridPages` loads the rows; its `grid` has the props that the grid needs. The parent must have a height.
 * Load `ColumnChooser` only when a person opens it: `lazyPart(() => import('../parts/grid/column-chooser.tsx'))`.
 */
export { useStoredLayout, writeColumnLayout } from './columns.ts';
export type { PageRequest } from './grid-list.ts';
export { Grid } from './grid.tsx';
export type { GridPage } from './pages.ts';
export { forgetPlace } from './place.ts';
export {
  ALL_SELECTED,
  countSelected,
  isSelected,
  NOTHING_SELECTED,
  toggleSelected,
} from './selection.ts';
export { useIsPhone } from './sizes.ts';
export type { Column, ColumnLayout, Selection } from './types.ts';
export { patchGridRows, useGridPages, type GridPages } from './use-grid-pages.ts';
export { useSelection } from './use-selection.ts';
