import { useQuery } from '@tanstack/react-query';
import { api } from '../../api.ts';
import { useDebounced } from '../form/debounce.ts';

/** Finds tags by the beginnings of words of their labels while the person types; without a text, the first 20. */
export function useFoundTags(text: string) {
  const label = text.trim();
  const q = useDebounced(label);
  const { data = [], isFetching } = useQuery({
    queryKey: ['tag', 'find', q],
    queryFn: async ({ signal }) => {
      const query = { limit: 20, ...(q !== '' && { q }) };
      return (await api.GET('/tags', { params: { query }, signal })).data.data;
    },
    placeholderData: (before) => before,
  });
  return { tags: data, isLoading: isFetching || q !== label };
}
