import { FilterChoice, listOptions } from '../parts/form/filter-choice.tsx';
import { sortTexts as texts } from './dialog-texts.ts';
import { DEFAULT_SORT } from './query.ts';
import type { ContactList } from './use-list.ts';

/** Chooses the order of the list on a phone, where there are no column heads to tap. */
export function SortSelect({ sort, change }: Pick<ContactList, 'sort' | 'change'>) {
  return (
    <FilterChoice
      className="control contacts-sort"
      label={texts.sort}
      value={sort}
      options={listOptions(Object.keys(texts.sorts), texts.sorts)}
      onChange={(value) => change({ sort: value === DEFAULT_SORT ? null : value })}
    />
  );
}
