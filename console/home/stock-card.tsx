import { UNIT_STATUSES, UnitStatus } from '../parts/domain/status.tsx';
import { Card } from '../parts/page/card.tsx';
import { formatMoney, formatNumber } from '../parts/text/format.ts';
import { BarChart, FigureTable } from './chart/index.ts';
import { sumStock } from './figures.ts';
import { LoadingCard } from './loading-card.tsx';
import { toProjectFilter, useStockFigures } from './queries.ts';
import { texts } from './texts.ts';

const COLOURS: Record<string, string> = {
  Available: 'var(--green)',
  'Coming Soon': 'var(--blue)',
  'On Hold': 'var(--grey)',
  Reserved: 'var(--amber)',
  'Under Contract': 'var(--amber)',
  Unconditional: 'var(--violet)',
  Settled: 'var(--ink)',
  Withdrawn: 'var(--grey)',
};

/** The card of the units of one project or of all projects, by status, with the sums of their prices. */
export function StockCard({ project }: { project: string | null }) {
  const { data } = useStockFigures(project);
  if (data === undefined) return <LoadingCard title={texts.byStatus} />;
  const sums = UNIT_STATUSES.map((status) => ({ status, ...sumStock(data, [status]) })).filter(
    ({ count }) => count > 0,
  );
  const linkTo = (status: string): string =>
    `/stock?${new URLSearchParams({ status, ...toProjectFilter(project) })}`;
  return (
    <Card title={texts.byStatus}>
      <BarChart
        label={texts.byStatus}
        bars={sums.map(({ status, count }) => ({
          id: status,
          label: <UnitStatus status={status} />,
          value: count,
          to: linkTo(status),
          colour: COLOURS[status],
        }))}
      />
      {sums.length === 0 && <p>{texts.noUnits}</p>}
      <FigureTable
        caption={texts.byStatus}
        heads={[texts.status, texts.count, texts.value]}
        rows={sums.map(({ status, count, values }) => ({
          label: status,
          values: [
            formatNumber(count),
            values.map(({ currency, value }) => (
              <p key={currency}>{formatMoney(value, currency || undefined)}</p>
            )),
          ],
        }))}
      />
    </Card>
  );
}
