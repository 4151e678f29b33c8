import { useEffect, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { ProblemError, type Contact } from '../api.ts';
import { nameContact } from '../parts/domain/contact-name.ts';
import { contactFields as labels, nameField } from '../parts/domain/contact-texts.ts';
import { readDraft, useDraft } from '../parts/draft/draft.ts';
import { useTrigger } from '../parts/keyboard/focus.ts';
import { showToast } from '../parts/message/toast.tsx';
import { MenuButton } from '../parts/popup/menu.tsx';
import { describeProblem, describeUnsaved } from '../parts/text/problem-texts.ts';
import { nameFields, toSentence } from '../parts/text/sentence.ts';
import { useSession } from '../session/session.tsx';
import type { SaveContact } from './edits.ts';
import { readTyped, showValue, toTyped, type EditableField } from './fields.ts';
import { Provenance } from './provenance.tsx';
import { texts } from './texts.ts';
import { Editor, type Typed } from './value-editor.tsx';
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

/** The subject of the draft of a field. */
const nameSubject = ({ id }: Contact, field: string): string => `contact:${id}:${field}`;

const parseDraft = (text: string): Typed | undefined =>
  text === '' ? undefined : (JSON.parse(text) as Typed);

/** Returns whether a person has changed the value of a field in a draft, and the contact does not have the new value. */
function isUnsaved(draft: Typed | undefined, contact: Contact, field: EditableField): boolean {
  if (draft === undefined) return false;
  const isChanged = draft.typed !== toTyped(draft.seen, field.name);
  const isStored = readTyped(field, draft.typed) === (contact[field.name] ?? null);
  return isChanged && !isStored;
}

/** Returns whether a text that the person typed into the field is not saved. */
export const hasUnsaved = (userId: string, contact: Contact, field: EditableField): boolean =>
  isUnsaved(parseDraft(readDraft(userId, nameSubject(contact, field.name))), contact, field);

/**
 * A text field. The typed text is a draft until it is saved: when a save fails, or when the person leaves the page before it, the
 * field shows the text again on the next visit.
 */
function EditableText({ field, contact, save, actions }: EditProps & { actions: ReactNode }) {
  const { name } = field;
  const { userId } = useSession();
  const [, navigate] = useLocation();
  const subject = nameSubject(contact, name);
  const [text, write, clear] = useDraft(subject);
  const draft = parseDraft(text);
  // 'idle': the person has not opened the field since they came to the page. An earlier draft is shown, without the focus.
  const [state, setState] = useState<'idle' | 'open' | 'saving'>('idle');
  const showsDraft = state === 'idle' && isUnsaved(draft, contact, field);
  const editing = state === 'open' || showsDraft ? draft : undefined;
  // The contact has the value in a later version: the service has stored it.
  const isStored =
    state === 'idle' && !showsDraft && (draft?.seen.etag ?? contact.etag) !== contact.etag;
  useEffect(() => {
    if (isStored) clear();
  }, [isStored, clear]);
  const trigger = useTrigger(editing !== undefined);
  const shown = showValue(name, contact[name]);
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
      const isElsewhere = activeElement !== document.body && activeElement !== trigger.current;
      setState(isElsewhere ? 'idle' : 'open');
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
        className={`value-button ${shown === '' ? 'value-empty' : ''}`}
        onClick={open}
      >
        <span className="hidden-text">{texts.editField(labels[name])}</span>
        {shown || texts.notKnown}
      </button>
      {actions}
    </div>
  );
}

/** Returns the service's message about the field, or else the sentence of the problem. */
function describeRefusal(error: unknown, name: string, describe = describeProblem): string {
  const own =
    error instanceof ProblemError
      ? error.errors.find(({ pointer }) => pointer === `/${name}`)
      : undefined;
  return own === undefined ? describe(error) : toSentence(nameFields(own.detail, nameField));
}
