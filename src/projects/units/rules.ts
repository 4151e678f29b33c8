import { missingScope } from '../../access/index.ts';
import type { RowPlan } from '../../platform/fields/index.ts';
import { Problem } from '../../platform/http/index.ts';
import { isBlank } from '../../platform/text/index.ts';
import { planUnit } from '../rules.ts';
import type { Unit } from '../schemas.ts';
import type { NewUnit, UnitChanges } from './schemas.ts';

/** Applies changes to a unit. A text that shows nothing empties its field. */
export function planUnitChanges<Stored extends Unit>(
  stored: Stored,
  changes: UnitChanges,
): RowPlan<Stored> {
  const plan = planUnit(stored, stored, readTexts(changes));
  return { ...plan, row: { ...stored, ...plan.row } };
}

/** Plans new units of a project, which come after its last position. */
export function planNewUnits(
  entries: NewUnit[],
  {
    projectId,
    lastPosition,
    newId,
  }: { projectId: string; lastPosition: number; newId: () => string },
): Unit[] {
  return entries.map((entry, index) => {
    const own = { id: newId(), projectId, position: lastPosition + 1 + index };
    return planUnit(undefined, own, readTexts(entry)).row;
  });
}

function readTexts(entry: UnitChanges): UnitChanges {
  return Object.fromEntries(
    Object.entries(entry).map(([field, value]) => [
      field,
      typeof value === 'string' && isBlank(value) ? null : value,
    ]),
  );
}

/** The 404 of a unit. */
export function unitNotFound(): Problem {
  return new Problem('unit_not_found', 'id must be the id of a unit of this account.');
}

/** A caller with `units:hold` alone may change a unit from one of these statuses to another of them. */
const HELD_STATUSES: ReadonlySet<string> = new Set(['Available', 'On Hold', 'Reserved']);

/** Throws when a caller with `units:hold` alone may not make a change. */
export function checkHold({ status, ...others }: UnitChanges): void {
  if (Object.keys(others).length > 0 || (status !== undefined && !HELD_STATUSES.has(status)))
    throw beyondHold();
}

/** Throws when only a caller with `projects:write` may change the status that a unit has. */
export function checkHeld({ status }: Pick<Unit, 'status'>): void {
  if (!HELD_STATUSES.has(status)) throw beyondHold();
}

const beyondHold = () =>
  missingScope(
    'projects:write',
    'With units:hold you can set the status of a unit between Available, On Hold and Reserved. Anything else needs the scope projects:write.',
  );

/** Plans the units of a project in this order. Returns those whose positions change, or null when `ids` are not all of them. */
export function planOrder(units: Unit[], ids: string[]): { stored: Unit; row: Unit }[] | null {
  const wanted = new Set(ids.map((id) => id.toLowerCase()));
  const isSame = wanted.size === ids.length && ids.length === units.length;
  if (!isSame || !units.every(({ id }) => wanted.has(id))) return null;
  const placeOf = new Map([...wanted].map((id, place) => [id, place]));
  return units.flatMap((unit) => {
    const position = placeOf.get(unit.id) ?? unit.position;
    return position === unit.position ? [] : { stored: unit, row: { ...unit, position } };
  });
}
