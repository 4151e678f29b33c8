import type { Unit } from '../api.ts';
import { stockTexts as texts } from './stock-texts.ts';
import { unitText } from './unit-fields.ts';

/** Formats a value of a unit for people. */
export function describeUnitValue(field: string, value: unknown, unit: Unit): string {
  if (value === null || value === undefined || value === '') return texts.emptyValue;
  if (field === 'floorPlanImage') return texts.picture;
  return unitText({ ...unit, [field]: value }, field as keyof Unit) || JSON.stringify(value);
}
