import { useMemo } from 'react';
import { api, type Change } from '../api.ts';
import { pageTitles } from '../frame/texts.ts';
import { useAddress } from '../parts/browser/address.ts';
import { Button } from '../parts/button/button.tsx';
import { Grid, useGridPages, type PageRequest } from '../parts/grid/index.ts';
import { Page } from '../parts/page/page.tsx';
import { Empty, LoadError } from '../parts/page/states.tsx';
import { formatCount, formatNumber } from '../parts/text/format.ts';
import { useSession } from '../session/session.tsx';
import { makeColumns } from './columns.tsx';
import { Filters } from './filters.tsx';
import { FILTER_NAMES, makeQuery, readFilter, type AuditFilter } from './query.ts';
import { texts } from './texts.ts';
import { useNames } from './use-names.ts';
import { findAddress } from './values.ts';
import './audit.css';

const PAGE_SIZE = 100;
const rowId = ({ id }: Change): string => id;

async function readPage(filter: AuditFilter, timeZone: string, page: PageRequest) {
  const { cursor, limit, count } = page;
  const { data } = await api.GET('/changes', {
    params: {
      query: {
        ...makeQuery(filter, timeZone),
        limit,
        ...(cursor !== undefined && { cursor }),
        ...(count && { count }),
      },
    },
  });
  const { nextCursor, totalCount, totalCountIsExact } = data.pagination;
  return { rows: data.data, next: nextCursor, totalCount, isTotalExact: totalCountIsExact };
}

/** The page of all changes: who changed what, when, from which value to which. */
export function Audit() {
  const { me } = useSession();
  const { timeZone } = me.account;
  const { query, change, navigate } = useAddress();
  const filter = readFilter(query);
  const pages = useGridPages<Change>({
    noun: 'change',
    filter,
    place: 'audit',
    pageSize: PAGE_SIZE,
    rowId,
    read: (page) => readPage(filter, timeZone, page),
  });
  const findName = useNames(pages.grid.rows);
  const { columns, phoneRow } = useMemo(() => makeColumns(findName), [findName]);
  const isFiltered = FILTER_NAMES.some((name) => filter[name] !== '');

  function open(row: Change): void {
    const address = findAddress(row);
    if (address !== undefined) navigate(address);
  }

  return (
    <Page
      title={pageTitles.audit}
      count={describeCount(pages.grid)}
      actions={
        pages.news.added > 0 && (
          <Button onClick={pages.showNews}>
            {texts.news(formatCount(pages.news.added, texts.change, texts.changes))}
          </Button>
        )
      }
      tools={<Filters filter={filter} onChange={(changes) => change(changes, { replace: true })} />}
      isFull
    >
      {pages.error !== null && <LoadError error={pages.error} onRetry={pages.retry} />}
      {pages.isEmpty && <Empty>{isFiltered ? texts.noFit : texts.empty}</Empty>}
      {!pages.isEmpty && pages.error === null && (
        <Grid
          {...pages.grid}
          label={texts.label}
          columns={columns}
          columnsKey="audit"
          place="audit"
          onOpen={open}
          phoneRow={phoneRow}
        />
      )}
    </Page>
  );
}

function describeCount({
  totalCount,
  isTotalExact,
}: {
  totalCount?: number | undefined;
  isTotalExact?: boolean | undefined;
}): string | undefined {
  if (totalCount === undefined) return undefined;
  return isTotalExact === false
    ? texts.moreThan(formatNumber(totalCount))
    : formatCount(totalCount, texts.change, texts.changes);
}
