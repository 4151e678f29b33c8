import { useQuery } from '@tanstack/react-query';
import { api } from '../../api.ts';
import { fold } from './names.ts';
import { useDebounced } from '../form/debounce.ts';

const SHOWN_MAX_COUNT = 20;
/** More than are shown, so that those to show first are among them. */
const READ_MAX_COUNT = 100;

/** Finds tags by parts of their labels while the person types. Labels with a word that begins with the text come first. */
export function useFoundTags(text: string) {
  const label = text.trim();
  const q = useDebounced(label);
  const { data = [], isFetching } = useQuery({
    queryKey: ['tag', 'find', q],
    queryFn: async ({ signal }) => {
      const query = { limit: READ_MAX_COUNT, ...(q !== '' && { q }) };
      return (await api.GET('/tags', { params: { query }, signal })).data.data;
    },
    placeholderData: (before) => before,
  });
  const begins = (label: string): boolean => ` ${fold(label)}`.includes(` ${fold(q)}`);
  const tags = data
    .toSorted((a, b) => Number(begins(b.label)) - Number(begins(a.label)))
    .slice(0, SHOWN_MAX_COUNT);
  return { tags, isLoading: isFetching || q !== label };
}
