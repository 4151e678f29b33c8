import type { Unit } from '../api.ts';
import { planPrice, readPrice } from './price.ts';
import { texts } from './texts.ts';
import type { UnitChange } from './unit-data.ts';
import { readUnitText, type UnitField } from './unit-fields.ts';

/** Reads what was typed. Returns a message when it does not fit, and no change when it is as before. */
export function readChange(unit: Unit, field: UnitField, text: string): UnitChange | string {
  if (field.kind === 'price') {
    const price = readPrice(text);
    if (price === undefined) return texts.noPriceValue;
    return price === (unit.price ?? null) ? {} : planPrice(unit, price);
  }
  const value = readUnitText(unit, field, text);
  if (value === undefined) return texts.noValue;
  return value === (unit[field.name] ?? null) ? {} : { [field.name]: value };
}
