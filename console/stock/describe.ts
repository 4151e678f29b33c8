import { formatMoney } from '../parts/format.ts';
import { stockTexts as texts } from './stock-texts.ts';

/** Formats a value of a unit for people. */
export function describeUnitValue(
  field: string,
  value: unknown,
  { currency }: { currency?: string | null } = {},
): string {
  if (value === null || value === undefined || value === '') return texts.emptyValue;
  if (field === 'price' && typeof value === 'number')
    return formatMoney(value, currency ?? undefined);
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  return field === 'floorPlanImage' ? texts.picture : JSON.stringify(value);
}
