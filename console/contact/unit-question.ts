import type { Contact } from '../api.ts';
import { STAGES_WITH_UNIT } from '../parts/domain/status.tsx';

/** The question which unit a contact has at a stage. */
export interface UnitQuestion {
  contact: Pick<Contact, 'id' | 'email' | 'firstName' | 'lastName' | 'name'>;
  stage: string;
  /** Called when the unit is linked, with what the contact is now, or when the person continues without one. */
  onDone: (stored: Partial<Contact>) => void;
}

/** Asks a question in the dialog `AskUnit`, which the page shows; without a question, it closes the dialog. */
export type AskUnitQuestion = (question?: UnitQuestion) => void;

interface Move<T> {
  contact: T;
  hasUnit: boolean;
  stage: string;
  /** Moves the contact as it is after the question. */
  move: (contact: T) => void;
}

/** Moves a contact to a stage. When the contact needs a unit there and has none, it first asks for the unit. */
export function askForUnit<T extends UnitQuestion['contact']>(
  ask: AskUnitQuestion,
  { contact, hasUnit, stage, move }: Move<T>,
): void {
  if (hasUnit || !STAGES_WITH_UNIT.includes(stage)) return move(contact);
  const onDone: UnitQuestion['onDone'] = (stored) => {
    ask();
    move({ ...contact, ...stored });
  };
  ask({ contact, stage, onDone });
}

/** Whether a contact is linked to a unit. */
export const isLinkedToUnit = ({ links = [] }: Contact): boolean =>
  links.some(({ unitId }) => unitId != null);
