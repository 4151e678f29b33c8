import type { components } from '../../api.ts';
import { UNITS_MAX_COUNT } from '../unit-data.ts';

export type NewUnit = components['schemas']['NewUnit'];

/** A building whose levels have the same number of units. */
export interface Building {
  fromLevel: number;
  toLevel: number;
  perLevel: number;
  /** The pattern of names, with `{level}`, `{position}` or `{number}`. `{position:2}` has two digits. */
  pattern: string;
  /** The price of the first unit of the lowest level; null for no prices. */
  price: number | null;
  /** How much a unit costs more than the one a level below. `perPositionStep` is the same for positions. */
  perLevelStep: number;
  perPositionStep: number;
  /** The fields that all units share. */
  shared: Partial<NewUnit>;
}

/** Plans the units of a building, the lowest level first. */
export function planBuilding(building: Building): NewUnit[] {
  const { fromLevel, toLevel, perLevel, price, perLevelStep, perPositionStep, shared } = building;
  const units: NewUnit[] = [];
  for (let level = fromLevel; level <= toLevel; level++)
    for (let position = 1; position <= perLevel; position++) {
      if (units.length > UNITS_MAX_COUNT) return units;
      const steps = (level - fromLevel) * perLevelStep + (position - 1) * perPositionStep;
      units.push({
        status: 'Coming Soon',
        ...shared,
        name: fillPattern(building.pattern, { level, position, number: units.length + 1 }),
        level,
        ...(price !== null && { price: price + steps }),
      });
    }
  return units;
}

function fillPattern(pattern: string, values: Record<string, number>): string {
  return pattern.replaceAll(/\{(level|position|number)(?::(\d))?\}/g, (_, name, digits) =>
    String(values[String(name)] ?? '').padStart(Number(digits ?? 1), '0'),
  );
}
