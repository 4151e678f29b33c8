import { useQuery } from '@tanstack/react-query';
import { api, type ContactFile } from '../api.ts';
import { ButtonLink } from '../parts/button/button.tsx';
import { texts } from './texts.ts';

type Run = NonNullable<ContactFile['run']>;

/**
 * A link to the contacts that an import created: those of the time of its run. A file can say when a contact came in; the list
 * would then lack it, so the link leads to the rows in the import log.
 */
export function NewContactsLink({ id, run }: { id: string; run: Run }) {
  const filter = {
    createdAfter: moveTime(run.startedAt, -1),
    createdBefore: moveTime(run.endedAt, 1),
    archived: 'any',
  } as const;
  const { data: count } = useQuery({
    queryKey: ['contact', 'imported-count', id, filter],
    queryFn: async ({ signal }) => {
      const query = { ...filter, count: true, limit: 1 };
      const { data } = await api.GET('/contacts', { params: { query }, signal });
      return data.pagination.totalCount ?? 0;
    },
  });
  if (count === undefined) return null;
  const isListed = count >= run.created;
  const to = isListed
    ? `/contacts?${new URLSearchParams(filter)}`
    : `/imports?file=${id}&show=created`;
  return <ButtonLink to={to}>{texts.report.showNew}</ButtonLink>;
}

/** Moves a time, because the bounds of the filter are exclusive. */
const moveTime = (at: string | null, byMs: number): string =>
  new Date(Date.parse(at ?? '') + byMs).toISOString();
