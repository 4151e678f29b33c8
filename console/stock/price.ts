import { formatMoney, formatNumber } from '../parts/format.ts';
import { stockTexts } from './stock-texts.ts';

interface Priced {
  price?: number | null;
  priceDisplay?: string | null;
  currency?: string | null;
}

/** Gives the price as websites show it: the text of the unit, else its price, else nothing. */
export function formatPrice({ price, priceDisplay, currency }: Priced): string {
  if (priceDisplay != null && priceDisplay !== '') return priceDisplay;
  return price == null ? stockTexts.noPrice : formatMoney(price, currency ?? undefined);
}

const NUMBER = /\d[\d.,  ]*\d|\d/g;

/** Reads a price that was typed: "$1,250,000.00" is 1250000. Returns null for an empty text, undefined for one that is no price. */
export function readPrice(text: string): number | null | undefined {
  if (text.trim() === '') return null;
  const digits = text.replaceAll(/[^\d.,-]/g, '').replaceAll(',', '');
  const value = Number(digits);
  return digits === '' || !Number.isFinite(value) || value < 0 ? undefined : value;
}

/** Whether the text of a unit only repeats its price, such as "$849,000" or "From $849,000". */
function repeatsPrice({ price, priceDisplay }: Priced): boolean {
  const numbers = priceDisplay?.match(NUMBER) ?? [];
  return price != null && numbers.length === 1 && readPrice(numbers[0]) === price;
}

/** Plans a new price. A text that only repeats the old one repeats the new one; any other text stays. */
export function planPrice(
  unit: Priced,
  price: number | null,
): { price: number | null; priceDisplay?: string | null } {
  if (!repeatsPrice(unit)) return { price };
  if (price === null) return { price, priceDisplay: null };
  return { price, priceDisplay: unit.priceDisplay?.replace(NUMBER, formatNumber(price)) ?? null };
}

/** Whether websites show a text in place of the price. */
export const hidesPrice = (unit: Priced): boolean =>
  unit.price != null && (unit.priceDisplay ?? '') !== '' && !repeatsPrice(unit);
