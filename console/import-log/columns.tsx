import type { ImportRecord } from '../api.ts';
import { Icon } from '../parts/button/icon.tsx';
import type { Column } from '../parts/grid/index.ts';
import { formatShortTime } from '../parts/text/format.ts';
import { describeReason, isOpen } from './data.ts';
import { texts } from './texts.ts';

/** Describes the outcome of an import in words. */
export function describeOutcome({ outcome, settlement, undoneAt }: ImportRecord): string {
  if (undoneAt !== null) return texts.undone;
  if (settlement !== null) return texts.settlements[settlement] ?? settlement;
  return texts.outcomes[outcome] ?? outcome;
}

/** The outcome of an import: a mark and its words. */
function Outcome({ record }: { record: ImportRecord }) {
  return (
    <span className={isOpen(record) ? 'log-outcome log-outcome-open' : 'log-outcome'}>
      <Icon
        name={
          isOpen(record)
            ? 'warning'
            : record.settlement === 'dismissed' || record.undoneAt !== null
              ? 'close'
              : 'check'
        }
      />
      {describeOutcome(record)}
    </span>
  );
}

const describeRow = ({ row }: ImportRecord): string => (row == null ? '' : texts.row(row));

export const COLUMNS: readonly Column<ImportRecord>[] = [
  {
    id: 'receivedAt',
    title: texts.columns.receivedAt,
    width: 190,
    isName: true,
    address: ({ id }) => `/imports?id=${id}`,
    cell: ({ receivedAt }) => formatShortTime(receivedAt),
  },
  {
    id: 'channel',
    title: texts.columns.channel,
    width: 112,
    cell: ({ channel }) => texts.channels[channel] ?? channel,
  },
  { id: 'actor', title: texts.columns.actor, width: 150, cell: ({ actor }) => actor.name },
  { id: 'row', title: texts.columns.row, width: 110, cell: describeRow },
  {
    id: 'outcome',
    title: texts.columns.outcome,
    width: 190,
    cell: (record) => <Outcome record={record} />,
  },
  {
    id: 'reason',
    title: texts.columns.reason,
    width: 520,
    cell: describeReason,
  },
];

/** The two lines of an import on a phone. */
export const phoneRow = (record: ImportRecord) => (
  <>
    <span className="log-line">
      <Outcome record={record} /> · {formatShortTime(record.receivedAt)}
    </span>
    <span className="log-line soft">
      {[describeRow(record), describeReason(record) ?? record.actor.name]
        .filter(Boolean)
        .join(' · ')}
    </span>
  </>
);
