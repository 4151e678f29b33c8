import { Button } from '../parts/button/button.tsx';
import { SelectionBar } from '../parts/list/list-foot.tsx';
import { MenuButton } from '../parts/popup/menu.tsx';
import { formatNumber } from '../parts/text/format.ts';
import {
  ALL_SELECTED,
  countSelected,
  NOTHING_SELECTED,
  type Selection,
} from '../parts/grid/index.ts';
import type { BulkQuestion } from './bulk-question.tsx';
import { bulkTexts as texts } from './dialog-texts.ts';

/** The most contacts that one bulk change of the console may have. */
const BULK_MAX_COUNT = 10_000;

interface BarProps {
  selection: Selection;
  onSelectionChange: (selection: Selection) => void;
  totalCount: number;
  isTotalExact: boolean;
  onAsk: (question: BulkQuestion) => void;
}

/** Shows the number of selected contacts and the actions on them. */
export default function BulkBar({
  selection,
  onSelectionChange,
  totalCount,
  isTotalExact,
  onAsk,
}: BarProps) {
  const count = countSelected(selection, totalCount);
  const isExact = !selection.all || isTotalExact;
  const isTooMany = count > BULK_MAX_COUNT || !isExact;
  return (
    <SelectionBar label={texts.selected(count, isExact)}>
      {isTooMany ? (
        <span>{texts.tooMany(BULK_MAX_COUNT)}</span>
      ) : (
        <>
          <Button onClick={() => onAsk('stage')}>{texts.stage}</Button>
          <Button onClick={() => onAsk('assign')}>{texts.assign}</Button>
          <MenuButton
            label={texts.tags}
            choices={[
              { id: 'addTag', label: texts.addTag },
              { id: 'removeTag', label: texts.removeTag },
            ]}
            onChoose={(id) => onAsk(id as BulkQuestion)}
          />
          <Button onClick={() => onAsk('archive')}>{texts.archive}</Button>
        </>
      )}
      {!selection.all && count < totalCount && (
        <Button look="bare" onClick={() => onSelectionChange(ALL_SELECTED)}>
          {texts.all(formatNumber(totalCount))}
        </Button>
      )}
      <Button look="bare" onClick={() => onSelectionChange(NOTHING_SELECTED)}>
        {texts.clear}
      </Button>
    </SelectionBar>
  );
}
