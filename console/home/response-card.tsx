import { Card } from '../parts/card.tsx';
import { BarChart, FigureTable } from '../parts/chart/index.ts';
import { formatNumber } from '../parts/format.ts';
import { Help } from '../parts/help.tsx';
import { findName, useUsers } from '../parts/names.ts';
import { LoadingCard } from './loading-card.tsx';
import type { Span } from './period.ts';
import { useResponseFigures } from './queries.ts';
import { texts } from './texts.ts';

/** The card that shows how soon each person answered their contacts. */
export function ResponseCard({ span }: { span: Span }) {
  const { data } = useResponseFigures(span);
  const users = useUsers();
  if (data === undefined) return <LoadingCard title={texts.response} />;
  const nameOf = (id: string | null | undefined): string =>
    id == null ? texts.none.user : findName(users, id, texts.gone);
  const answered = data.filter(({ medianSeconds }) => medianSeconds !== null);
  return (
    <Card title={texts.response} help={<Help word={texts.response}>{texts.responseHelp}</Help>}>
      {answered.length === 0 && <p>{texts.responseNone}</p>}
      <BarChart
        label={texts.response}
        bars={answered.map(({ userId, medianSeconds }) => ({
          id: userId ?? 'none',
          label: nameOf(userId),
          value: medianSeconds ?? 0,
          figure: texts.seconds(medianSeconds ?? 0),
        }))}
      />
      <FigureTable
        caption={texts.response}
        heads={[texts.person, texts.contacts, texts.median]}
        rows={data.map(({ userId, contacts, medianSeconds }) => ({
          label: nameOf(userId),
          values: [
            formatNumber(contacts),
            medianSeconds === null ? '' : texts.seconds(medianSeconds),
          ],
        }))}
      />
    </Card>
  );
}
