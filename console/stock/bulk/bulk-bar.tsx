import { useState } from 'react';
import type { Unit } from '../../api.ts';
import { Button } from '../../parts/button/button.tsx';
import {
  ALL_SELECTED,
  countSelected,
  NOTHING_SELECTED,
  type Selection,
} from '../../parts/grid/index.ts';
import { lazyDialog } from '../../parts/page/lazy-part.tsx';
import type { UnitQuery } from '../filter.ts';
import { SelectionBar } from '../../parts/list/list-foot.tsx';
import { texts } from './texts.ts';

const BulkDialog = lazyDialog(() => import('./bulk-dialog.tsx'));

interface BulkBarProps {
  selection: Selection;
  onSelection: (selection: Selection) => void;
  filter: UnitQuery;
  rows: readonly (Unit | undefined)[];
  total: number;
  /** Called after a change of the units, and after its Undo. */
  onStored: () => void;
}

/** The bar of actions on the selected units. It is shown while units are selected. */
export default function BulkBar({
  selection,
  onSelection,
  filter,
  rows,
  total,
  onStored,
}: BulkBarProps) {
  const [action, setAction] = useState<'status' | 'price'>();
  const count = countSelected(selection, total);
  const clear = (): void => onSelection(NOTHING_SELECTED);
  return (
    <SelectionBar label={texts.selected(count)}>
      <Button onClick={() => setAction('status')}>{texts.status}</Button>
      <Button onClick={() => setAction('price')}>{texts.price}</Button>
      {count < total && (
        <Button look="bare" onClick={() => onSelection(ALL_SELECTED)}>
          {texts.selectAll(total)}
        </Button>
      )}
      <Button look="bare" onClick={clear}>
        {texts.clear}
      </Button>
      {action !== undefined && (
        <BulkDialog
          title={texts[action]}
          selected={texts.selected(count)}
          action={action}
          selection={selection}
          filter={filter}
          rows={rows}
          count={count}
          onStored={onStored}
          onClose={() => setAction(undefined)}
          onDone={() => {
            setAction(undefined);
            clear();
          }}
        />
      )}
    </SelectionBar>
  );
}
