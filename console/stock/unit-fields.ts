import type { Unit } from '../api.ts';
import { UNIT_STATUSES } from '../parts/domain/status.tsx';
import { formatMoney } from '../parts/text/format.ts';

export type UnitStatusName = NonNullable<Unit['status']>;
export const STATUSES = UNIT_STATUSES as readonly UnitStatusName[];

export const UNIT_TYPES = [
  'Apartment',
  'Townhouse',
  'House',
  'Land',
  'Commercial',
  'Other',
] as const;

type Kind = 'text' | 'number' | 'price' | 'status' | 'type';

export interface UnitField {
  name: keyof Unit;
  kind: Kind;
}

/** The fields of a unit that a person edits, in the order of the page. */
export const UNIT_FIELDS: readonly UnitField[] = [
  { name: 'name', kind: 'text' },
  { name: 'lotNumber', kind: 'text' },
  { name: 'status', kind: 'status' },
  { name: 'price', kind: 'price' },
  { name: 'priceDisplay', kind: 'text' },
  { name: 'currency', kind: 'text' },
  { name: 'unitType', kind: 'type' },
  { name: 'level', kind: 'text' },
  { name: 'bedrooms', kind: 'number' },
  { name: 'bathrooms', kind: 'number' },
  { name: 'carSpaces', kind: 'number' },
  { name: 'aspect', kind: 'text' },
  { name: 'internalAreaSqm', kind: 'number' },
  { name: 'externalAreaSqm', kind: 'number' },
  { name: 'landAreaSqm', kind: 'number' },
];

/** Formats the value of a field for its control. */
export function unitText(unit: Unit, name: keyof Unit): string {
  const value = unit[name];
  if (name === 'price' && typeof value === 'number')
    return formatMoney(value, unit.currency ?? undefined);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
