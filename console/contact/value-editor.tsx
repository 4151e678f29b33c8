import { useRef, type FocusEvent, type FormEvent, type KeyboardEvent } from 'react';
import { Link } from 'wouter';
import type { Contact } from '../api.ts';
import { contactFields as labels } from '../parts/domain/contact-texts.ts';
import { FormButtons } from '../parts/form/field.tsx';
import { texts as shared } from '../parts/text/texts.ts';
import { toTyped, type EditableField } from './fields.ts';
import { texts } from './texts.ts';

/** A text that a person typed and that is not saved. */
export interface Typed {
  typed: string;
  /** The version and the value of the contact when the field was opened. The change is sent with this version. */
  seen: Pick<Contact, 'etag'> & Partial<Contact>;
  /** The reason why the last save failed. */
  error?: string;
  /** The id of the contact that already has the email. */
  otherId?: string | undefined;
}

interface EditorProps {
  field: EditableField;
  editing: Typed;
  /** Whether the field takes the focus when it appears. */
  isFocused: boolean;
  onType: (text: string) => void;
  onSave: () => void;
  onCancel: () => void;
}

/** The form of a text field that is open. */
export function Editor(props: EditorProps) {
  const { editing, isFocused, onType, onSave, onCancel } = props;
  const { name, kind } = props.field;
  const { typed, seen, error, otherId } = editing;
  const form = useRef<HTMLFormElement>(null);
  const isArea = kind === 'area';

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape') onCancel();
    else if (isArea && event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  const control = {
    className: 'control',
    'aria-label': labels[name],
    'aria-invalid': error !== undefined,
    'aria-describedby': error === undefined ? undefined : `value-error-${name}`,
    autoComplete: 'off',
    autoFocus: isFocused,
    value: typed,
    onKeyDown,
    onBlur: ({ relatedTarget }: FocusEvent) => {
      // Save when the focus leaves the field, but not when the whole window loses it, nor a value that was refused.
      if (error !== undefined || !document.hasFocus() || form.current?.contains(relatedTarget))
        return;
      if (typed === toTyped(seen, name)) onCancel();
      else onSave();
    },
  };
  return (
    <form
      ref={form}
      className="value-editor"
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        onSave();
      }}
    >
      {isArea ? (
        <textarea {...control} rows={5} onChange={(event) => onType(event.target.value)} />
      ) : (
        <input
          {...control}
          inputMode={INPUT_MODES[kind]}
          onFocus={(event) => error === undefined && event.target.select()}
          onChange={(event) => onType(event.target.value)}
        />
      )}
      {isArea && <p className="field-hint keys-only">{texts.areaKeys}</p>}
      {error !== undefined && (
        <p className="field-error" id={`value-error-${name}`} role="alert">
          {error}
          {otherId !== undefined && (
            <>
              {' '}
              <Link href={`/contacts/${otherId}`}>{texts.openOther}</Link>
            </>
          )}
        </p>
      )}
      {error !== undefined && <FormButtons action={shared.save} look="plain" />}
    </form>
  );
}

const INPUT_MODES = {
  text: 'text',
  email: 'email',
  phone: 'tel',
  money: 'text',
  choice: 'text',
  area: 'text',
} as const;
