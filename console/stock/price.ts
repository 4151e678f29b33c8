import { formatMoney, formatNumber } from '../parts/text/format.ts';
import { stockTexts } from './stock-texts.ts';

interface Priced {
  price?: number | null;
  priceDisplay?: string | null;
  currency?: string | null;
}

/** Formats the price as websites show it: the price text of the unit, or else its price. */
export function formatPrice({ price, priceDisplay, currency }: Priced): string {
  if (priceDisplay) return priceDisplay;
  return price == null ? stockTexts.noPrice : formatMoney(price, currency ?? undefined);
}

/**
 * A number with a currency before or after it, and with `k` or `m` for a thousand or a million. A currency of letters is in capitals,
 * unlike the letters of "2 mil". The comma of "1,4" is refused.
 */
const AMOUNT =
  /^([+-]?)(?:[A-Z]{0,3}\p{Sc}|[A-Z]{3})?\s*(\d{1,3}(?:[,\s]\d{3})+|\d+)(\.\d+)?\s*([kKmM]?)\s*(?:\p{Sc}|[A-Z]{3})?$/u;
const NUMBER = /\d[\d.,  ]*\d|\d/g;

/** Parses a typed amount: "-5,000" and "-5k" become -5000. Returns NaN for a text that is not an amount. */
export function readAmount(text: string): number {
  const found = AMOUNT.exec(text.trim());
  if (found === null) return NaN;
  const [, sign, whole = '', decimals = '', unit = ''] = found;
  // "1.250" may be a thousand or one and a quarter.
  if (unit === '' && /^\.\d{3}$/.test(decimals)) return NaN;
  const power = unit === '' ? '' : unit.toLowerCase() === 'k' ? 'e3' : 'e6';
  return Number(`${sign}${whole.replaceAll(/[,\s]/g, '')}${decimals}${power}`);
}

/**
 * Parses a typed price: "$1,250,000.00", "1250k" and "1.25m" become 1250000. Returns null for an empty text, undefined for a text
 * that is not a price. 0 is not a price.
 */
export function readPrice(text: string): number | null | undefined {
  if (text.trim() === '') return null;
  const value = readAmount(text);
  return value > 0 ? value : undefined;
}

/** Returns whether the price text of a unit only repeats its price, such as "$849,000" or "From $849,000". */
function repeatsPrice({ price, priceDisplay }: Priced): boolean {
  const numbers = priceDisplay?.match(NUMBER) ?? [];
  return price != null && numbers.length === 1 && readPrice(numbers[0]) === price;
}

/** Plans a new price. A price text that only repeats the old price gets the new one; any other text stays. */
export function planPrice(
  unit: Priced,
  price: number | null,
): { price: number | null; priceDisplay?: string | null } {
  if (!repeatsPrice(unit)) return { price };
  if (price === null) return { price, priceDisplay: null };
  return { price, priceDisplay: unit.priceDisplay?.replace(NUMBER, formatNumber(price)) ?? null };
}

/** Returns whether websites show a text that hides the price. */
export const hidesPrice = (unit: Priced): boolean =>
  unit.price != null && Boolean(unit.priceDisplay) && !repeatsPrice(unit);
