import { useMemo, useState } from 'react';
import type { Unit } from '../api.ts';
import { unitText } from './unit-fields.ts';
import type { UnitChange } from './unit-data.ts';

/** A change of a unit that was not saved, and why. */
export interface Refusal {
  unitId: string;
  change: UnitChange;
  message: string;
}

/** The changes that were not saved: their fields keep what was typed until it is saved or taken back. */
export interface Refusals {
  find: (unitId: string, name: keyof Unit) => Refusal | undefined;
  add: (refusal: Refusal) => void;
  /** Forgets the refused changes of the fields of a change. */
  forget: (unitId: string, change: UnitChange) => void;
}

/** For columns that are only chosen. */
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
        refusals.find((each) => each.unitId === unitId && name in each.change),
      add: (refusal) => setRefusals((before) => [...before, refusal]),
      forget: (unitId, change) =>
        setRefusals((before) => {
          const others = before.filter((each) => each.unitId !== unitId || !overlaps(each, change));
          return others.length === before.length ? before : others;
        }),
    }),
    [refusals],
  );
}

const overlaps = ({ change }: Refusal, other: UnitChange): boolean =>
  Object.keys(change).some((name) => name in other);

/** Gives what was typed into a field and refused, as the text of its control. */
export const refusedText = ({ change, unitId }: Refusal, name: keyof Unit): string =>
  unitText({ id: unitId, ...change } as Unit, name);
