import {
  useEffect,
  useRef,
  useState,
  type FocusEvent,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { Link, useLocation } from 'wouter';
import { ProblemError, type Contact } from '../api.ts';
import { nameContact } from '../parts/contact-name.ts';
import { contactFields as labels, nameField } from '../parts/contact-texts.ts';
import { readDraft, useDraft } from '../parts/draft.ts';
import { FormButtons } from '../parts/field.tsx';
import { useTrigger } from '../parts/focus.ts';
import { MenuButton } from '../parts/menu.tsx';
import { describeProblem, describeUnsaved } from '../parts/problem-texts.ts';
import { nameFields, toSentence } from '../parts/sentence.ts';
import { texts as shared } from '../parts/texts.ts';
import { showToast } from '../parts/toast.tsx';
import { useSession } from '../session/session.tsx';
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

/** A text that a person typed and that is not saved. */
interface Typed {
  typed: string;
  /** The version and the value of the contact when the field was opened. The change is sent with this version. */
  seen: Pick<Contact, 'etag'> & Partial<Contact>;
  /** The reason why the last save failed. */
  error?: string;
  /** The id of the contact that already has the email. */
  otherId?: string | undefined;
}

/** The subject of the draft of a field. */
const nameSubject = ({ id }: Contact, field: string): string => `contact:${id}:${field}`;

/** Reads the draft of a field; undefined when the contact has its value, or when the person has changed nothing. */
function readUnsaved(text: string, contact: Contact, field: EditableField): Typed | undefined {
  if (text === '') return undefined;
  const draft = JSON.parse(text) as Typed;
  const isChanged = draft.typed !== toTyped(draft.seen, field.name);
  const isStored = readTyped(field, draft.typed) === (contact[field.name] ?? null);
  return isChanged && !isStored ? draft : undefined;
}

/** Returns whether a text that the person typed into the field is not saved. */
export const hasUnsaved = (userId: string, contact: Contact, field: EditableField): boolean =>
  readUnsaved(readDraft(userId, nameSubject(contact, field.name)), contact, field) !== undefined;

/**
 * A text field. The typed text is a draft until it is saved: when a save fails, or when the person leaves the page before it, the
 * field shows the text again on the next visit.
 */
function EditableText({ field, contact, save, actions }: EditProps & { actions: ReactNode }) {
  const { name } = field;
  const { userId } = useSession();
  const [, navigate] = useLocation();
  const subject = nameSubject(contact, name);
  const [draft, write, clear] = useDraft(subject);
  // 'idle': the person has not opened the field since they came to the page. An earlier draft is shown, without the focus.
  const [state, setState] = useState<'idle' | 'open' | 'saving'>('idle');
  const editing =
    state === 'open' && draft !== ''
      ? (JSON.parse(draft) as Typed)
      : state === 'idle'
        ? readUnsaved(draft, contact, field)
        : undefined;
  // The contact has the value in a later version: the service has stored it.
  const isStored =
    state === 'idle' &&
    draft !== '' &&
    editing === undefined &&
    (JSON.parse(draft) as Typed).seen.etag !== contact.etag;
  useEffect(() => {
    if (isStored) clear();
  }, [isStored, clear]);
  const trigger = useTrigger(editing !== undefined);
  const text = showValue(name, contact[name]);
  const keep = (next: Typed): void => write(JSON.stringify(next));

  function open(): void {
    const { etag, [name]: value } = contact;
    keep({ typed: toTyped(contact, name), seen: { etag, [name]: value } });
    setState('open');
  }

  function close(): void {
    clear();
    setState('idle');
  }

  async function commit({ typed, seen }: Typed): Promise<void> {
    const value = readTyped(field, typed);
    if (value === (seen[name] ?? null)) return close();
    const sent = JSON.stringify({ typed, seen } satisfies Typed);
    write(sent);
    setState('saving');
    // The person may open the field again during the save: its draft is then another one.
    const isLatest = (): boolean => readDraft(userId, subject) === sent;
    try {
      await save({ [name]: value }, { ...contact, ...seen });
      if (isLatest()) close();
    } catch (problem) {
      const error = describeRefusal(problem, name);
      const isGone = trigger.current === null;
      if (isGone)
        showToast({
          text: texts.notSaved(nameContact(contact), labels[name], error),
          look: 'error',
          action: { label: texts.open, onAction: () => navigate(`/contacts/${contact.id}`) },
        });
      if (!isLatest()) return;
      const otherId =
        problem instanceof ProblemError ? problem.problem.matchingContactIds?.[0] : undefined;
      keep({ typed, seen, error: describeRefusal(problem, name, describeUnsaved), otherId });
      const { activeElement } = document;
      const isLeft = activeElement !== document.body && activeElement !== trigger.current;
      setState(isLeft ? 'idle' : 'open');
    }
  }

  if (editing !== undefined)
    return (
      <Editor
        field={field}
        editing={state === 'idle' ? { error: texts.notSavedYet, ...editing } : editing}
        isFocused={state === 'open'}
        onType={(typed) => {
          keep({ typed, seen: editing.seen });
          setState('open');
        }}
        onSave={() => void commit(editing)}
        onCancel={close}
      />
    );
  return (
    <div className="value-line">
      <button
        ref={trigger}
        type="button"
        className={`value-button ${text === '' ? 'value-empty' : ''}`}
        onClick={open}
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
  editing: Typed;
  /** Whether the field takes the focus when it appears. */
  isFocused: boolean;
  onType: (text: string) => void;
  onSave: () => void;
  onCancel: () => void;
}

function Editor(props: EditorProps) {
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

/** Returns the service's message about the field, or else the sentence of the problem. */
function describeRefusal(error: unknown, name: string, describe = describeProblem): string {
  const own =
    error instanceof ProblemError
      ? error.errors.find(({ pointer }) => pointer === `/${name}`)
      : undefined;
  return own === undefined ? describe(error) : toSentence(nameFields(own.detail, nameField));
}
