import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useSession } from '../../session/session.tsx';
import { dropDraft, readDraft, writeDraft } from './draft.ts';

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** The typed and chosen values of a form. */
interface Draft {
  /** The values by the name of their field. Check boxes of one name have one for each that is checked. */
  values: Record<string, string[]>;
  /** The resource as it was when the person opened the form that changes it. */
  seen?: unknown;
}

interface FormDraftProps {
  subject: string;
  /** The names of the fields to keep. None may be a secret. */
  fields: readonly string[];
  /** The resource that the form changes, from `useSeen`. */
  seen?: unknown;
}

/**
 * Keeps what a person types and chooses in fields of the form around it, so that it survives a reload: the form has the same
 * values when it is next opened. They are dropped when the form is closed or sent. Fields that a choice brings into the form need
 * a `FormDraft` of their own. A dialog with a single choice has none: an old choice could be confirmed by mistake.
 */
export function FormDraft({ subject, fields, seen }: FormDraftProps) {
  const place = useRef<HTMLSpanElement>(null);
  const { userId } = useSession();
  // Fill the form in after each render: the options of a select may have arrived only now.
  useLayoutEffect(() => {
    const form = place.current?.closest('form');
    const draft = parseDraft(userId, subject);
    if (form && draft) fillIn(form, draft.values);
  });
  useEffect(() => {
    const form = place.current?.closest('form');
    if (!form) return undefined;
    const keep = ({ target }: Event): void => {
      const typed = new FormData(form);
      const values = { ...parseDraft(userId, subject)?.values };
      for (const name of fields) {
        // A field that a choice has disabled keeps its value in the draft: undoing the choice brings it back.
        const control = form.querySelector<Control>(`[name="${name}"]:enabled`);
        const isWaiting = control !== target && lacksOption(control, values[name]?.[0]);
        if (control !== null && !isWaiting) values[name] = typed.getAll(name).map(String);
      }
      writeDraft(userId, subject, JSON.stringify({ values, seen }));
    };
    form.addEventListener('input', keep);
    return () => {
      form.removeEventListener('input', keep);
      dropDraft(userId, subject);
    };
  }, [userId, subject, fields, seen]);
  return <span ref={place} hidden />;
}

/**
 * Returns the resource that a form changes, as the person saw it when they opened the form whose draft the tab has; without a
 * draft, as it is now. The form saves with that version, so that a change by others since then is a conflict.
 */
export function useSeen<T>(subject: string, current: T): T {
  const { userId } = useSession();
  const [seen] = useState(() => {
    const draft = parseDraft(userId, subject);
    return draft?.seen === undefined ? current : (draft.seen as T);
  });
  return seen;
}

/** Reads the draft of a form; undefined when there is none, or only one of another version of the console. */
function parseDraft(userId: string, subject: string): Draft | undefined {
  const text = readDraft(userId, subject);
  const draft = text === '' ? {} : (JSON.parse(text) as Partial<Draft>);
  return typeof draft.values === 'object' ? (draft as Draft) : undefined;
}

function fillIn(form: HTMLFormElement, values: Draft['values']): void {
  for (const control of form.querySelectorAll<Control>('input, select, textarea')) {
    const drafted = values[control.name];
    if (drafted === undefined || !setValue(control, drafted)) continue;
    const details = control.closest('details');
    if (details !== null) details.open = true;
  }
}

/** Gives a control its value of the draft, with the event that tells React. Returns whether it had another one. */
function setValue(control: Control, values: readonly string[]): boolean {
  const { type, value } = control;
  if (control instanceof HTMLInputElement && (type === 'checkbox' || type === 'radio')) {
    const isOther = control.checked !== values.includes(value);
    if (isOther) control.click();
    return isOther;
  }
  const [text] = values;
  if (text === undefined || text === value) return false;
  if (lacksOption(control, text)) return false;
  control.value = text;
  control.dispatchEvent(new Event('change', { bubbles: true }));
  return true;
}

/** Whether a select has no option for its value of the draft: its options may arrive later. */
const lacksOption = (control: Control | null, value: string | undefined): boolean =>
  control instanceof HTMLSelectElement &&
  value !== undefined &&
  [...control.options].every((option) => option.value !== value);
