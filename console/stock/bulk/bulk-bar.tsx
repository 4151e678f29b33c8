import { lazy, Suspense, useState } from 'react';
import type { Unit } from '../../api.ts';
import { Button } from '../../parts/button.tsx';
import {
  ALL_SELECTED,
  countSelected,
  NOTHING_SELECTED,
  type Selection,
} from '../../parts/grid/index.ts';
import type { UnitQuery } from '../filter.ts';
import { keepFocus, keepRowInView } from '../keep-focus.ts';
import { texts } from './texts.ts';
import './bulk.css';

const BulkDialog = lazy(() => import('./bulk-dialog.tsx'));

interface BulkBarProps {
  selection: Selection;
  onSelection: (selection: Selection) => void;
  filter: UnitQuery;
  rows: readonly (Unit | undefined)[];
  total: number;
}

/** The bar shortens the grid. Scroll the focused row back into view. When the bar goes, its focus moves to the grid. */
function watchBar(bar: HTMLElement | null): () => void {
  keepRowInView();
  return keepFocus(bar);
}

/** The bar of actions on the selected units. It is shown while units are selected. */
export default function BulkBar({ selection, onSelection, filter, rows, total }: BulkBarProps) {
  const [action, setAction] = useState<'status' | 'price'>();
  const count = countSelected(selection, total);
  const clear = (): void => onSelection(NOTHING_SELECTED);
  return (
    <div className="bulk-bar" role="group" ref={watchBar} aria-label={texts.selected(count)}>
      <p role="status">{texts.selected(count)}</p>
      {count < total && (
        <Button look="bare" onClick={() => onSelection(ALL_SELECTED)}>
          {texts.selectAll(total)}
        </Button>
      )}
      <Button onClick={() => setAction('status')}>{texts.status}</Button>
      <Button onClick={() => setAction('price')}>{texts.price}</Button>
      <Button look="bare" onClick={clear}>
        {texts.clear}
      </Button>
      {action !== undefined && (
        <Suspense>
          <BulkDialog
            action={action}
            selection={selection}
            filter={filter}
            rows={rows}
            count={count}
            onClose={() => setAction(undefined)}
            onDone={() => {
              setAction(undefined);
              clear();
            }}
          />
        </Suspense>
      )}
    </div>
  );
}
