import {
  createContext,
  useContext,
  useMemo,
  useState,
  type FormEvent,
  type ReactNode,
} from 'react';
import { ProblemError } from '../../api.ts';
import { nameFields, toSentence } from '../text/sentence.ts';
import { Notice } from '../message/notice.tsx';
import { describeProblem } from '../text/problem-texts.ts';
import { noteSending } from '../../session/questions.ts';
import { showToast } from '../message/toast-store.ts';
import './form.css';

interface FormProps {
  /** Sends the form. When it throws a `ProblemError`, the form shows the messages below the fields that the error names. */
  onSubmit: (values: FormData) => Promise<unknown>;
  /** The name of the form for screen readers. */
  label?: string;
  children: ReactNode;
}

/** An error with a message for one field. The page throws it where the service would name no field. */
export class FieldError extends Error {
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

interface FormState {
  /** The service's message for each refused field. */
  errors: Record<string, string>;
  isBusy: boolean;
}

const FormContext = createContext<FormState>({ errors: {}, isBusy: false });

/** Reads the state of the form that contains a field or a button. */
export const useForm = (): FormState => useContext(FormContext);

/**
 * A form of `Field`s with the browser's own validation. A message of the service stands below the field that its pointer names;
 * the first such field gets the focus. Any other message stands below all fields.
 */
export function Form({ onSubmit, label, children }: FormProps) {
  const [isBusy, setBusy] = useState(false);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [general, setGeneral] = useState('');
  const state = useMemo(() => ({ errors, isBusy }), [errors, isBusy]);

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    if (isBusy) return;
    const title = form.closest('dialog')?.querySelector('h2')?.textContent ?? document.title;
    setBusy(true);
    setErrors({});
    setGeneral('');
    try {
      await noteSending(onSubmit(new FormData(form)));
    } catch (error) {
      const { fields, others } = sortMessages(form, error);
      setErrors(fields);
      setGeneral(others.join(' '));
      focusFirst(form, fields);
      // The person has closed the dialog, or left the page, and sees no message in it.
      const text = `${title}: ${[...Object.values(fields), ...others].join(' ')}`;
      if (!form.isConnected) showToast({ text, look: 'error' });
    } finally {
      setBusy(false);
    }
  }

  return (
    <form className="form" aria-label={label} onSubmit={(event) => void submit(event)}>
      <FormContext value={state}>{children}</FormContext>
      {general !== '' && (
        <div ref={showMessage}>
          <Notice look="error">{general}</Notice>
        </div>
      )}
    </form>
  );
}

/** Scrolls to a message below a long form. The Stop button of a change that failed is gone: then the form gets the focus back. */
function showMessage(element: HTMLElement | null): void {
  if (document.activeElement === document.body)
    element?.closest('form')?.querySelector<HTMLElement>('[type=submit]')?.focus();
  element?.scrollIntoView({ block: 'nearest' });
}

/** Assigns the messages of a refusal to fields. The pointer `/heroImage/alt` belongs to the field `heroImage`. */
function sortMessages(form: HTMLFormElement, error: unknown) {
  const fields: Record<string, string> = {};
  const others: string[] = [];
  if (error instanceof FieldError) return { fields: { [error.field]: error.message }, others };
  for (const { pointer, detail } of error instanceof ProblemError ? error.errors : []) {
    const name = pointer?.split('/')[1] ?? '';
    const control = form.elements.namedItem(name);
    const nameField = (field: string): string => (field === name && readLabel(control)) || field;
    if (control === null) others.push(detail);
    else fields[name] ??= toSentence(nameFields(detail, nameField));
  }
  if (Object.keys(fields).length === 0 && others.length === 0) others.push(describeProblem(error));
  return { fields, others };
}

/** Reads the label of a control; empty when it has none of its own. */
function readLabel(control: Element | RadioNodeList | null): string {
  const hasLabels = control instanceof HTMLElement && 'labels' in control;
  return (hasLabels && (control as HTMLInputElement).labels?.[0]?.textContent) || '';
}

function focusFirst(form: HTMLFormElement, fields: Record<string, string>): void {
  for (const element of form.elements)
    if (element instanceof HTMLElement && (element.getAttribute('name') ?? '') in fields)
      return element.focus();
}

/** Reads a text of a form, trimmed; null when it is empty. */
export function readText(values: FormData, name: string): string | null {
  const value = values.get(name);
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' ? null : text;
}

/** Reads a password of a form, as it was typed. */
export function readPassword(values: FormData, name = 'password'): string {
  const value = values.get(name);
  return typeof value === 'string' ? value : '';
}
