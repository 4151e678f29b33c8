import type { Unit } from '../projects/index.ts';
import { below, type Report } from './faults.ts';
import { given, items, type Item } from './given.ts';
import { matchEntries } from './match.ts';
import { Unit as UnitSchema, type UnitEntry } from './schema.ts';
import { settle, type Creation, type Settled } from './settle.ts';

export const UNIT_FIELDS = Object.keys(UnitSchema.properties) as (keyof UnitEntry)[];

const CREATION: Creation<Unit> = {
  noun: 'unit',
  defaults: {
    projectId: '',
    position: 0,
    name: '',
    lotNumber: null,
    unitType: null,
    status: 'Coming Soon',
    level: null,
    bedrooms: null,
    bathrooms: null,
    carSpaces: null,
    aspect: null,
    internalAreaSqm: null,
    externalAreaSqm: null,
    landAreaSqm: null,
    price: null,
    priceDisplay: null,
    currency: null,
    floorPlanImage: null,
  },
  required: ['name'],
};

/** What becomes of a project's units. */
export interface PlannedUnits {
  units: Settled<Unit>[];
  removed: Unit[];
}

/** The project whose units are planned, and where it is in the file. */
export interface Owner {
  projectId: string;
  pointer: string;
  stored: Unit[];
}

/**
 * Plans units project by project; across them it remembers which ids the file has used. `storedUnits` are
 * those of the whole account.
 */
export function unitPlanner(storedUnits: Unit[], givens: { report: Report; newId: () => string }) {
  const ownerOf = new Map(storedUnits.map(({ id, projectId }) => [id, projectId]));
  const used = new Map<string, string>();

  function isForeign(id: string | undefined, projectId: string, place: string): boolean {
    if (id === undefined) return false;
    const owner = ownerOf.get(id) ?? projectId;
    const usedBy = used.get(id) ?? projectId;
    used.set(id, usedBy);
    if (owner === projectId && usedBy === projectId) return false;
    givens.report(
      below(place, 'id'),
      'is the id of a unit of another project; a unit cannot move.',
    );
    return true;
  }

  return function planUnits(entries: UnitEntry[], owner: Owner): PlannedUnits {
    const { projectId, stored } = owner;
    const pointer = below(owner.pointer, 'units');
    const changes = items(entries).map(({ at, item }, position): Item<Partial<Unit>> => ({
      at,
      item: { ...given<Unit>(item, UNIT_FIELDS), projectId, position },
    }));
    const own = changes.filter(
      ({ at, item }) => !isForeign(item.id, projectId, below(pointer, at)),
    );
    const identified = own.map(({ at, item }) => ({ at, id: item.id, key: item.name }));
    const rows = stored.map(({ id, name }) => ({ id, key: name }));
    const kind = { pointer, keyField: 'name', noun: 'unit', mayShare: false };
    const changeAt = new Map(own.map(({ at, item }) => [at, item]));
    const byId = new Map(stored.map((unit) => [unit.id, unit]));
    const units = matchEntries(identified, rows, kind, givens).map((match) => {
      const place = { pointer: below(pointer, match.at), report: givens.report };
      return settle(match, byId.get(match.id), changeAt.get(match.at) ?? {}, CREATION, place);
    });
    const kept = new Set(units.map(({ row }) => row.id));
    return { units, removed: stored.filter(({ id }) => !kept.has(id)) };
  };
}
