import { useId, type ComponentProps, type ReactNode } from 'react';
import { Button } from '../button/button.tsx';
import { useForm } from './form.tsx';
import './field.css';

interface Labelled {
  /** The label. */
  label: string;
  /** The wire name of the field. The pointers of refusals use it, too. */
  name: string;
  /** An explanation below the field. */
  hint?: ReactNode;
  /** A message below the field. It replaces the message of the form. */
  error?: ReactNode;
}

/** Renders the label, the hint and the message of a control, and makes the attributes that link them to it. */
function useLabelled({ name, hint, error }: Labelled) {
  const id = useId();
  const { errors } = useForm();
  const message = error ?? errors[name];
  // The message may be the hint.
  const shownHint = hint === message ? undefined : hint;
  const describedBy = [
    shownHint !== undefined && `${id}-hint`,
    message !== undefined && `${id}-error`,
  ]
    .filter(Boolean)
    .join(' ');
  return {
    id,
    hint: shownHint,
    message,
    control: {
      id,
      name,
      // Without it, Firefox calls a required field invalid before anything is typed, and a screen reader says so.
      'aria-invalid': message !== undefined,
      'aria-describedby': describedBy || undefined,
    },
  };
}

function Labels({
  id,
  label,
  hint,
  message,
  children,
}: Pick<Labelled, 'label' | 'hint'> & {
  id: string;
  message: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children}
      {hint !== undefined && (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {message !== undefined && (
        <p className="field-error" id={`${id}-error`}>
          {message}
        </p>
      )}
    </div>
  );
}

/** The attributes of a field for an email. `type="email"` would refuse some that the service takes, and rewrite others. */
export const EMAIL_INPUT = {
  inputMode: 'email',
  autoCapitalize: 'none',
  spellCheck: false,
} as const;

/** A field for one line of text. */
export function Field(props: Labelled & Omit<ComponentProps<'input'>, 'name'>) {
  const { label, hint: _hint, error: _error, ...others } = props;
  const { id, hint, message, control } = useLabelled(props);
  return (
    <Labels id={id} label={label} hint={hint} message={message}>
      <input autoComplete="off" {...others} {...control} className="control" />
    </Labels>
  );
}

/** A field for several lines of text. */
export function AreaField(props: Labelled & Omit<ComponentProps<'textarea'>, 'name'>) {
  const { label, hint: _hint, error: _error, ...others } = props;
  const { id, hint, message, control } = useLabelled(props);
  return (
    <Labels id={id} label={label} hint={hint} message={message}>
      <textarea rows={4} {...others} {...control} className="control control-area" />
    </Labels>
  );
}

/** A field for one of a few values: a `select` element. Its children are `option` elements. */
export function SelectField(props: Labelled & Omit<ComponentProps<'select'>, 'name'>) {
  const { label, hint: _hint, error: _error, children, ...others } = props;
  const { id, hint, message, control } = useLabelled(props);
  return (
    <Labels id={id} label={label} hint={hint} message={message}>
      <select {...others} {...control} className="control">
        {children}
      </select>
    </Labels>
  );
}

/** A check box with its label on the right. */
export function CheckField({
  label,
  hint,
  ...others
}: { label: ReactNode; hint?: ReactNode } & ComponentProps<'input'>) {
  const id = useId();
  return (
    <div className="field-check">
      <input
        type="checkbox"
        {...others}
        id={id}
        aria-describedby={hint ? `${id}-hint` : undefined}
      />
      <label htmlFor={id}>{label}</label>
      {hint !== undefined && (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** The buttons at the end of a form: the action, and Cancel. */
export function FormButtons({
  action,
  look = 'filled',
  onCancel,
  cancel,
}: {
  action: string;
  look?: 'filled' | 'plain' | 'danger';
  onCancel?: () => void;
  cancel?: string;
}) {
  const { isBusy } = useForm();
  return (
    <div className="form-buttons">
      {onCancel !== undefined && (
        <Button look="bare" onClick={onCancel}>
          {cancel}
        </Button>
      )}
      <Button type="submit" look={look} isBusy={isBusy}>
        {action}
      </Button>
    </div>
  );
}
