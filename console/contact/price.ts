import type { Unit } from '../api.ts';
import { formatMoney } from '../parts/text/format.ts';
import { texts } from './texts.ts';

/** Formats the price of a unit, or returns its price text. */
export const showPrice = ({ price, priceDisplay, currency }: Unit): string =>
  price == null ? (priceDisplay ?? texts.noPrice) : formatMoney(price, currency ?? undefined);
