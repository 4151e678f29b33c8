import { useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { pageTitles } from '../frame/texts.ts';
import { api } from '../api.ts';
import { FilterChoice, listOptions } from '../parts/form/filter-choice.tsx';
import { useAddress } from '../parts/browser/address.ts';
import { Button } from '../parts/button/button.tsx';
import { Page } from '../parts/page/page.tsx';
import { Empty, LoadError, Skeleton } from '../parts/page/states.tsx';
import { useSession } from '../session/session.tsx';
import { StockTabs } from '../stock/stock-tabs.tsx';
import { AddProject } from './add-project.tsx';
import { ProjectTable } from './project-table.tsx';
import { texts } from './texts.ts';
import './projects.css';

const PUBLICATIONS = ['live', 'draft', 'archived'] as const;
/** The shortest text that the API searches for. */
const SEARCH_MIN_LENGTH = 2;

/** The page of all projects. */
export function Projects() {
  const { can } = useSession();
  const { query, change } = useAddress();
  const [isAdding, setAdding] = useState(false);
  const list = useProjectList(useDeferredValue(query));
  const projects = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const total = list.data?.pages[0]?.pagination.totalCount;
  const isFiltered = query.has('q') || query.has('publication');
  const canWrite = can('projects:write');
  const isEmpty = list.data !== undefined && projects.length === 0 && !isFiltered;
  const addButton = canWrite && (
    <Button look="filled" icon="plus" onClick={() => setAdding(true)}>
      {texts.add}
    </Button>
  );
  return (
    <Page
      title={pageTitles.projects}
      count={
        total === undefined ? undefined : total > 10_000 ? texts.countMany : texts.count(total)
      }
      actions={!isEmpty && addButton}
      tools={
        <>
          <StockTabs chosen="projects" />
          <Filters />
        </>
      }
    >
      {list.error !== null && <LoadError error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Skeleton look="rows" lines={6} />}
      {list.data !== undefined && projects.length === 0 && (
        <Empty
          action={
            isFiltered ? (
              <Button onClick={() => change({ q: null, publication: null })}>{texts.clear}</Button>
            ) : (
              addButton
            )
          }
        >
          {isFiltered ? texts.filtered : canWrite ? texts.empty : texts.emptyReadOnly}
        </Empty>
      )}
      {projects.length > 0 && <ProjectTable projects={projects} />}
      {list.hasNextPage && (
        <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {texts.showMore}
        </Button>
      )}
      {isAdding && <AddProject onClose={() => setAdding(false)} />}
    </Page>
  );
}

function useProjectList(query: URLSearchParams) {
  const q = query.get('q') ?? '';
  const publication = PUBLICATIONS.find((each) => each === query.get('publication'));
  const sort = query.get('sort') === 'name' ? ('name' as const) : ('-updatedAt' as const);
  const filter = {
    sort,
    ...(q.length >= SEARCH_MIN_LENGTH && { q }),
    ...(publication !== undefined && { publication }),
  };
  return useInfiniteQuery({
    queryKey: ['project', 'list', filter],
    queryFn: async ({ pageParam }) => {
      const place = pageParam === undefined ? { count: true } : { cursor: pageParam };
      const params = { query: { ...filter, limit: 100, ...place } };
      return (await api.GET('/stock/projects', { params })).data;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
    placeholderData: (before) => before,
  });
}

function Filters() {
  const { query, change } = useAddress();
  return (
    <>
      <input
        type="search"
        className="control projects-search"
        aria-label={texts.search}
        placeholder={texts.search}
        value={query.get('q') ?? ''}
        onChange={({ target }) => change({ q: target.value }, { replace: true })}
      />
      <FilterChoice
        label={texts.publication}
        value={query.get('publication') ?? ''}
        options={[{ id: '', name: texts.allPublications }, ...listOptions(PUBLICATIONS, texts)]}
        onChange={(publication) => change({ publication })}
      />
      <FilterChoice
        label={texts.sort}
        value={query.get('sort') ?? ''}
        options={[
          { id: '', name: texts.sortByChange },
          { id: 'name', name: texts.sortByName },
        ]}
        onChange={(sort) => change({ sort })}
      />
    </>
  );
}
