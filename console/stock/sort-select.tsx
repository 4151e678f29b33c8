import { useAddress } from '../parts/browser/address.ts';
import { FilterChoice, listOptions } from '../parts/form/filter-choice.tsx';
import { readFilter, readSort, type UnitSort } from './filter.ts';
import { texts } from './sort-texts.ts';

const PHONE_SORTS: readonly UnitSort[] = [
  'price',
  '-price',
  'name',
  '-name',
  '-updatedAt',
  'updatedAt',
];

/** Chooses the order of the units on a phone, where there are no column heads to tap. */
export default function SortSelect({ projectId }: { projectId: string | undefined }) {
  const { query, change } = useAddress();
  const filter = readFilter(query, projectId);
  const sort = readSort(query, filter);
  const usual = readSort(new URLSearchParams(), filter);
  // The address may have another order than these.
  const sorts = new Set([usual, ...PHONE_SORTS, sort]);
  return (
    <FilterChoice
      className="control unit-sort"
      label={texts.sort}
      value={sort}
      options={listOptions([...sorts], texts.sorts)}
      onChange={(value) => change({ sort: value === usual ? null : value })}
    />
  );
}
