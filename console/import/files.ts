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

/** Whether a process works on a file, or soon will. */
export const isBusy = (file: ContactFile | undefined): boolean =>
  file !== undefined && BUSY.has(file.status);

/** A run has no events before its end, so that its counts are asked for. */
const POLL_MS = 600;

/** Reads a file, again and again while something happens to it. */
export function useFile(id: string) {
  return useQuery({
    queryKey: fileKey(id),
    queryFn: async () =>
      (await api.GET('/contact-files/{fileId}', { params: { path: { fileId: id } } })).data,
    refetchInterval: ({ state }) => (isBusy(state.data) ? POLL_MS : false),
  });
}

/** Shows a file as an action has answered it, and what depends on it anew. */
export function useShownFile() {
  const queries = useQueryClient();
  return (file: ContactFile): void => {
    queries.setQueryData(fileKey(file.id), file);
    void queries.invalidateQueries({ queryKey: FILES_KEY });
  };
}

type Verb = 'stop' | 'continue' | 'undo';

/** Stops, continues or undoes the run of a file. */
export async function act(verb: Verb, fileId: string): Promise<ContactFile> {
  const { data } = await api.POST(`/contact-files/{fileId}/${verb}`, {
    params: { path: { fileId } },
  });
  return data;
}

/** Says in a sentence what is wrong with a file; undefined: nothing. */
export function describeFault({ problem }: ContactFile): string | undefined {
  return (problem as { detail?: string } | null)?.detail;
}

/** Whether the dates of a file can be read in more than one way, so that the person must say which is right. */
export const areDatesUnclear = (file: ContactFile): boolean =>
  describeFault(file)?.includes('dateOrder') === true;

/** Whether no column of a file was recognized as the email, so that the person must say which one is. */
export const isEmailMissing = (file: ContactFile): boolean =>
  file.problem !== null &&
  (file.problem as { code?: string }).code === 'mapping_incomplete' &&
  !areDatesUnclear(file);
