import { useCallback, useEffect, useState } from 'react';
import type { Contact } from '../api.ts';
import { STAGES_WITH_UNIT } from '../parts/domain/status.tsx';
import { lazyDialog } from '../parts/page/lazy-part.tsx';

const AskUnit = lazyDialog(() => import('./ask-unit.tsx'));

export interface UnitQuestion {
  contact: Pick<Contact, 'id' | 'email' | 'firstName' | 'lastName' | 'name'>;
  stage: string;
}

/** Moves a contact to a stage; `hasUnit` says whether it is linked to a unit. */
export type AskForUnit = <T extends UnitQuestion['contact']>(
  contact: T,
  hasUnit: boolean,
  stage: string,
  move: (contact: T) => void,
) => void;

/**
 * Returns the function that moves a contact to a stage. When the contact needs a unit there and has none, it first asks for the
 * unit in a dialog, and then moves the contact as it is after that. The page must render `dialog`.
 */
export function useUnitQuestion() {
  const [asked, setAsked] = useState<UnitQuestion & { go: (stored: Partial<Contact>) => void }>();
  const close = (): void => setAsked(undefined);
  // A person types the unit right after the stage.
  useEffect(() => AskUnit.preload(), []);

  const askForUnit: AskForUnit = useCallback((contact, hasUnit, stage, move) => {
    if (hasUnit || !STAGES_WITH_UNIT.includes(stage)) return move(contact);
    setAsked({ contact, stage, go: (stored) => move({ ...contact, ...stored }) });
  }, []);

  const dialog = asked && (
    <AskUnit
      {...asked}
      onClose={close}
      onDone={(stored) => {
        close();
        asked.go(stored);
      }}
    />
  );
  return { askForUnit, dialog };
}

/** Whether a contact is linked to a unit. */
export const isLinkedToUnit = ({ links = [] }: Contact): boolean =>
  links.some(({ unitId }) => unitId != null);
