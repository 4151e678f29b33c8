import { Link } from 'wouter';
import { findName, useUsers } from '../parts/domain/names.ts';
import { Card } from '../parts/page/card.tsx';
import { Help } from '../parts/popup/help.tsx';
import { formatNumber } from '../parts/text/format.ts';
import { useSession } from '../session/session.tsx';
import { BarChart, FigureTable } from './chart/index.ts';
import { LoadingCard } from './loading-card.tsx';
import { linkToContacts, toCreatedFilter, type Span } from './period.ts';
import { toProjectFilter, useResponseFigures } from './queries.ts';
import { texts } from './texts.ts';

/** The card that shows how soon each person answered their contacts. */
export function ResponseCard({ span, project }: { span: Span; project: string | null }) {
  const { data } = useResponseFigures(span, project);
  const users = useUsers();
  const { me } = useSession();
  if (data === undefined) return <LoadingCard title={texts.response} />;
  const nameOf = (id: string | null | undefined): string =>
    id == null ? texts.none.user : findName(users, id, texts.gone);
  const created = toCreatedFilter(span, me.account.timeZone);
  const linkTo = (userId: string | null | undefined): string =>
    linkToContacts({
      ...created,
      ...toProjectFilter(project),
      assignedTo: userId ?? 'none',
    });
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
          to: linkTo(userId),
        }))}
      />
      <FigureTable
        caption={texts.response}
        heads={[texts.person, texts.contacts, texts.median]}
        rows={data.map(({ userId, contacts, medianSeconds }) => ({
          label: nameOf(userId),
          values: [
            <Link key="contacts" href={linkTo(userId)}>
              {formatNumber(contacts)}
            </Link>,
            medianSeconds === null ? '' : texts.seconds(medianSeconds),
          ],
        }))}
      />
    </Card>
  );
}
