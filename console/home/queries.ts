import { useQuery } from '@tanstack/react-query';
import { api, type Contact } from '../api.ts';
import type { Span } from './period.ts';

export type GroupBy = 'source' | 'project' | 'user' | 'stage';
type Interval = 'day' | 'week' | 'month';

/** Makes the parameter that chooses one project; none for all projects. */
export const toProjectFilter = (project: string | null) => (project === null ? {} : { project });

/** Reads the figures of the leads of one project, or of all. Without `groupBy`, each interval has one figure. */
export function useLeadFigures(
  span: Span,
  project: string | null,
  interval: Interval,
  groupBy?: GroupBy,
) {
  return useQuery({
    queryKey: ['figures', 'leads', span, project, interval, groupBy],
    queryFn: async ({ signal }) => {
      const query = { ...span, ...toProjectFilter(project), interval, ...(groupBy && { groupBy }) };
      return (await api.GET('/stats/leads', { params: { query }, signal })).data.data;
    },
    placeholderData: (before) => before,
  });
}

export function useStockFigures(project: string | null) {
  return useQuery({
    queryKey: ['figures', 'stock', project],
    queryFn: async ({ signal }) => {
      const query = toProjectFilter(project);
      return (await api.GET('/stats/stock', { params: { query }, signal })).data.data;
    },
    placeholderData: (before) => before,
  });
}

export function useResponseFigures(span: Span, project: string | null) {
  return useQuery({
    queryKey: ['figures', 'response', span, project],
    queryFn: async ({ signal }) => {
      const query = { ...span, ...toProjectFilter(project) };
      return (await api.GET('/stats/response', { params: { query }, signal })).data.data;
    },
    placeholderData: (before) => before,
  });
}

interface Waiting {
  contacts: Contact[];
  count: number;
  isExact: boolean;
}

/** Reads the contacts at the stage New, the oldest first: those of one person, or all. */
export function useWaiting(assignedTo: string | null, project: string | null, limit: number) {
  return useQuery({
    queryKey: ['contact', 'waiting', assignedTo, project, limit],
    queryFn: async ({ signal }): Promise<Waiting> => {
      const query = {
        stage: 'New',
        sort: 'createdAt',
        include: 'links',
        count: true,
        limit,
        ...(assignedTo !== null && { assignedTo }),
        ...toProjectFilter(project),
      } as const;
      const { data, pagination } = (await api.GET('/contacts', { params: { query }, signal })).data;
      const { totalCount = 0, totalCountIsExact = true } = pagination;
      return { contacts: data, count: totalCount, isExact: totalCountIsExact };
    },
  });
}

/** Counts the refused imports that are not settled, for a person who may see the import log. */
export function useOpenRefused(isAllowed: boolean) {
  return useQuery({
    queryKey: ['import', 'open-count'],
    queryFn: async ({ signal }) => {
      const query = { outcome: 'refused', open: true, count: true, limit: 1 } as const;
      return (await api.GET('/imports', { params: { query }, signal })).data.pagination;
    },
    enabled: isAllowed,
  });
}
