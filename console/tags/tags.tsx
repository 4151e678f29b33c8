import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Tag } from '../api.ts';
import { pageTitles } from '../frame/texts.ts';
import { Button } from '../parts/button/button.tsx';
import { useDebounced } from '../parts/form/debounce.ts';
import { Empty, LoadError, Skeleton } from '../parts/page/states.tsx';
import { useSession } from '../session/session.tsx';
import { ListSearch, SettingsPage } from '../settings/settings-page.tsx';
import { CreateTag } from './create-tag.tsx';
import { TagDialog, type TagAction } from './tag-dialogs.tsx';
import { TagsTable } from './tags-table.tsx';
import { texts } from './texts.ts';

/** The service counts the contacts of each tag, which takes a second or more for 100 tags of a large account. */
const PAGE_SIZE = 50;
const SEARCH_MAX_LENGTH = 200;

/** Reads the tags whose labels fit the search, by label. */
function useTagList(search: string) {
  const q = useDebounced(search.trim());
  return useInfiniteQuery({
    queryKey: ['tag', 'list', q],
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        limit: PAGE_SIZE,
        ...(q !== '' && { q }),
        ...(pageParam !== '' && { cursor: pageParam }),
      };
      return (await api.GET('/tags', { params: { query }, signal })).data;
    },
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.nextCursor,
    placeholderData: (before) => before,
  });
}

/** The page of the account's tags: how many contacts each has, and the ways to rename, merge and delete them. */
export function Tags() {
  const { can } = useSession();
  const [search, setSearch] = useState('');
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useTagList(search);
  const [dialog, setDialog] = useState<'create' | TagAction>();
  const close = (): void => setDialog(undefined);
  const tags: Tag[] | undefined = data?.pages.flatMap((page) => page.data);
  return (
    <SettingsPage
      title={pageTitles.tags}
      actions={
        can('settings:write') && (
          <Button look="filled" onClick={() => setDialog('create')}>
            {texts.add}
          </Button>
        )
      }
    >
      <div className="list-tools">
        <ListSearch
          label={texts.search}
          value={search}
          onSearch={setSearch}
          maxLength={SEARCH_MAX_LENGTH}
        />
      </div>
      {error !== null && <LoadError error={error} onRetry={() => void refetch()} />}
      {tags === undefined && error === null && <Skeleton look="rows" lines={6} />}
      {tags?.length === 0 && <Empty>{search.trim() === '' ? texts.empty : texts.noFit}</Empty>}
      {tags !== undefined && tags.length > 0 && <TagsTable tags={tags} onAction={setDialog} />}
      {hasNextPage && (
        <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {texts.showMore}
        </Button>
      )}
      {dialog === 'create' && <CreateTag onClose={close} />}
      {typeof dialog === 'object' && <TagDialog action={dialog} onClose={close} />}
    </SettingsPage>
  );
}
