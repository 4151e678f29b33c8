import { Notice } from '../parts/notice.tsx';
import { UNITS_MAX_COUNT } from '../stock/bulk/batch.ts';
import { ChangePreview } from '../stock/bulk/change-preview.tsx';
import type { ListPlan } from './send-list.ts';
import { texts } from './texts.ts';

interface ListPreviewProps {
  plan: ListPlan;
  onReload: () => void;
  onBack?: () => void;
  onDone: () => void;
}

/** Shows which units a price list changes and which of its rows are refused, and stores it when the person agrees. */
export function ListPreview({ plan, ...actions }: ListPreviewProps) {
  const { planned, unchanged, refused, ignoredColumns } = plan;
  const rows = new Set(refused.map(({ row }) => row)).size;
  return (
    <>
      {refused.length > 0 && (
        <Notice look="error" title={texts.leftOut(rows)}>
          <table className="bulk-table">
            <thead>
              <tr>
                <th scope="col">{texts.row}</th>
                <th scope="col">{texts.column}</th>
                <th scope="col">{texts.reason}</th>
              </tr>
            </thead>
            <tbody>
              {refused.map(({ row, column, reason }) => (
                <tr key={`${row} ${column} ${reason}`}>
                  <td>{row}</td>
                  <td>{column}</td>
                  <td>{reason}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Notice>
      )}
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
