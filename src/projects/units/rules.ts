import { missingScope } from '../../access/index.ts';
import { emptyBlanks, type RowPlan } from '../../platform/fields/index.ts';
import { Problem } from '../../platform/http/index.ts';
import { planUnit } from '../rules.ts';
import type { Unit } from '../schemas.ts';
import type { NewUnit, UnitChanges } from './schemas.ts';

/** Applies changes to a unit. A blank text empties its field. */
export function planUnitChanges<Stored extends Unit>(
  stored: Stored,
  changes: UnitChanges,
): RowPlan<Stored> {
  const plan = planUnit(stored, stored, emptyBlanks(changes));
  return { ...plan, row: { ...stored, ...plan.row } };
}

/** Plans new units of a project, with positions after the last one. */
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
    return planUnit(undefined, own, emptyBlanks(entry)).row;
  });
}

/** Makes the 404 of a unit. */
export function unitNotFound(): Problem {
  return new Problem('unit_not_found', 'id must be the id of a unit of this account.');
}

/** The statuses between which a caller with only `units:hold` may change a unit. */
const HOLDABLE_STATUSES: ReadonlySet<string> = new Set(['Available', 'On Hold', 'Reserved']);

/** Throws when a caller with only `units:hold` may not make a change. */
export function requireHoldableChange({ status, ...others }: UnitChanges): void {
  if (Object.keys(others).length > 0 || (status !== undefined && !HOLDABLE_STATUSES.has(status)))
    throw beyondHold();
}

/** Throws when the current status of a unit is one that only a caller with `projects:write` may change. */
export function requireHoldableUnit({ status }: Pick<Unit, 'status'>): void {
  if (!HOLDABLE_STATUSES.has(status)) throw beyondHold();
}

const beyondHold = () =>
  missingScope(
    'projects:write',
    'With units:hold you can set the status of a unit between Available, On Hold and Reserved. Anything else needs the scope projects:write.',
  );

/** Plans a new order of a project's units. Returns the units whose positions change, or null when `ids` are not exactly the units of the project. */
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
