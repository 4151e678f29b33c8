import { formatMoney } from '../parts/format.ts';
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
