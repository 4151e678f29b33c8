import { useEffect, useRef } from 'react';
import { useSession } from '../session/session.tsx';
import { readDraft, writeDraft } from './draft.ts';

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/**
 * Keeps what a person types into the form around it, so that it survives a reload: the form has the same values when it is next
 * opened. They are dropped when the form is closed or sent. It is for forms whose fields have no state in React and no secrets.
 */
export function FormDraft({ subject }: { subject: string }) {
  const place = useRef<HTMLSpanElement>(null);
  const { userId } = useSession();
  useEffect(() => {
    const form = place.current?.closest('form');
    if (!form) return undefined;
    const draft = readDraft(userId, subject);
    if (draft !== '') fillIn(form, JSON.parse(draft) as Record<string, string>);
    const keep = (): void =>
      writeDraft(userId, subject, JSON.stringify(Object.fromEntries(new FormData(form))));
    form.addEventListener('input', keep);
    return () => {
      form.removeEventListener('input', keep);
      writeDraft(userId, subject, '');
    };
  }, [userId, subject]);
  return <span ref={place} hidden />;
}

function fillIn(form: HTMLFormElement, values: Record<string, string>): void {
  for (const control of form.querySelectorAll<Control>('input, select, textarea')) {
    const value = values[control.name];
    if (value === undefined) continue;
    if (control.type === 'radio') (control as HTMLInputElement).checked = control.value === value;
    else control.value = value;
  }
}
