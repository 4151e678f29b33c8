import { useQuery } from '@tanstack/react-query';
import { api, type Unit } from '../api.ts';
import type { GridPages } from '../parts/grid/index.ts';
import type { UnitQuery } from './filter.ts';
import { addUp, describeUnits, sumUnits } from './sums.ts';
import { stockTexts } from './stock-texts.ts';
import { texts } from './texts.ts';

/**
 * Describes the number of units and their value. When all rows are loaded, it adds them up. Otherwise it uses the figures of the
 * stock, which exist only by project and status; with other filters, it shows no value, because a partial sum would mislead.
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
  return describeUnits(isTotalExact ? stockTexts.unitCount(totalCount) : texts.countMany, sums);
}
