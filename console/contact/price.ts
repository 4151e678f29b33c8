import type { Unit } from '../api.ts';
import { formatMoney } from '../parts/format.ts';
import { texts } from './texts.ts';

/** The price of a unit, or the text that stands in its place. */
export const showPrice = ({ price, priceDisplay, currency }: Unit): string =>
  price == null ? (priceDisplay ?? texts.noPrice) : formatMoney(price, currency ?? undefined);
