import type { ComponentProps } from 'react';
import { ChangePreview } from './change-preview.tsx';
import { RefusedRows, type RefusedRow } from './refused-rows.tsx';
import { texts } from './preview-texts.ts';

type Props = ComponentProps<typeof ChangePreview> & { refused: readonly RefusedRow[] };

/** The second step of a bulk change: the units that are refused, and what changes of the others. */
export default function BulkPreview({ refused, ...preview }: Props) {
  return (
    <div className="bulk-preview" role="group" aria-label={texts.previewName} tabIndex={-1}>
      <RefusedRows
        title={texts.leftOut(refused.length)}
        head={[texts.unit, texts.reason]}
        rows={refused}
      />
      <ChangePreview key={preview.planned.map(({ etag }) => etag).join()} {...preview} />
    </div>
  );
}
