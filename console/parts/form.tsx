import {
  createContext,
  useContext,
  useMemo,
  useState,
  type FormEvent,
  type ReactNode,
} from 'react';
import { ProblemError } from '../api.ts';
import { toSentence } from './sentence.ts';
import { Notice } from './notice.tsx';
import { describeProblem } from './problem-texts.ts';
import './form.css';

interface FormProps {
  /** Sends the form. A `ProblemError` puts its messages under the fields that it names. */
  onSubmit: (values: FormData) => Promise<unknown>;
  /** The name of the form for screen readers. */
  label?: string;
  children: ReactNode;
}

/** A message of the page for a field of a form, where the service names no field. */
export class FieldError extends Error {
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

interface FormState {
  /** The message of the server for each field that it refused. */
  errors: Record<string, string>;
  isBusy: boolean;
}

const FormContext = createContext<FormState>({ errors: {}, isBusy: false });

/** The state of the form around a field or a button. */
export const useForm = (): FormState => useContext(FormContext);

/**
 * A form with the browser's own checks. The fields are `Field`s; a refusal of the server shows under the field that its
 * pointer names, the first of them gets the focus, and anything else shows below the fields.
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
    setBusy(true);
    setErrors({});
    setGeneral('');
    try {
      await onSubmit(new FormData(form));
    } catch (error) {
      const { fields, others } = sortMessages(form, error);
      setErrors(fields);
      setGeneral(others.join(' '));
      focusFirst(form, fields);
    } finally {
      setBusy(false);
    }
  }

  return (
    <form className="form" aria-label={label} onSubmit={(event) => void submit(event)}>
      <FormContext value={state}>{children}</FormContext>
      {general !== '' && <Notice look="error">{general}</Notice>}
    </form>
  );
}

/** Sorts the messages of a refusal: `/heroImage/alt` belongs to the field `heroImage`. */
function sortMessages(form: HTMLFormElement, error: unknown) {
  const fields: Record<string, string> = {};
  const others: string[] = [];
  if (error instanceof FieldError) return { fields: { [error.field]: error.message }, others };
  for (const { pointer, detail } of error instanceof ProblemError ? error.errors : []) {
    const name = pointer?.split('/')[1] ?? '';
    if (form.elements.namedItem(name) === null) others.push(detail);
    else fields[name] ??= toSentence(detail);
  }
  if (Object.keys(fields).length === 0 && others.length === 0) others.push(describeProblem(error));
  return { fields, others };
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
