import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api, type ContactFile } from '../api.ts';
import { Button } from '../parts/button/button.tsx';
import { Empty, LoadError, Skeleton } from '../parts/page/states.tsx';
import { formatTime } from '../parts/text/format.ts';
import { FILES_KEY, isBusy } from './files.ts';
import { describeCounts, texts } from './texts.ts';

const POLL_MS = 2_000;

/** The list of uploaded files, the newest first. */
export function PastFiles() {
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: FILES_KEY,
    queryFn: async ({ pageParam }) => {
      const query = { limit: 20, ...(pageParam !== '' && { cursor: pageParam }) };
      return (await api.GET('/contact-files', { params: { query } })).data;
    },
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.nextCursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.data.some(isBusy)) === true ? POLL_MS : false,
  });
  const files = data?.pages.flatMap((page) => page.data);
  return (
    <section className="import-past" aria-labelledby="import-past-title">
      <h2 id="import-past-title">{texts.list.past}</h2>
      {files === undefined && error !== null && (
        <LoadError error={error} onRetry={() => void refetch()} />
      )}
      {files === undefined && error === null && <Skeleton lines={5} />}
      {files?.length === 0 && <Empty>{texts.list.none}</Empty>}
      {files !== undefined && files.length > 0 && (
        <ul className="import-files">
          {files.map((file) => (
            <PastFile key={file.id} file={file} />
          ))}
        </ul>
      )}
      {hasNextPage && <Button onClick={() => void fetchNextPage()}>{texts.list.more}</Button>}
    </section>
  );
}

function PastFile({ file }: { file: ContactFile }) {
  const { id, name, status, run, actor, createdAt } = file;
  const isTry = run?.dryRun === true && isBusy(file);
  return (
    <li>
      <Link href={`/import/${id}`} className="import-file">
        <span className="import-name">{name}</span>
        <span className={`import-status import-status-${status}`}>
          {isTry ? texts.dryRun : texts.status[status]}
        </span>
        <span className="import-file-counts">{describeCounts(file)}</span>
        <span className="import-file-by">{texts.list.by(actor.name, formatTime(createdAt))}</span>
      </Link>
    </li>
  );
}
