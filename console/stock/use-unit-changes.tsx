import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { Unit } from '../api.ts';
import { showToast } from '../parts/message/toast.tsx';
import { lazyDialog } from '../parts/page/lazy-part.tsx';
import { describeProblem, describeUnsaved } from '../parts/text/problem-texts.ts';
import type { Question } from './change-dialog.tsx';
import { hidesPrice } from './price.ts';
import { texts } from './texts.ts';
import { saveUnit, type UnitChange } from './unit-data.ts';
import { useUnsavedChanges, type UnsavedChanges } from './use-unsaved-changes.ts';

const ChangeDialog = lazyDialog(() => import('./change-dialog.tsx'));

export type ChangeUnit = (unit: Unit, change: UnitChange) => void;

/**
 * Returns the function that changes a unit with the version that the person saw. Before it withdraws a unit or removes a price, it
 * asks in a dialog. The page must render `dialogs`.
 */
export function useUnitChanges() {
  const queries = useQueryClient();
  const [question, setQuestion] = useState<Question>();
  const unsaved = useUnsavedChanges();
  const { add, settle } = unsaved;

  const send = useCallback(
    (unit: Unit, change: UnitChange): void => {
      void sendChange(queries, unit, change, { add, settle });
    },
    [queries, add, settle],
  );

  const changeUnit: ChangeUnit = useCallback(
    (unit, change) => {
      const isAsked =
        (change.status === 'Withdrawn' && unit.status !== 'Withdrawn') ||
        (change.price === null && unit.price != null && !('priceDisplay' in change));
      if (isAsked) setQuestion({ unit, change });
      else send(unit, change);
    },
    [send],
  );

  function answer(change: UnitChange): void {
    if (question !== undefined) send(question.unit, change);
    setQuestion(undefined);
  }

  const close = (): void => setQuestion(undefined);
  const dialogs = question && (
    <ChangeDialog question={question} onAnswer={answer} onClose={close} />
  );
  return { changeUnit, unsaved, dialogs };
}

/** Returns whether a change has a typed value. A status or a type is quickly chosen again, so that nothing keeps it. */
const isTyped = (change: UnitChange): boolean =>
  Object.keys(change).some((name) => name !== 'status' && name !== 'unitType');

/** Sends a change. A toast says when it is refused, or when websites show a text that hides the new price. */
async function sendChange(
  queries: QueryClient,
  unit: Unit,
  change: UnitChange,
  unsaved: Pick<UnsavedChanges, 'add' | 'settle'>,
): Promise<void> {
  // The page may be loaded again before the answer. Until then, the unit has the new value, so that its field shows no message.
  const sent = { unit, change, message: texts.notSavedYet };
  if (isTyped(change)) unsaved.add(sent);
  try {
    await saveUnit(queries, unit, change);
  } catch (error) {
    unsaved.settle(sent, describeUnsaved(error));
    const text = texts.notSaved(unit.name ?? '', describeProblem(error));
    return void showToast({ text, look: 'error' });
  }
  unsaved.settle(sent);
  const after = { ...unit, ...change };
  if (change.price == null || !hidesPrice(after)) return;
  // Accept any version: the toast has just shown the text to the person.
  const showPrice = (): void =>
    void sendChange(queries, { ...after, etag: '*' }, { priceDisplay: null }, unsaved);
  showToast({
    text: texts.hides(after.priceDisplay ?? ''),
    action: { label: texts.showPrice, onAction: showPrice },
  });
}
