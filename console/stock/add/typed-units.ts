import { useDialogDraft } from '../../parts/draft/dialog-draft.ts';
import { readAmount, readPrice } from '../price.ts';
import type { UNIT_TYPES, UnitStatusName } from '../unit-fields.ts';
import { planBuilding, type NewUnit } from './plan-units.ts';

const EMPTY = {
  project: '',
  how: 'one',
  name: '',
  fromLevel: '1',
  toLevel: '3',
  perLevel: '4',
  pattern: 'Apartment {level}{position:2}',
  price: '',
  perLevelStep: '',
  perPositionStep: '',
  status: 'Coming Soon',
  unitType: '',
  bedrooms: '',
  bathrooms: '',
  carSpaces: '',
};

/** The texts of the fields of new units, as they were typed. */
type Typed = typeof EMPTY;

/** Remembers what is typed while the dialog is open. `control` makes the props of the control of a field. */
export function useTypedUnits() {
  const [draft, keep] = useDialogDraft('new-units');
  const typed: Typed = draft === '' ? EMPTY : { ...EMPTY, ...(JSON.parse(draft) as Typed) };
  const type = (name: keyof Typed, value: string): void =>
    keep(JSON.stringify({ ...typed, [name]: value }));
  const control = (name: keyof Typed) => ({
    name,
    value: typed[name],
    onChange: ({ target: { value } }: { target: { value: string } }) => type(name, value),
  });
  return { typed, type, control };
}

/** Plans the unit or the building that was typed. */
export function planUnits(typed: Typed, currency: string | null): NewUnit[] {
  const amount = (text: string): number | null => (text === '' ? null : Number(text));
  const shares = {
    status: typed.status as UnitStatusName,
    ...(currency !== null && { currency }),
    ...(typed.unitType !== '' && { unitType: typed.unitType as (typeof UNIT_TYPES)[number] }),
    bedrooms: amount(typed.bedrooms),
    bathrooms: amount(typed.bathrooms),
    carSpaces: amount(typed.carSpaces),
  };
  const price = readPrice(typed.price) ?? null;
  if (typed.how === 'one') return [{ ...shares, name: typed.name.trim(), price }];
  return planBuilding({
    fromLevel: Number(typed.fromLevel),
    toLevel: Number(typed.toLevel),
    perLevel: Number(typed.perLevel),
    pattern: typed.pattern,
    price,
    perLevelStep: readStep(typed.perLevelStep) || 0,
    perPositionStep: readStep(typed.perPositionStep) || 0,
    shared: shares,
  });
}

/** Reads the step of a price: 0 when it is blank, and NaN when it is no number. */
export const readStep = (text: string): number => (text.trim() === '' ? 0 : readAmount(text));
