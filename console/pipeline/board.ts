import { useInfiniteQuery, useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { api, type Contact } from '../api.ts';
import { showEarly } from '../parts/edit/show-early.ts';

export const FOLDED_STAGES: readonly string[] = ['Nurture', 'Lost'];
const FIRST_COUNT = 15;
export const MORE_COUNT = 50;

/** The filter of the board, in the parameters of GET /contacts. */
export interface BoardFilter {
  project?: string;
  assignedTo?: string;
  tag?: string;
}

interface CardPage {
  contacts: Contact[];
  nextCursor: string | null;
  count: number;
  isCountExact: boolean;
}

type Column = InfiniteData<CardPage, string | null>;

const columnKey = (stage: string, filter: BoardFilter) =>
  ['contact', 'board', stage, filter] as const;

/** Reads a column that is shown: 15 cards, then 50 more at a time. The contacts with the oldest last activity come first. */
export function useColumn(stage: string, filter: BoardFilter, isShown: boolean) {
  return useInfiniteQuery({
    queryKey: columnKey(stage, filter),
    queryFn: async ({ pageParam: cursor, signal }): Promise<CardPage> => {
      const query = {
        ...filter,
        stage,
        sort: 'lastActivityAt',
        include: 'links',
        count: true,
        limit: cursor === null ? FIRST_COUNT : MORE_COUNT,
        ...(cursor !== null && { cursor }),
      } as const;
      const { data, pagination } = (await api.GET('/contacts', { params: { query }, signal })).data;
      const { nextCursor, totalCount = 0, totalCountIsExact = true } = pagination;
      return { contacts: data, nextCursor, count: totalCount, isCountExact: totalCountIsExact };
    },
    enabled: isShown,
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** Returns functions that move and replace cards in the cached columns. */
export function useColumns(filter: BoardFilter) {
  const queries = useQueryClient();

  function change(stage: string, update: (page: CardPage, index: number) => CardPage): void {
    queries.setQueryData<Column>(
      columnKey(stage, filter),
      (column) => column && { ...column, pages: column.pages.map(update) },
    );
  }

  const has = (stage: string, { id }: Contact): boolean =>
    queries
      .getQueryData<Column>(columnKey(stage, filter))
      ?.pages.some(({ contacts }) => contacts.some((each) => each.id === id)) === true;

  /** Moves a card to its place in another column, unless it is there. */
  function move(contact: Contact, from: string, to: string): void {
    if (has(from, contact))
      change(from, ({ contacts, count, ...page }) => ({
        ...page,
        contacts: contacts.filter(({ id }) => id !== contact.id),
        count: Math.max(0, count - 1),
      }));
    if (has(to, contact)) return;
    const card = { ...contact, stage: to as never };
    change(to, ({ contacts, count, ...page }, index) => ({
      ...page,
      contacts:
        index === 0
          ? [...contacts, card].toSorted((a, b) => a.lastActivityAt.localeCompare(b.lastActivityAt))
          : contacts,
      count: count + 1,
    }));
  }

  /** Moves a card before the service has stored its stage. Returns the function to call once the stage is saved or refused. */
  const moveEarly = (contact: Contact, from: string, to: string): Promise<() => void> =>
    showEarly(queries, { queryKey: ['contact', 'board'] }, () => move(contact, from, to));

  /** Replaces a card by its new version. */
  function replace(stage: string, contact: Contact): void {
    change(stage, ({ contacts, ...page }) => ({
      ...page,
      contacts: contacts.map((each) => (each.id === contact.id ? { ...each, ...contact } : each)),
    }));
  }

  const refetch = (): void => void queries.invalidateQueries({ queryKey: ['contact', 'board'] });
  return { move, moveEarly, replace, refetch };
}
