import { listFieldChanges, type FieldChange } from '../../../platform/fields/index.ts';
import {
  formatEtag,
  invalidRequest,
  Problem,
  type FieldFault,
} from '../../../platform/http/index.ts';
import { UNIT } from '../../rules.ts';
import { PRICE_MAX, type Unit } from '../../schemas.ts';
import { planUnitChanges, unitNotFound } from '../rules.ts';
import type { UnitChanges } from '../schemas.ts';
import { adjustPrice, type PriceAdjustment } from './adjust.ts';
import type { UnitBatch } from './schemas.ts';

/** A unit as it is stored, with its version. */
export type VersionedUnit = Unit & { version: number };

/** A change of one unit in a batch. */
export interface BatchRow {
  /** The place of the row in the request. */
  index: number;
  /** The id of the unit as the request has it; null when the request does not say which unit it is. */
  id: string | null;
  /** The ETag that the unit must have; null: any. */
  ifMatch: string | null;
  set: UnitChanges;
  adjust: PriceAdjustment | null;
  /** The problem of a row that is refused whatever the stored unit is; null for a valid row. */
  problem: Problem | null;
}

/** A row of a batch, and its unit before and after the change. */
export interface PlannedRow<Stored extends VersionedUnit = VersionedUnit> {
  row: BatchRow;
  before: Stored | null;
  after: Unit | null;
  changes: FieldChange[];
  problem: Problem | null;
}

/** Throws when a batch does not say which units to change, or how. */
export function checkBatch({ changes, ids, filter, set, adjust }: UnitBatch): void {
  const faults: FieldFault[] = [];
  const chosen = [changes, ids, filter].filter((each) => each !== undefined);
  if (chosen.length !== 1)
    faults.push({ pointer: '/changes', detail: 'Send either changes, ids or a filter.' });
  const hasCommon = set !== undefined || adjust !== undefined;
  if (changes !== undefined && hasCommon)
    faults.push({
      pointer: '/set',
      detail: 'set and adjust cannot be sent with changes, each of which has its own set.',
    });
  if (changes === undefined && !hasCommon)
    faults.push({ pointer: '/set', detail: 'Send what to change: set or adjust.' });
  if (adjust !== undefined) faults.push(...checkAdjustment(adjust.price, set?.price));
  if (faults.length > 0) throw invalidRequest(faults);
}

function checkAdjustment(
  { percent, amount }: NonNullable<UnitBatch['adjust']>['price'],
  price: number | null | undefined,
): FieldFault[] {
  const pointer = '/adjust/price';
  if ((percent === undefined) === (amount === undefined))
    return [{ pointer, detail: 'adjust/price must have either percent or amount.' }];
  if (price === undefined) return [];
  return [{ pointer, detail: 'adjust/price cannot be sent with a price in set.' }];
}

/**
 * Plans the rows of a batch on the stored units, by their ids. `present` makes the resource of a unit for the problem of
 * a row that names another version.
 */
export function planBatch<Stored extends VersionedUnit>(
  rows: BatchRow[],
  stored: Map<string, Stored>,
  present: (unit: Stored) => { etag: string },
): PlannedRow<Stored>[] {
  const seen = new Set<string>();
  return rows.map((row) => {
    const id = row.id?.toLowerCase() ?? '';
    const before = stored.get(id) ?? null;
    const isRepeated = seen.has(id);
    if (before !== null) seen.add(id);
    const refused = { row, before, after: null, changes: [] };
    if (row.problem !== null) return { ...refused, problem: row.problem };
    if (before === null) return { ...refused, problem: unitNotFound() };
    if (isRepeated) return { ...refused, problem: repeated() };
    if (row.ifMatch !== null && !namesVersion(row.ifMatch, before))
      return { ...refused, problem: stale(present(before)) };
    const after = applyRow(before, row);
    if (after === null) return { ...refused, problem: noPrice() };
    const changes = listFieldChanges(UNIT, before, after).map(({ field, from, to }) => ({
      field,
      from: from ?? null,
      to: to ?? null,
    }));
    return { row, before, after: changes.length > 0 ? after : null, changes, problem: null };
  });
}

/** Applies a row to its unit. Returns null when the adjustment gives no price. */
function applyRow(before: Unit, { set, adjust }: BatchRow): Unit | null {
  const { row: after } = planUnitChanges(before, set);
  if (adjust === null || after.price === null) return after;
  const price = adjustPrice(after.price, adjust);
  return price === null ? null : { ...after, price };
}

function namesVersion(ifMatch: string, { version }: VersionedUnit): boolean {
  return ifMatch === '*' || ifMatch.replace(/^W\//, '') === formatEtag(version);
}

const repeated = () =>
  invalidRequest([
    { pointer: '/id', detail: 'the unit is that of an earlier row, too; name each unit once.' },
  ]);

const stale = (current: { etag: string }) =>
  new Problem(
    'precondition_failed',
    'The unit has changed since the version that the row names; current is the unit as it is now.',
    { etag: current.etag, current },
  );

const noPrice = () =>
  invalidRequest([
    {
      pointer: '/adjust/price',
      detail: `adjust would make the price less than 0 or more than ${PRICE_MAX}.`,
    },
  ]);
