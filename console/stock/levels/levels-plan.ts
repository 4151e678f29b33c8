import type { Unit } from '../../api.ts';
import { fold } from '../../parts/domain/names.ts';
import type { UnitQuery } from '../filter.ts';

export interface Level {
  level: string | null;
  units: Unit[];
}

/** Groups the units of a project by level, the highest level first, units without a level last. Within a level, units keep their order. */
export function groupByLevel(units: readonly Unit[]): Level[] {
  const groups = new Map<string | null, Unit[]>();
  for (const unit of units) {
    const level = unit.level == null ? null : String(unit.level);
    groups.set(level, [...(groups.get(level) ?? []), unit]);
  }
  return [...groups]
    .map(([level, group]) => ({ level, units: group }))
    .toSorted((a, b) => rank(b.level) - rank(a.level));
}

/** Returns the height of a level for sorting. The ground floor and basements have names in place of numbers. */
function rank(level: string | null): number {
  if (level === null) return -Infinity;
  const value = Number(level);
  if (Number.isFinite(value)) return value;
  if (/^(g|ground)/i.test(level)) return 0;
  if (/^(b|basement|lower)/i.test(level)) return -1;
  return Number(/\d+/.exec(level)?.[0] ?? 0);
}

/** Returns whether a unit matches the filter of the address, as the API would decide. */
export function fitsFilter(unit: Unit, filter: UnitQuery): boolean {
  const isIn = (list: string | undefined, value: string | number | null | undefined): boolean =>
    list === undefined || list.split(',').some((each) => each.trim() === String(value ?? 'none'));
  const words = fold(filter.q ?? '')
    .split(/\s+/)
    .filter(Boolean);
  const text = fold(`${unit.name ?? ''} ${unit.lotNumber ?? ''}`);
  return (
    isIn(filter.status, unit.status) &&
    isIn(filter.unitType, unit.unitType) &&
    isIn(filter.bedrooms, unit.bedrooms) &&
    isIn(filter.level, unit.level) &&
    (filter.priceMin === undefined || (unit.price ?? -1) >= Number(filter.priceMin)) &&
    (filter.priceMax === undefined || (unit.price ?? Infinity) <= Number(filter.priceMax)) &&
    words.every((word) => text.split(/\s+/).some((each) => each.startsWith(word)))
  );
}
