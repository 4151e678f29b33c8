import { useQuery } from '@tanstack/react-query';
import { nameFields, toSentence } from '../parts/text/sentence.ts';
import { toBounds } from '../parts/time/days.ts';
import { nameLeadField } from './field-texts.ts';
import { api, ProblemError, type components, type ImportRecord } from '../api.ts';

export type ImportDetail = components['schemas']['ImportDetail'];

/** The filter of the log, as the API's parameters. */
export interface LogFilter {
  open?: boolean;
  outcome?: string;
  channel?: string;
  code?: string;
  file?: string;
  receivedAfter?: string;
  receivedBefore?: string;
}

/** A problem, as the log stores it. */
export interface StoredProblem {
  code: string;
  detail: string;
  errors?: { pointer?: string; detail: string }[];
}

export const problemOf = ({ problem }: ImportRecord): StoredProblem | null =>
  problem as StoredProblem | null;

/** Describes in a sentence why an import was refused. */
export function describeReason(record: ImportRecord): string | undefined {
  const detail = problemOf(record)?.detail;
  return detail && toSentence(nameFields(detail, nameLeadField));
}

/** Whether an import still needs a person: it was refused, and nobody has settled it. */
export const isOpen = ({ outcome, settledAt }: ImportRecord): boolean =>
  outcome === 'refused' && settledAt === null;

const OUTCOMES = new Set(['created', 'merged', 'refused']);

/**
 * Reads the filter from the query of the address. A day begins and ends in the account's time zone. Without a filter, the log shows
 * the refused imports that are open.
 */
export function readFilter(query: URLSearchParams, timeZone: string): LogFilter {
  const shown = query.get('show') ?? 'open';
  const [channel, code, file] = ['channel', 'code', 'file'].map((name) => query.get(name));
  const { after, before } = toBounds(query.get('from'), query.get('to'), timeZone);
  return {
    ...(shown === 'open' && { open: true }),
    ...(OUTCOMES.has(shown) && { outcome: shown }),
    ...(channel && { channel }),
    ...(code && { code }),
    ...(file && { file }),
    ...(after && { receivedAfter: after }),
    ...(before && { receivedBefore: before }),
  };
}

export const detailKey = (id: string) => ['import', id] as const;

/** Reads an import with its received payload. */
export function useDetail(id: string) {
  return useQuery({ queryKey: detailKey(id), queryFn: () => readDetail(id) });
}

export async function readDetail(id: string): Promise<ImportDetail> {
  return (await api.GET('/imports/{importId}', { params: { path: { importId: id } } })).data;
}

/** Finds out whether a contact, or the one that it was merged into, is still there. */
export function useContactIsThere(id: string) {
  return useQuery({
    queryKey: ['contact', 'is-there', id],
    queryFn: async ({ signal }): Promise<boolean> => {
      try {
        await api.GET('/contacts/{contactId}', { params: { path: { contactId: id } }, signal });
        return true;
      } catch (error) {
        if (!(error instanceof ProblemError) || error.code !== 'contact_not_found') throw error;
        return error.problem.mergedIntoId !== undefined;
      }
    },
  });
}
