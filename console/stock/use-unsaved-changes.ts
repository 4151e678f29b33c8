import { useEffect, useEffectEvent, useMemo } from 'react';
import type { Unit } from '../api.ts';
import { readDraft, useDraft } from '../parts/draft/draft.ts';
import { useSession } from '../session/session.tsx';
import { unitText } from './unit-fields.ts';
import type { UnitChange } from './unit-data.ts';

/** A change of a unit that is not saved, with the reason. */
export interface UnsavedChange {
  /** The unit as it was before the change. */
  unit: Unit;
  change: UnitChange;
  message: string;
}

/** The changes that are not saved. Their fields keep the typed text until the person saves or discards it. */
export interface UnsavedChanges {
  /** Finds the change of a field that is not saved, unless the unit has its value: it may be stored, and its answer lost. */
  find: (unit: Unit, name: keyof Unit) => UnsavedChange | undefined;
  /** Adds a change, in place of those that have a field in common with it. */
  add: (unsavedChange: UnsavedChange) => void;
  /** Forgets a change that was sent; with a message, keeps it as refused. Does nothing when a later one has taken its place. */
  settle: (sent: UnsavedChange, message?: string) => void;
  /** Forgets unsaved changes that have a field in common with a new change. */
  forget: (unitId: string, change: UnitChange) => void;
  /** Forgets changes that the service has stored, as a later version of their unit shows. */
  forgetStored: (units: readonly (Unit | undefined)[]) => void;
}

const SUBJECT = 'units';

/** Returns the changes that are not saved. They are a draft: the tab keeps them when the person leaves the page or loads it again. */
export function useUnsavedChanges(): UnsavedChanges {
  const { userId } = useSession();
  const [draft, write] = useDraft(SUBJECT);
  return useMemo(() => {
    // A save may be refused after the page has rendered others, or is no longer shown: read the latest ones.
    const listOthers = (unitId: string, change: UnitChange): UnsavedChange[] =>
      parse(readDraft(userId, SUBJECT)).filter(
        (each) => each.unit.id !== unitId || !overlaps(each, change),
      );
    const store = (unsaved: UnsavedChange[]): void =>
      write(unsaved.length === 0 ? '' : JSON.stringify(unsaved));
    const unsaved = parse(draft);
    return {
      find: (unit, name) =>
        unsaved.find(
          ({ unit: { id }, change }) =>
            id === unit.id && name in change && !hasValue(unit, change, name),
        ),
      add: (unsavedChange) =>
        store([...listOthers(unsavedChange.unit.id, unsavedChange.change), unsavedChange]),
      settle: (sent, message) => {
        const text = JSON.stringify(sent);
        const now = message === undefined ? [] : [{ ...sent, message }];
        store(
          parse(readDraft(userId, SUBJECT)).flatMap((each) =>
            JSON.stringify(each) === text ? now : each,
          ),
        );
      },
      forget: (unitId, change) => store(listOthers(unitId, change)),
      forgetStored: (units) => {
        const others = unsaved.filter((each) => !units.some((unit) => isStored(each, unit)));
        if (others.length < unsaved.length) store(others);
      },
    };
  }, [draft, userId, write]);
}

const parse = (draft: string): UnsavedChange[] =>
  draft === '' ? [] : (JSON.parse(draft) as UnsavedChange[]);

const hasValue = (unit: Unit, change: UnitChange, name: keyof Unit): boolean =>
  change[name] === (unit[name] ?? null);

/** Returns whether the service has stored a change. During its save the unit shows the new values, but still has the old version. */
const isStored = ({ unit: seen, change }: UnsavedChange, unit: Unit | undefined): boolean =>
  unit?.id === seen.id &&
  unit.etag !== seen.etag &&
  Object.keys(change).every((name) => hasValue(unit, change, name as keyof Unit));

const overlaps = ({ change }: UnsavedChange, other: UnitChange): boolean =>
  Object.keys(change).some((name) => name in other);

/** Formats the unsaved value of a field for its control. */
export const unsavedText = ({ unit, change }: UnsavedChange, name: keyof Unit): string =>
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
