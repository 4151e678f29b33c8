import type { Unit } from '../api.ts';
import { formatMoney } from '../parts/format.ts';
import { texts } from './texts.ts';

/** Adds up the prices of units, a sum a currency, and says how many have none. */
export function sumUnits(units: readonly Unit[]) {
  const sums = new Map<string | undefined, number>();
  let unpriced = 0;
  let available = 0;
  for (const { price, currency, status } of units) {
    if (status === 'Available') available++;
    if (price == null) unpriced++;
    else sums.set(currency ?? undefined, (sums.get(currency ?? undefined) ?? 0) + price);
  }
  const values = [...sums].map(([currency, value]) => formatMoney(value, currency));
  return { available, unpriced, value: values.join(', ') };
}

/** Says how many units are shown, how many of them are available, and what they are worth. */
export function describeUnits(
  rows: readonly (Unit | undefined)[],
  {
    totalCount,
    isTotalExact = true,
  }: { totalCount?: number | undefined; isTotalExact?: boolean | undefined },
): { text: string; note?: string } | undefined {
  if (totalCount === undefined) return undefined;
  const count = isTotalExact ? texts.count(totalCount) : texts.countMany;
  const loaded = rows.filter((row) => row !== undefined);
  // A sum of some of the units would look like one of all.
  if (loaded.length < totalCount || !isTotalExact) return { text: count };
  const { available, unpriced, value } = sumUnits(loaded);
  const parts = [count, texts.available(available), ...(value === '' ? [] : [texts.value(value)])];
  return {
    text: parts.join(' · '),
    ...(unpriced > 0 && value !== '' && { note: texts.unpriced(unpriced) }),
  };
}
