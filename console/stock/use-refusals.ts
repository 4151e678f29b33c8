import { useEffect, useEffectEvent, useMemo } from 'react';
import type { Unit } from '../api.ts';
import { readDraft, useDraft } from '../parts/draft.ts';
import { useSession } from '../session/session.tsx';
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
  /** Adds a refused change, in place of those that have a field in common with it. */
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

const SUBJECT = 'units';

/** Returns the refused changes. They are a draft: the tab keeps them when the person leaves the page or loads it again. */
export function useRefusals(): Refusals {
  const { userId } = useSession();
  const [draft, write] = useDraft(SUBJECT);
  return useMemo(() => {
    // A save may be refused after the page has rendered others, or is no longer shown: read the latest ones.
    const listOthers = (unitId: string, change: UnitChange): Refusal[] =>
      parse(readDraft(userId, SUBJECT)).filter(
        (each) => each.unit.id !== unitId || !overlaps(each, change),
      );
    const store = (refusals: Refusal[]): void =>
      write(refusals.length === 0 ? '' : JSON.stringify(refusals));
    const refusals = parse(draft);
    return {
      find: (unitId, name) =>
        refusals.find((each) => each.unit.id === unitId && name in each.change),
      add: (refusal) => store([...listOthers(refusal.unit.id, refusal.change), refusal]),
      forget: (unitId, change) => store(listOthers(unitId, change)),
    };
  }, [draft, userId, write]);
}

const parse = (draft: string): Refusal[] => (draft === '' ? [] : (JSON.parse(draft) as Refusal[]));

const overlaps = ({ change }: Refusal, other: UnitChange): boolean =>
  Object.keys(change).some((name) => name in other);

/** Formats the refused value of a field for its control. */
export const refusedText = ({ unit, change }: Refusal, name: keyof Unit): string =>
  unitText({ ...unit, ...change }, name);

/** Calls `keep` when the component is removed or the page is loaded again, so that a text that is not saved yet is kept. */
export function useLeaving(keep: () => void): void {
  const keepNow = useEffectEvent(keep);
  useEffect(() => {
    const listener = (): void => keepNow();
    addEventListener('pagehide', listener);
    return () => {
      removeEventListener('pagehide', listener);
      keepNow();
    };
  }, []);
}
