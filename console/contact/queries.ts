import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, type Contact } from '../api.ts';
import { useUsers } from '../parts/domain/names.ts';
import { useSession } from '../session/session.tsx';
import { texts } from './texts.ts';

/** The key of a contact in the cache. */
export const contactKey = (id: string) => ['contact', 'one', id] as const;

export async function readContact(id: string, signal?: AbortSignal): Promise<Contact> {
  const { data } = await api.GET('/contacts/{contactId}', {
    params: { path: { contactId: id }, query: { include: 'provenance' } },
    ...(signal && { signal }),
  });
  return data;
}

export const useContact = (id: string) =>
  useQuery({ queryKey: contactKey(id), queryFn: ({ signal }) => readContact(id, signal) });

/** Reads the other contacts with the same email. While there are any, the service refuses leads with this email. */
export function useSharing({ id, email }: Contact): readonly Contact[] {
  const { data } = useQuery({
    queryKey: ['contact', 'sharing', id, email],
    queryFn: async ({ signal }) => {
      const query = { q: email.slice(0, 200), archived: 'any' as const, limit: 20 };
      const { data: page } = await api.GET('/contacts', { params: { query }, signal });
      const key = email.toLowerCase();
      return page.data.filter((other) => other.id !== id && other.email.toLowerCase() === key);
    },
  });
  return data ?? [];
}

const PAGE_SIZE = 50;

interface Page<T> {
  data: T[];
  pagination: { nextCursor?: string | null };
}
const nextOf = <T>({ pagination }: Page<T>): string | undefined =>
  pagination.nextCursor ?? undefined;
const cursorOf = (cursor: string): { cursor?: string } => (cursor === '' ? {} : { cursor });

export const activitiesKey = (id: string) => ['activity', 'contact', id] as const;

/** Reads the activities of a contact, the newest first. An empty `type` means all types. */
export const useActivities = (id: string, type: string, enabled: boolean) =>
  useInfiniteQuery({
    queryKey: [...activitiesKey(id), type],
    enabled,
    initialPageParam: '',
    getNextPageParam: nextOf,
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: PAGE_SIZE, ...(type !== '' && { type }), ...cursorOf(pageParam) };
      const { data } = await api.GET('/contacts/{contactId}/activities', {
        params: { path: { contactId: id }, query },
        signal,
      });
      return data;
    },
  });

/** Reads the changes of a contact, the newest first. An empty `field` means all fields. */
export const useChanges = (id: string, field: string, enabled = true) =>
  useInfiniteQuery({
    queryKey: ['contact', 'changes', id, field],
    enabled,
    initialPageParam: '',
    getNextPageParam: nextOf,
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: PAGE_SIZE, ...(field !== '' && { field }), ...cursorOf(pageParam) };
      const { data } = await api.GET('/contacts/{contactId}/changes', {
        params: { path: { contactId: id }, query },
        signal,
      });
      return data;
    },
  });

/** Reads a linked unit with its current status and price. */
export const useLinkedUnit = (id: string | null | undefined) =>
  useQuery({
    queryKey: ['unit', 'linked', id],
    enabled: id != null,
    queryFn: async ({ signal }) => {
      const path = { unitId: id ?? '' };
      return (await api.GET('/stock/units/{unitId}', { params: { path }, signal })).data;
    },
  });

/** Returns a function that reads a contact and its related rows again, after a request whose answer lacks some of them. */
export function useRefresh(id: string): () => void {
  const queries = useQueryClient();
  return () => {
    void queries.invalidateQueries({ queryKey: contactKey(id) });
    void queries.invalidateQueries({ queryKey: ['contact', 'changes', id] });
  };
}

/** Returns a function that finds a person's name by their id. */
export function usePeopleNames(): (id: unknown) => string | undefined {
  const users = useUsers();
  const { userId, me } = useSession();
  return (id) => (id === userId ? me.user?.name : users.find((user) => user.id === id)?.name);
}

/** Names the person to whom a contact is assigned. The list of people may come after the contact: until then, it must not say "Nobody". */
export function useAssignedName({ assignedAccountUserId: id }: Contact): string {
  const nameOf = usePeopleNames();
  return id == null ? texts.nobody : (nameOf(id) ?? '…');
}
