import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Help } from '../parts/popup/help.tsx';
import { formatAgoInSentence, formatMoney, formatNumber } from '../parts/text/format.ts';
import { useSession } from '../session/session.tsx';
import { countSince, sumStock, type StockSum } from './figures.ts';
import { linkToContacts, toCreatedFilter, toLastDays, type Span } from './period.ts';
import {
  toProjectFilter,
  useLeadFigures,
  useOpenRefused,
  useResponseFigures,
  useStockFigures,
  useWaiting,
} from './queries.ts';
import { texts } from './texts.ts';

const SOLD = ['Under Contract', 'Unconditional', 'Settled'];

interface TilesProps {
  today: string;
  span: Span;
  project: string | null;
}

/** The tiles of the current figures, each with a link to its list. */
export function Tiles({ today, span, project }: TilesProps) {
  const { can } = useSession();
  const isManager = can('contacts:manage');
  const { data: refused } = useOpenRefused(isManager);
  const { data: stock } = useStockFigures(project);
  return (
    <ul className="home-tiles">
      <NewLeads today={today} project={project} />
      <Waiting project={project} />
      <StockTile
        title={texts.reserved}
        statuses={['Reserved']}
        project={project}
        sum={stock && sumStock(stock, ['Reserved'])}
      />
      <StockTile
        title={texts.sold}
        help={texts.soldHelp}
        statuses={SOLD}
        project={project}
        sum={stock && sumStock(stock, SOLD)}
      />
      {isManager && (
        <Tile
          title={texts.refused}
          to="/imports?outcome=refused&open=true"
          figure={refused?.totalCount}
          isMore={refused?.totalCountIsExact === false}
        >
          {refused && (refused.totalCount === 0 ? texts.refusedNone : texts.refusedOpen)}
        </Tile>
      )}
      <Response span={span} project={project} />
    </ul>
  );
}

function NewLeads({ today, project }: { today: string; project: string | null }) {
  const { me } = useSession();
  const { span, middle } = toLastDays(today);
  const { data } = useLeadFigures(span, project, 'day');
  const count = data && countSince(data, middle);
  const before = data && countSince(data, span.from) - countSince(data, middle);
  const filter = toCreatedFilter({ from: middle, to: span.to }, me.account.timeZone);
  return (
    <Tile
      title={texts.newLeads}
      to={linkToContacts({ ...filter, ...toProjectFilter(project) })}
      figure={count}
    >
      {count !== undefined && before !== undefined && describeChange(count - before)}
    </Tile>
  );
}

function describeChange(change: number): string {
  if (change === 0) return texts.same;
  return change > 0 ? texts.more(change) : texts.fewer(-change);
}

function Waiting({ project }: { project: string | null }) {
  const { data } = useWaiting(null, project, 1);
  const [oldest] = data?.contacts ?? [];
  const filter = { stage: 'New', sort: 'createdAt', ...toProjectFilter(project) };
  return (
    <Tile
      title={texts.waiting}
      to={`/contacts?${new URLSearchParams(filter)}`}
      figure={data?.count}
      isMore={data?.isExact === false}
    >
      {oldest === undefined
        ? data && texts.nobodyWaits
        : texts.oldest(formatAgoInSentence(oldest.createdAt))}
    </Tile>
  );
}

function StockTile({
  title,
  help,
  statuses,
  project,
  sum,
}: {
  title: string;
  help?: string;
  statuses: readonly string[];
  project: string | null;
  sum: StockSum | undefined;
}) {
  const filter = { status: statuses.join(), ...toProjectFilter(project) };
  return (
    <li className="tile">
      <p className="tile-title">
        {title}
        {help !== undefined && <Help word={title}>{help}</Help>}
      </p>
      <Link href={`/stock?${new URLSearchParams(filter)}`} className="tile-figure">
        {sum === undefined ? '…' : texts.units(sum.count)}
      </Link>
      {sum?.values.map(({ currency, value }) => (
        <p key={currency}>{formatMoney(value, currency || undefined)}</p>
      ))}
      {sum !== undefined && sum.unpriced > 0 && (
        <p className="soft">{texts.unpriced(sum.unpriced)}</p>
      )}
    </li>
  );
}

function Response({ span, project }: { span: Span; project: string | null }) {
  const { data } = useResponseFigures(span, project);
  const { me, userId } = useSession();
  const mine = data?.find((figure) => figure.userId === userId);
  return (
    <li className="tile">
      <p className="tile-title">
        {texts.ownResponse}
        <Help word={texts.ownResponse}>{texts.responseHelp}</Help>
      </p>
      <p className="tile-figure">
        {data === undefined && '…'}
        {data !== undefined &&
          (mine?.medianSeconds == null ? texts.noTime : texts.seconds(mine.medianSeconds))}
      </p>
      {data !== undefined && (
        <p className="soft">
          {mine === undefined ? (
            texts.noOwn
          ) : (
            <Link
              href={linkToContacts({
                ...toCreatedFilter(span, me.account.timeZone),
                ...toProjectFilter(project),
                assignedTo: userId,
              })}
            >
              {texts.answered(mine.answered, mine.contacts)}
            </Link>
          )}
        </p>
      )}
    </li>
  );
}

function Tile({
  title,
  to,
  figure,
  isMore = false,
  children,
}: {
  title: string;
  to: string;
  figure: number | undefined;
  /** Whether the service stopped counting there: the real number is higher. */
  isMore?: boolean;
  children: ReactNode;
}) {
  return (
    <li className="tile">
      <p className="tile-title">{title}</p>
      <Link href={to} className="tile-figure">
        {figure === undefined ? '…' : formatNumber(figure)}
        {isMore && '+'}
      </Link>
      <p className="soft">{children}</p>
    </li>
  );
}
