import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { api, listItems, type Contact, type ImportRecord } from '../api.ts';
import type { TakeFrom } from './differences.ts';

export interface DuplicateGroup {
  email: string;
  contacts: readonly Contact[];
}

const PAGE_SIZE = 50;

interface Page {
  data: DuplicateGroup[];
  pagination: { nextCursor?: string | null; totalCount?: number };
}

/** Reads the emails that several contacts have. */
export const useGroups = () =>
  useInfiniteQuery({
    queryKey: ['duplicate', 'list'],
    initialPageParam: '',
    getNextPageParam: ({ pagination }: Page) => pagination.nextCursor ?? undefined,
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        limit: PAGE_SIZE,
        ...(pageParam === '' ? { count: true } : { cursor: pageParam }),
      };
      return (await api.GET('/contacts/duplicates', { params: { query }, signal })).data;
    },
  });

export type GroupsQuery = ReturnType<typeof useGroups>;

const READ_MAX_COUNT = 1_000;

/** Reads the open leads that were refused because several contacts have their email. */
export function useRefusedLeads(): readonly ImportRecord[] {
  const { data } = useQuery({
    queryKey: ['import', 'refused-duplicates'],
    queryFn: async ({ signal }) => {
      const query = { outcome: 'refused', open: true, code: 'duplicate_contacts' } as const;
      const found: ImportRecord[] = [];
      for await (const lead of listItems(api, '/imports', { params: { query }, signal }))
        if (found.push(lead) >= READ_MAX_COUNT) break;
      return found;
    },
  });
  return data ?? NONE;
}

const NONE: readonly never[] = [];

/** Finds the refused leads that a merge of these contacts would let in. */
export function findLeads(
  leads: readonly ImportRecord[],
  { contacts }: DuplicateGroup,
): ImportRecord[] {
  const ids = new Set(contacts.map(({ id }) => id));
  return leads.filter(({ problem }) => {
    const { matchingContactIds = [] } = (problem ?? {}) as { matchingContactIds?: string[] };
    return matchingContactIds.some((id) => ids.has(id));
  });
}

export interface MergeBody {
  duplicateIds: string[];
  /** The contacts, by their ids, from which fields take their values. */
  takeFrom: TakeFrom;
}

/** Previews a merge. The query is off during the merge itself, which deletes the duplicates. */
export const useMergePreview = (
  keptId: string,
  body: MergeBody,
  { isMerging }: { isMerging: boolean },
) =>
  useQuery({
    queryKey: ['contact', 'merge-preview', keptId, body],
    queryFn: () => merge(keptId, body, { dryRun: 'true' }),
    enabled: !isMerging,
    placeholderData: (before) => before,
  });

export async function merge(keptId: string, body: MergeBody, query: { dryRun?: 'true' } = {}) {
  const { data } = await api.POST('/contacts/{contactId}/merge', {
    params: { path: { contactId: keptId }, query },
    body,
  });
  return data;
}
