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

/** The bar of actions on the selected units. It is shown while units are selected. */
export function BulkBar({ selection, onSelection, filter, rows, total }: BulkBarProps) {
  const [act, setAct] = useState<'status' | 'price'>();
  const count = countSelected(selection, total);
  if (count === 0) return null;
  const clear = (): void => onSelection(NOTHING_SELECTED);
  return (
    <div className="bulk-bar" role="group" aria-label={texts.selected(count)}>
      <p role="status">{texts.selected(count)}</p>
      {count < total && (
        <Button look="bare" onClick={() => onSelection(ALL_SELECTED)}>
          {texts.selectAll(total)}
        </Button>
      )}
      <Button onClick={() => setAct('status')}>{texts.status}</Button>
      <Button onClick={() => setAct('price')}>{texts.price}</Button>
      <Button look="bare" onClick={clear}>
        {texts.clear}
      </Button>
      {act !== undefined && (
        <Suspense>
          <BulkDialog
            act={act}
            selection={selection}
            filter={filter}
            rows={rows}
            count={count}
            onClose={() => setAct(undefined)}
            onDone={() => {
              setAct(undefined);
              clear();
            }}
          />
        </Suspense>
      )}
    </div>
  );
}
