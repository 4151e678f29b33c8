import type { Unit } from '../../api.ts';
import type { components } from '../../../client/src/schema.ts';
import { texts as unitTexts } from '../texts.ts';
import { planChanges, readUnits, setsZero, type BatchRow, type PlannedChange } from './batch.ts';
import type { RefusedRow } from './refused-rows.tsx';
import { texts } from './preview-texts.ts';

/** The change that a person asks for: members of the body of a batch. */
export type Wish = Pick<components['schemas']['UnitBatch'], 'set' | 'adjust'>;

export interface BulkPlan {
  planned: PlannedChange[];
  unchanged: number;
  /** The rows of the refused units: the name, and why the unit is refused. */
  refused: RefusedRow[];
}

/** Plans a bulk change from the rows of its dry run, in the order of the list. `units` are the units that the list has loaded. */
export async function planBulk(
  results: readonly BatchRow[],
  units: readonly (Unit | undefined)[],
  wish: Wish,
): Promise<BulkPlan> {
  const known = new Map(units.flatMap((unit) => (unit === undefined ? [] : [[unit.id, unit]])));
  const places = new Map([...known.keys()].map((id, index) => [id, index]));
  // Units that the list has not loaded come last.
  const place = ({ id }: BatchRow): number => places.get(id ?? '') ?? known.size;
  const rows = results.toSorted((a, b) => place(a) - place(b));
  const planned = await planChanges(rows, known);
  const refused = await listRefused(rows, known, wish);
  return { planned, unchanged: rows.length - planned.length - refused.length, refused };
}

/** Lists the refused units by name, with the reason. A price is refused when it would be 0 or less, or higher than the API stores. */
async function listRefused(
  rows: readonly BatchRow[],
  known: ReadonlyMap<string, Unit>,
  wish: Wish,
): Promise<RefusedRow[]> {
  const refused = rows.filter((row) => row.problem !== null || setsZero(row));
  const missing = refused.flatMap(({ id }) => (id === null || known.has(id) ? [] : id));
  const read = await readUnits(missing);
  return refused.map(({ index, id, problem }) => ({
    id: String(index),
    cells: [
      (known.get(id ?? '') ?? read.get(id ?? ''))?.name ?? '',
      problem === null || (wish.adjust !== undefined && problem['code'] === 'invalid_request')
        ? explainPrice(wish, problem !== null)
        : String(problem['detail']),
    ],
  }));
}

/** Explains why a price is refused. The API refuses a raised price only when it is too high. */
function explainPrice({ adjust }: Wish, isRefused: boolean): string {
  const { amount, percent } = adjust?.price ?? {};
  return isRefused && (amount ?? percent ?? 0) > 0 ? texts.priceMax : unitTexts.noPriceValue;
}
