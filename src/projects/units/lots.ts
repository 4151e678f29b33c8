import { fold, rewriteAsNumber } from '../../platform/text/index.ts';
import type { Unit } from '../schemas.ts';

/**
 * Creates the function that finds the unit of a lot that is written with the word Lot or without: `Lot 7` by `7`, and `7` by `Lot 7`.
 * It finds none when another unit, such as that of `07`, could be meant.
 */
export function createLotFinder<Row extends Pick<Unit, 'lotNumber'>>(units: readonly Row[]) {
  const numbered = Map.groupBy(units, ({ lotNumber }) => dropZeros(toLot(lotNumber)));
  return (text: string): Row | undefined => {
    const lot = toLot(text);
    const [unit, ...others] = numbered.get(dropZeros(lot)) ?? [];
    return others.length === 0 && toLot(unit?.lotNumber) === lot ? unit : undefined;
  };
}

/** The lot without the word before its number: `Lot 7` becomes `7`. */
const toLot = (lot: Unit['lotNumber'] | undefined): string =>
  fold(String(lot ?? ''))
    .trim()
    .replace(/^lot (?=\d)/, '');

const dropZeros = (lot: string): string => rewriteAsNumber(lot) ?? lot;
