import { useQuery } from '@tanstack/react-query';
import { api, type Unit } from '../api.ts';
import type { GridPages } from '../parts/grid/index.ts';
import type { UnitQuery } from './filter.ts';
import { addUp, describeUnits, sumUnits } from './sums.ts';
import { texts } from './texts.ts';

/**
 * Says how many units are shown and what they are worth: by adding up the rows when all are loaded, else by the figures of the
 * stock, which know projects and statuses only. A sum of some of the units would look like one of all.
 */
export function useUnitCount(
  filter: UnitQuery,
  { rows, totalCount, isTotalExact = true }: GridPages<Unit>['grid'],
) {
  const loaded = rows.filter((row) => row !== undefined);
  const isWhole = isTotalExact && loaded.length === totalCount;
  const { project, status, ...others } = filter;
  const { data } = useQuery({
    queryKey: ['figures', 'stock', project ?? null],
    queryFn: async () => {
      const query = project === undefined ? {} : { project };
      return (await api.GET('/stats/stock', { params: { query } })).data.data;
    },
    enabled: totalCount !== undefined && !isWhole && Object.keys(others).length === 0,
  });
  if (totalCount === undefined) return undefined;
  const statuses = status?.split(',');
  const groups = data?.filter((group) => statuses?.includes(group.status) ?? true);
  const sums = isWhole ? sumUnits(loaded) : groups && addUp(groups);
  return describeUnits(isTotalExact ? texts.count(totalCount) : texts.countMany, sums);
}
