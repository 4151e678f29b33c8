import { pageTitles } from '../frame/texts.ts';
import { FilterChoice } from '../parts/form/filter-choice.tsx';
import { FindChoice } from '../parts/form/find-choice.tsx';
import { useAddress } from '../parts/browser/address.ts';
import { ButtonLink } from '../parts/button/button.tsx';
import { findName, useProjects } from '../parts/domain/names.ts';
import { Page } from '../parts/page/page.tsx';
import { Empty, LoadError } from '../parts/page/states.tsx';
import { useSession } from '../session/session.tsx';
import { LeadCards } from './lead-cards.tsx';
import { MyNext } from './my-next.tsx';
import { DEFAULT_WEEKS, PERIODS, toSpan } from './period.ts';
import { useLeadFigures } from './queries.ts';
import { ResponseCard } from './response-card.tsx';
import { StockCard } from './stock-card.tsx';
import { texts } from './texts.ts';
import { Tiles } from './tiles.tsx';
import { useToday } from './use-today.ts';
import { WebhookNotices } from './webhook-notices.tsx';
import './home.css';

/** The home page: the person's next contacts, and the figures of the account, each with a link to its list. */
export function Home() {
  const { me, can } = useSession();
  const { query } = useAddress();
  const weeks = PERIODS.find((each) => String(each) === query.get('weeks')) ?? DEFAULT_WEEKS;
  const project = query.get('project') || null;
  const today = useToday(me.account.timeZone);
  const span = toSpan(today, weeks);
  const leads = useLeadFigures(span, project, 'week', 'source');
  const { error, refetch } = leads;
  const of = findName(useProjects(), project ?? '', texts.allProjects);
  const isEmpty = leads.data?.length === 0 && project === null && !leads.isPlaceholderData;
  return (
    <Page
      title={pageTitles.home}
      count={<span className="paper-only">{`${of} · ${texts.weeks(weeks)}`}</span>}
      actions={<Choices weeks={weeks} project={project} />}
    >
      {error !== null && <LoadError error={error} onRetry={() => void refetch()} />}
      <div className="home">
        <WebhookNotices />
        <MyNext project={project} />
        <Tiles today={today} span={span} project={project} />
        {isEmpty ? (
          <Empty
            action={
              <>
                {can('contacts:manage') && <ButtonLink to="/import">{texts.import}</ButtonLink>}
                {can('keys:write') && <ButtonLink to="/settings/keys">{texts.connect}</ButtonLink>}
              </>
            }
          >
            {texts.emptyProgress}
          </Empty>
        ) : (
          <LeadCards span={span} weeks={weeks} project={project} />
        )}
        <StockCard project={project} />
        <ResponseCard span={span} project={project} />
      </div>
    </Page>
  );
}

function Choices({ weeks, project }: { weeks: number; project: string | null }) {
  const { change } = useAddress();
  const projects = useProjects();
  return (
    <>
      <FindChoice
        className="control home-choice"
        label={texts.project}
        value={project ?? ''}
        options={[{ id: '', name: texts.allProjects }, ...projects]}
        onChange={(value) => change({ project: value })}
      />
      <FilterChoice
        className="control home-choice"
        label={texts.period}
        value={String(weeks)}
        options={PERIODS.map((each) => ({ id: String(each), name: texts.weeks(each) }))}
        onChange={(value) => change({ weeks: value })}
      />
    </>
  );
}
