import { sortTexts as texts } from './dialog-texts.ts';
import { DEFAULT_SORT } from './query.ts';
import type { ContactList } from './use-list.ts';

/** Chooses the order of the list on a phone, where there are no column heads to tap. */
export function SortSelect({ sort, change }: Pick<ContactList, 'sort' | 'change'>) {
  return (
    <select
      className="control contacts-sort"
      aria-label={texts.sort}
      value={sort}
      onChange={({ target }) =>
        change({ sort: target.value === DEFAULT_SORT ? null : target.value })
      }
    >
      {Object.entries(texts.sorts).map(([id, label]) => (
        <option key={id} value={id}>
          {label}
        </option>
      ))}
    </select>
  );
}
