import { Notice } from '../parts/message/notice.tsx';
import { UNITS_MAX_COUNT } from '../stock/unit-data.ts';
import { ChangePreview } from '../stock/bulk/change-preview.tsx';
import { RefusedRows } from '../stock/bulk/refused-rows.tsx';
import { stockTexts } from '../stock/stock-texts.ts';
import type { ListPlan } from './send-list.ts';
import { texts } from './texts.ts';

interface ListPreviewProps {
  plan: ListPlan;
  onReload: () => Promise<void>;
  onBack?: () => void;
  onDone: () => void;
}

/** Shows which units a price list changes and which of its rows are refused, and stores it when the person agrees. */
export function ListPreview({ plan, ...actions }: ListPreviewProps) {
  const { planned, unchanged, refused, ignoredColumns } = plan;
  const rows = new Set(refused.map(({ row }) => row)).size;
  return (
    <>
      <RefusedRows
        title={texts.leftOut(rows)}
        head={[texts.row, texts.column, texts.reason]}
        rows={refused.map(({ row, column, reason }) => ({
          id: `${row} ${column} ${reason}`,
          cells: [row, stockTexts.fields[column] ?? column, reason],
        }))}
      />
      {ignoredColumns.length > 0 && (
        <Notice look="warning">{texts.ignored(ignoredColumns.join(', '))}</Notice>
      )}
      {planned.length > UNITS_MAX_COUNT ? (
        <Notice look="error">{texts.tooMany}</Notice>
      ) : (
        <ChangePreview
          key={planned.map(({ etag }) => etag).join()}
          planned={planned}
          unchanged={unchanged}
          {...actions}
        />
      )}
    </>
  );
}
