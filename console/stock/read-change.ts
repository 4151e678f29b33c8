import type { Unit } from '../api.ts';
import { planPrice, readPrice } from './price.ts';
import { texts } from './texts.ts';
import type { UnitChange } from './unit-data.ts';
import { unitText, type UnitField } from './unit-fields.ts';

/** Parses the typed text of a field. Returns a message for an invalid text, and an empty change when the value is the same. */
export function readChange(unit: Unit, field: UnitField, text: string): UnitChange | string {
  if (text === unitText(unit, field.name)) return {};
  if (field.kind === 'price') {
    const price = readPrice(text);
    if (price === undefined) return texts.noPriceValue;
    return price === (unit.price ?? null) ? {} : planPrice(unit, price);
  }
  const value = readUnitText(unit, field, text);
  if (value === undefined) return field.kind === 'number' ? texts.noNumber : texts.noValue;
  return value === (unit[field.name] ?? null) ? {} : { [field.name]: value };
}

/** A number as people of New Zealand and Australia write it: the comma of "1,250" stands before thousands, and "1,5" is refused. */
const NUMBER = /^(\d{1,3}([,\s]\d{3})+|\d+)(\.\d+)?$/;

/** Parses the text of a control. Returns null for an empty text, undefined for an invalid one. */
function readUnitText(unit: Unit, { name, kind }: UnitField, text: string) {
  const trimmed = text.trim();
  if (trimmed === '') return name === 'name' ? undefined : null;
  if (kind === 'number') {
    return NUMBER.test(trimmed) ? Number(trimmed.replaceAll(/[,\s]/g, '')) : undefined;
  }
  // A lot or a level that was a number stays a number.
  const isNumber = typeof unit[name] === 'number' && /^-?\d+(\.\d+)?$/.test(trimmed);
  return isNumber ? Number(trimmed) : trimmed;
}
