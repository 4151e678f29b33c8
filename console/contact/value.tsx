import {
  useRef,
  useState,
  type FocusEvent,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { Link } from 'wouter';
import { ProblemError, type Contact } from '../api.ts';
import { contactFields as labels } from '../parts/contact-texts.ts';
import { useTrigger } from '../parts/focus.ts';
import { MenuButton } from '../parts/menu.tsx';
import { describeProblem } from '../parts/problem-texts.ts';
import type { SaveContact } from './edits.ts';
import { readTyped, showValue, toTyped, type EditableField } from './fields.ts';
import { Provenance } from './provenance.tsx';
import { texts } from './texts.ts';
import './value.css';

interface ValueProps {
  field: EditableField;
  contact: Contact;
  /** Undefined when the person may only read. */
  save: SaveContact | undefined;
  /** Small buttons beside the value, such as Copy. */
  actions?: ReactNode;
}

/** A field of a contact: its value, which a person edits in place, and the source of the value. */
export function Value({ field, contact, save, actions }: ValueProps) {
  const text = showValue(field.name, contact[field.name]);
  return (
    <div className="value" data-field={field.name}>
      <dt>{labels[field.name]}</dt>
      <dd>
        {save === undefined ? (
          <span className={text === '' ? 'value-empty' : ''}>{text || texts.notKnown}</span>
        ) : field.kind === 'choice' ? (
          <Choice field={field} contact={contact} save={save} />
        ) : (
          <EditableText field={field} contact={contact} save={save} actions={actions} />
        )}
        <Provenance contact={contact} field={field.name} />
      </dd>
    </div>
  );
}

type EditProps = Required<Pick<ValueProps, 'field' | 'contact'>> & { save: SaveContact };

function Choice({ field: { name, choices }, contact, save }: EditProps) {
  const [error, setError] = useState('');
  const value = showValue(name, contact[name]);
  return (
    <>
      <MenuButton
        look="bare"
        name={`${labels[name]}: ${value || texts.notKnown}`}
        label={<span className={value === '' ? 'value-empty' : ''}>{value || texts.notKnown}</span>}
        chosen={value}
        choices={[
          ...(choices ?? []).map((choice) => ({ id: choice, label: choice })),
          { id: '', label: texts.notKnownChoice },
        ]}
        onChoose={(choice) => {
          setError('');
          void save({ [name]: choice === '' ? null : choice }, contact).catch((problem: unknown) =>
            setError(describeRefusal(problem, name)),
          );
        }}
      />
      {error !== '' && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
    </>
  );
}

interface Editing {
  typed: string;
  /** The contact when the field was opened. The change is sent with its version. */
  seen: Contact;
  error?: string;
  /** The id of the contact that already has the email. */
  otherId?: string | undefined;
  /** Whether the focus has left the field: a refusal then must not move it back. */
  isLeft?: boolean;
}

function EditableText({ field, contact, save, actions }: EditProps & { actions: ReactNode }) {
  const [editing, setEditing] = useState<Editing>();
  const trigger = useTrigger(editing !== undefined);
  const { name } = field;
  const text = showValue(name, contact[name]);

  async function commit({ typed, seen }: Editing): Promise<void> {
    setEditing(undefined);
    const value = readTyped(field, typed);
    if (value === (seen[name] ?? null)) return;
    try {
      await save({ [name]: value }, seen);
    } catch (problem) {
      const otherId =
        problem instanceof ProblemError ? problem.problem.matchingContactIds?.[0] : undefined;
      const { activeElement } = document;
      const isLeft = activeElement !== document.body && activeElement !== trigger.current;
      setEditing({ typed, seen, error: describeRefusal(problem, name), otherId, isLeft });
    }
  }

  if (editing !== undefined)
    return (
      <Editor
        field={field}
        editing={editing}
        onType={(typed) => setEditing({ ...editing, typed })}
        onSave={() => void commit(editing)}
        onCancel={() => setEditing(undefined)}
      />
    );
  return (
    <div className="value-line">
      <button
        ref={trigger}
        type="button"
        className={`value-button ${text === '' ? 'value-empty' : ''}`}
        onClick={() => setEditing({ typed: toTyped(contact, name), seen: contact })}
      >
        <span className="hidden-text">{texts.editField(labels[name])}</span>
        {text || texts.notKnown}
      </button>
      {actions}
    </div>
  );
}

interface EditorProps {
  field: EditableField;
  editing: Editing;
  onType: (text: string) => void;
  onSave: () => void;
  onCancel: () => void;
}

function Editor({ field: { name, kind }, editing, onType, onSave, onCancel }: EditorProps) {
  const { typed, seen, error, otherId, isLeft = false } = editing;
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
    'aria-invalid': error !== undefined || undefined,
    'aria-describedby': error === undefined ? undefined : `value-error-${name}`,
    autoComplete: 'off',
    autoFocus: !isLeft,
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

/** Returns the service's message about the field, or else the sentence of the problem. */
function describeRefusal(error: unknown, name: string): string {
  const own =
    error instanceof ProblemError
      ? error.errors.find(({ pointer }) => pointer === `/${name}`)
      : undefined;
  return own?.detail ?? describeProblem(error);
}
