import { formatNumber } from '../parts/text/format.ts';
import { BarChart, FigureTable, LineChart } from './chart/index.ts';
import { findName, useProjects, useUsers } from '../parts/domain/names.ts';
import { Stage } from '../parts/domain/status.tsx';
import { Card } from '../parts/page/card.tsx';
import { Link } from 'wouter';
import { useSession } from '../session/session.tsx';
import { LoadingCard } from './loading-card.tsx';
import { sumGroups, sumIntervals } from './figures.ts';
import {
  endOfWeek,
  formatPlainDay,
  linkToContacts,
  listWeeks,
  toCreatedFilter,
  type Span,
} from './period.ts';
import { type GroupBy, toProjectFilter, useLeadFigures } from './queries.ts';
import { texts } from './texts.ts';

interface LeadCardsProps {
  span: Span;
  weeks: number;
  project: string | null;
}

/** The cards of new leads in the period: by week, and by source or another group. */
export function LeadCards({ span, weeks, project }: LeadCardsProps) {
  return (
    <>
      <WeekCard span={span} weeks={weeks} project={project} />
      <GroupCard span={span} project={project} groupBy="source" title={texts.bySource} />
      {project === null && (
        <GroupCard span={span} project={null} groupBy="project" title={texts.byProject} />
      )}
      <GroupCard span={span} project={project} groupBy="stage" title={texts.byStage} />
      <GroupCard span={span} project={project} groupBy="user" title={texts.byPerson} />
    </>
  );
}

function WeekCard({ span, weeks, project }: LeadCardsProps) {
  const { me } = useSession();
  const { data } = useLeadFigures(span, project, 'week', 'source');
  if (data === undefined) return <LoadingCard title={texts.byWeek} className="home-wide" />;
  const totals = sumIntervals(data, listWeeks(span, weeks));
  const total = totals.reduce((sum, { newContacts }) => sum + newContacts, 0);
  const linkTo = (start: string): string =>
    linkToContacts({
      ...toCreatedFilter({ from: start, to: endOfWeek(start) }, me.account.timeZone),
      ...toProjectFilter(project),
    });
  const nameWeek = (start: string): string =>
    start === totals.at(-1)?.id ? texts.thisWeek : formatPlainDay(start);
  return (
    <Card title={texts.byWeek} className="home-wide">
      <LineChart
        summary={texts.summary(formatNumber(total), weeks)}
        points={totals.map(({ id, newContacts }) => ({ label: nameWeek(id), value: newContacts }))}
      />
      <FigureTable
        caption={texts.byWeek}
        heads={[texts.week, texts.leads, texts.enquiries]}
        rows={totals.toReversed().map(({ id, newContacts, enquiries }) => ({
          label: nameWeek(id),
          values: [
            <Link key={id} href={linkTo(id)}>
              {formatNumber(newContacts)}
            </Link>,
            formatNumber(enquiries),
          ],
        }))}
      />
    </Card>
  );
}

/** The filter of the contact list that belongs to each grouping. */
const FILTERS = {
  source: 'source',
  project: 'project',
  user: 'assignedTo',
  stage: 'stage',
} as const;

interface GroupCardProps {
  span: Span;
  project: string | null;
  groupBy: GroupBy;
  title: string;
}

function GroupCard({ span, project, groupBy, title }: GroupCardProps) {
  const { me } = useSession();
  // Ask for weeks when the group is the source: the card by week then shares this query.
  const { data } = useLeadFigures(span, project, groupBy === 'source' ? 'week' : 'month', groupBy);
  const nameGroup = useGroupNames(groupBy);
  if (data === undefined) return <LoadingCard title={title} />;
  const totals = sumGroups(data).filter(({ newContacts }) => newContacts > 0);
  const chosen = {
    ...toCreatedFilter(span, me.account.timeZone),
    ...toProjectFilter(project),
  };
  const linkTo = (id: string): string => linkToContacts({ ...chosen, [FILTERS[groupBy]]: id });
  return (
    <Card title={title}>
      {groupBy === 'project' && <p className="soft">{texts.byProjectNote}</p>}
      <BarChart
        label={title}
        bars={totals.map(({ id, newContacts }) => ({
          id,
          label: groupBy === 'stage' && id !== 'none' ? <Stage stage={id} /> : nameGroup(id),
          value: newContacts,
          to: linkTo(id),
        }))}
      />
      <FigureTable
        caption={title}
        heads={[texts.name, texts.leads, texts.enquiries]}
        rows={totals.map(({ id, newContacts, enquiries }) => ({
          label: nameGroup(id),
          values: [formatNumber(newContacts), formatNumber(enquiries)],
        }))}
      />
    </Card>
  );
}

function useGroupNames(groupBy: GroupBy): (id: string) => string {
  const projects = useProjects();
  const users = useUsers();
  return (id) => {
    if (id === 'none') return texts.none[groupBy];
    if (groupBy === 'project') return findName(projects, id, texts.gone);
    return groupBy === 'user' ? findName(users, id, texts.gone) : id;
  };
}
