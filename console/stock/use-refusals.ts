import { useMemo, useState } from 'react';
import type { Unit } from '../api.ts';
import { unitText } from './unit-fields.ts';
import type { UnitChange } from './unit-data.ts';

/** A refused change of a unit, with the reason. */
export interface Refusal {
  /** The unit as it was before the change. */
  unit: Unit;
  change: UnitChange;
  message: string;
}

/** The refused changes. Their fields keep the typed text until the person saves or discards it. */
export interface Refusals {
  find: (unitId: string, name: keyof Unit) => Refusal | undefined;
  add: (refusal: Refusal) => void;
  /** Forgets refused changes that have a field in common with a new change. */
  forget: (unitId: string, change: UnitChange) => void;
}

/** No refusals, for columns that are not rendered, such as in the column chooser. */
export const NO_REFUSALS: Refusals = {
  find: () => undefined,
  add: () => undefined,
  forget: () => undefined,
};

export function useRefusals(): Refusals {
  const [refusals, setRefusals] = useState<readonly Refusal[]>([]);
  return useMemo(
    () => ({
      find: (unitId, name) =>
        refusals.find((each) => each.unit.id === unitId && name in each.change),
      add: (refusal) => setRefusals((before) => [...before, refusal]),
      forget: (unitId, change) =>
        setRefusals((before) => {
          const others = before.filter(
            (each) => each.unit.id !== unitId || !overlaps(each, change),
          );
          return others.length === before.length ? before : others;
        }),
    }),
    [refusals],
  );
}

const overlaps = ({ change }: Refusal, other: UnitChange): boolean =>
  Object.keys(change).some((name) => name in other);

/** Formats the refused value of a field for its control. */
export const refusedText = ({ unit, change }: Refusal, name: keyof Unit): string =>
  unitText({ ...unit, ...change }, name);
