import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, type ContactFile } from '../api.ts';

export const FILES_KEY = ['contact_file', 'list'] as const;
const fileKey = (id: string) => ['contact_file', id] as const;

const BUSY = new Set<ContactFile['status']>([
  'checking',
  'queued',
  'running',
  'stopping',
  'undoing',
]);

/** Returns whether the service is working on a file, or soon will. */
export const isBusy = (file: ContactFile | undefined): boolean =>
  file !== undefined && BUSY.has(file.status);

/** How often the counts of a run are read again: a run makes no events before its end. */
const POLL_MS = 600;

/** Reads a file, and polls it while the service works on it. */
export function useFile(id: string) {
  return useQuery({
    queryKey: fileKey(id),
    queryFn: async () =>
      (await api.GET('/contact-files/{fileId}', { params: { path: { fileId: id } } })).data,
    refetchInterval: ({ state }) => (isBusy(state.data) ? POLL_MS : false),
  });
}

/** Returns a function that shows the file in the answer of an action, and refetches what depends on it. */
export function useShownFile() {
  const queries = useQueryClient();
  return (file: ContactFile): void => {
    queries.setQueryData(fileKey(file.id), file);
    void queries.invalidateQueries({ queryKey: FILES_KEY });
  };
}

type Verb = 'stop' | 'continue' | 'undo';

/** Stops, continues or undoes the run of a file. */
export async function action(verb: Verb, fileId: string): Promise<ContactFile> {
  const { data } = await api.POST(`/contact-files/{fileId}/${verb}`, {
    params: { path: { fileId } },
  });
  return data;
}

/** Describes in a sentence what is wrong with a file; undefined when nothing is. */
export function describeFault({ problem }: ContactFile): string | undefined {
  return (problem as { detail?: string } | null)?.detail;
}

/** Returns whether the dates of a file are ambiguous, so that the person must choose how to read them. */
export const areDatesUnclear = (file: ContactFile): boolean =>
  describeFault(file)?.includes('dateOrder') === true;

/** Returns whether no column was recognized as the email, so that the person must choose it. */
export const isEmailMissing = (file: ContactFile): boolean =>
  file.problem !== null &&
  (file.problem as { code?: string }).code === 'mapping_incomplete' &&
  !areDatesUnclear(file);
