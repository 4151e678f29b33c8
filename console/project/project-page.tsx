import { Link } from 'wouter';
import { pageTitles } from '../frame/texts.ts';
import { ProblemError, type Project } from '../api.ts';
import { useAddress } from '../parts/browser/address.ts';
import { Publication } from '../parts/domain/status.tsx';
import { NotFound, PageError, PageSkeleton } from '../parts/page/page-states.tsx';
import { Page } from '../parts/page/page.tsx';
import { Tabs } from '../parts/page/tabs.tsx';
import { Help } from '../parts/popup/help.tsx';
import { PriceList } from '../price-list/price-list.tsx';
import { useProject } from '../stock/project-data.ts';
import { UnitActions } from '../stock/unit-actions.tsx';
import { UnitTools } from '../stock/unit-tools.tsx';
import { Details } from './details.tsx';
import { Pictures } from './pictures.tsx';
import { Preview } from './preview.tsx';
import { PublicationActions } from './publication-actions.tsx';
import { texts } from './texts.ts';
import { Units } from './units.tsx';
import './project.css';

const TABS = {
  units: Units,
  details: Details,
  pictures: Pictures,
  'price-list': PriceList,
  preview: Preview,
};
const TAB_IDS = Object.keys(TABS) as (keyof typeof TABS)[];

/** The page of one project. */
export function ProjectPage({ id }: { id: string }) {
  const { data: project, error, refetch } = useProject(id);
  if (error instanceof ProblemError && error.status === 404) return <NotFound />;
  if (project === undefined && error !== null)
    return <PageError error={error} onRetry={() => void refetch()} />;
  if (project === undefined) return <PageSkeleton />;
  return <LoadedProject project={project} />;
}

function LoadedProject({ project }: { project: Project }) {
  const { query } = useAddress();
  const tab = TAB_IDS.find((each) => each === query.get('tab')) ?? 'units';
  const Content = TABS[tab];
  const { name = '', publication = 'draft' } = project;
  const isUnits = tab === 'units';
  return (
    <Page
      title={name}
      above={<Link href="/stock/projects">{pageTitles.projects}</Link>}
      count={
        <span className="screen-only">
          <Publication of={publication} />{' '}
          <Help word={texts.publication}>{texts.publicationHelp}</Help>
        </span>
      }
      actions={
        <>
          {isUnits && <UnitActions projectId={project.id} />}
          <PublicationActions project={project} />
        </>
      }
      tools={
        <>
          <Tabs
            label={texts.parts}
            tabs={TAB_IDS.map((each) => ({ id: each, title: texts.tabs[each] }))}
            chosen={tab}
          />
          {isUnits && <UnitTools projectId={project.id} />}
        </>
      }
      isFull={isUnits}
    >
      <Content project={project} />
    </Page>
  );
}
