import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { api } from '../api.ts';
import { showToast } from '../parts/message/toast.tsx';
import { detailKey, isOpen, type ImportDetail } from './data.ts';
import { texts } from './texts.ts';

/** Returns the functions that retry and dismiss one import. Both refetch the lists that show it. */
export function useSettle(id: string) {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const path = { importId: id };

  function show(record: ImportDetail): void {
    queries.setQueryData(detailKey(id), record);
    void queries.invalidateQueries({
      queryKey: ['import'],
      predicate: (query) => query.queryKey[1] !== id,
    });
  }

  /** Imports the lead again, as it was received or with another payload. Returns whether it was accepted. */
  async function retry(payload?: Record<string, unknown>): Promise<boolean> {
    const body = payload === undefined ? {} : { payload };
    const { data: record } = await api.POST('/imports/{importId}/retry', {
      params: { path },
      body,
    });
    show(record);
    if (isOpen(record)) return false;
    const { contactId } = record;
    showToast({
      text: texts.retry.in,
      ...(contactId != null && {
        action: { label: texts.drawer.contact, onAction: () => navigate(`/contacts/${contactId}`) },
      }),
    });
    return true;
  }

  async function dismiss(reason: string | null): Promise<void> {
    const body = reason === null ? {} : { reason };
    show((await api.POST('/imports/{importId}/dismiss', { params: { path }, body })).data);
    showToast({ text: texts.dismiss.done(1) });
  }

  return { retry, dismiss };
}
