import type { Unit } from '../api.ts';
import { planPrice, readPrice } from './price.ts';
import { texts } from './texts.ts';
import type { UnitChange } from './unit-data.ts';
import { readUnitText, unitText, type UnitField } from './unit-fields.ts';

/** Parses the typed text of a field. Returns a message for an invalid text, and an empty change when the value is the same. */
export function readChange(unit: Unit, field: UnitField, text: string): UnitChange | string {
  if (text === unitText(unit, field.name)) return {};
  if (field.kind === 'price') {
    const price = readPrice(text);
    if (price === undefined) return texts.noPriceValue;
    return price === (unit.price ?? null) ? {} : planPrice(unit, price);
  }
  const value = readUnitText(unit, field, text);
  if (value === undefined) return texts.noValue;
  return value === (unit[field.name] ?? null) ? {} : { [field.name]: value };
}
