import { useEffect, useRef } from 'react';
import { useSession } from '../session/session.tsx';
import { readDraft, writeDraft } from './draft.ts';

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

interface FormDraftProps {
  subject: string;
  /** The names of the fields to keep: texts and choices of one that are no secrets, and have no state in React. */
  fields: readonly string[];
}

/**
 * Keeps what a person types into fields of the form around it, so that it survives a reload: the form has the same values when it
 * is next opened. They are dropped when the form is closed or sent. A select that
 * does not have the kept option keeps its own value.
 */
export function FormDraft({ subject, fields }: FormDraftProps) {
  const place = useRef<HTMLSpanElement>(null);
  const { userId } = useSession();
  useEffect(() => {
    const form = place.current?.closest('form');
    if (!form) return undefined;
    const draft = readDraft(userId, subject);
    if (draft !== '') fillIn(form, JSON.parse(draft) as Record<string, string>);
    const keep = (): void => {
      const values = [...new FormData(form)].filter(([name]) => fields.includes(name));
      writeDraft(userId, subject, JSON.stringify(Object.fromEntries(values)));
    };
    form.addEventListener('input', keep);
    return () => {
      form.removeEventListener('input', keep);
      writeDraft(userId, subject, '');
    };
  }, [userId, subject, fields]);
  return <span ref={place} hidden />;
}

function fillIn(form: HTMLFormElement, values: Record<string, string>): void {
  for (const control of form.querySelectorAll<Control>('input, select, textarea')) {
    const value = values[control.name];
    if (value === undefined) continue;
    if (control.type === 'radio') (control as HTMLInputElement).checked = control.value === value;
    else if (!(control instanceof HTMLSelectElement) || hasOption(control, value))
      control.value = value;
  }
}

const hasOption = ({ options }: HTMLSelectElement, value: string): boolean =>
  [...options].some((option) => option.value === value);
