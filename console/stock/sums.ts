import type { Unit } from '../api.ts';
import { formatList, formatMoney } from '../parts/text/format.ts';
import { texts } from './texts.ts';

/** The sums of some units. */
export interface Sums {
  available: number;
  unpriced: number;
  value: string;
}

type Counted = Pick<Unit, 'status' | 'price' | 'currency'>;

/** Adds up the prices of units for each currency, and counts the units without a price. */
export function sumUnits(units: readonly Counted[]): Sums {
  return addUp(
    units.map(({ status = '', price, currency }) => ({
      status,
      currency: currency ?? null,
      count: 1,
      priced: price == null ? 0 : 1,
      value: price ?? 0,
    })),
  );
}

/** The units of a status and a currency, as the figures of the stock have them. */
interface Group {
  status: string;
  currency?: string | null | undefined;
  count: number;
  priced: number;
  value: number;
}

/** Adds up groups of units. */
export function addUp(groups: readonly Group[]): Sums {
  const sums = new Map<string | null | undefined, number>();
  let [available, unpriced] = [0, 0];
  for (const { status, currency, count, priced, value } of groups) {
    if (status === 'Available') available += count;
    unpriced += count - priced;
    if (priced > 0) sums.set(currency, (sums.get(currency) ?? 0) + value);
  }
  const values = [...sums].map(([currency, value]) => formatMoney(value, currency ?? undefined));
  return { available, unpriced, value: formatList(values) };
}

/** Describes the number of shown units and, when the sums are known, how many are available and their value. */
export function describeUnits(
  count: string,
  sums: Sums | undefined,
): { text: string; note?: string } {
  if (sums === undefined) return { text: count };
  const { available, unpriced, value } = sums;
  const parts = [count, texts.available(available), ...(value === '' ? [] : [texts.value(value)])];
  return {
    text: parts.join(' · '),
    ...(unpriced > 0 && value !== '' && { note: texts.unpriced(unpriced) }),
  };
}
