import {
  useEffect,
  useId,
  useRef,
  useState,
  type FormEvent,
  type KeyboardEvent,
  type Ref,
} from 'react';
import { useLocation } from 'wouter';
import { ProblemError, type Activity, type Contact } from '../api.ts';
import { Button } from '../parts/button/button.tsx';
import { nameContact } from '../parts/domain/contact-name.ts';
import { showToast } from '../parts/message/toast.tsx';
import { focusGrid } from '../parts/keyboard/keep-focus.ts';
import { describeProblem } from '../parts/text/problem-texts.ts';
import { nameFields } from '../parts/text/sentence.ts';
import { fromWallTime } from '../parts/time/wall-time.ts';
import { texts } from './texts.ts';
import './activity-form.css';

export type WrittenType = Exclude<Activity['type'], 'enquiry'>;
const WRITTEN_TYPES: readonly WrittenType[] = [
  'note',
  'call',
  'email',
  'text',
  'meeting',
  'viewing',
];

/** An activity that a person is typing. `when` is a time in the account's time zone; empty means now. */
export interface ActivityDraft {
  type: WrittenType;
  body: string;
  when: string;
  outcome: string;
}

/** Converts a draft to the body of a request. */
export const toActivity = ({ type, body, when, outcome }: ActivityDraft) => ({
  type,
  body: body.trim(),
  outcome: outcome.trim() === '' || type === 'note' ? null : outcome.trim(),
  ...(when !== '' && { occurredAt: fromWallTime(when).toISOString() }),
});

interface ActivityFormProps {
  contact: Contact;
  draft: ActivityDraft;
  onChange: (draft: ActivityDraft) => void;
  /** Sends the activity. When it throws, the form shows the reason and keeps the typed text. */
  onSave: () => Promise<void>;
  onCancel?: () => void;
  look?: 'filled' | 'plain';
  bodyRef?: Ref<HTMLTextAreaElement>;
}

/** The fields of an activity: its type, text, time and outcome. Ctrl Enter saves. */
export function ActivityForm(props: ActivityFormProps) {
  const { contact, draft, onChange, onSave, onCancel, look = 'filled', bodyRef } = props;
  const id = useId();
  const [error, setError] = useState('');
  const [field, setField] = useState('body');
  const when = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);
  const { type } = draft;
  const [, navigate] = useLocation();
  function change(changes: Partial<ActivityDraft>): void {
    // The message is about what was sent.
    setError('');
    onChange({ ...draft, ...changes });
  }

  const labels: Record<string, string | undefined> = {
    body: texts.writeLabels[type],
    occurredAt: texts.when,
    outcome: texts.outcome,
  };
  const describe = (name: string, hint = '') => {
    const isAtFault = error !== '' && field === name;
    return {
      'aria-invalid': isAtFault,
      'aria-describedby': [hint, isAtFault && `${id}-error`].filter(Boolean).join(' ') || undefined,
    };
  };
  const message = error !== '' && (
    <p className="field-error" id={`${id}-error`} role="alert">
      {error}
    </p>
  );

  async function save(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (isBusy) return;
    const form = event.currentTarget;
    setBusy(true);
    setError('');
    try {
      await onSave();
    } catch (problem) {
      const [refused] = problem instanceof ProblemError ? problem.errors : [];
      const isTime = refused?.pointer === '/occurredAt';
      const reason =
        refused === undefined
          ? describeProblem(problem)
          : nameFields(refused.detail, (name) => labels[name] ?? name);
      setError(reason);
      // The person has left the contact, and sees no message in the form.
      if (!form.isConnected)
        showToast({
          text: texts.activityNotSaved(texts.activityNames[type], nameContact(contact), reason),
          look: 'error',
          action: { label: texts.open, onAction: () => navigate(`/contacts/${contact.id}`) },
        });
      setField(isTime ? 'when' : 'body');
      if (isTime) when.current?.focus();
    } finally {
      setBusy(false);
    }
  }

  type Control = HTMLInputElement | HTMLTextAreaElement;
  function onKeyDown(event: KeyboardEvent<Control>): void {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      event.currentTarget.form?.requestSubmit();
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      // The single keys, such as S, work again outside the field.
      (onCancel ?? focusGrid)();
    }
  }

  return (
    <form className="activity-form" onSubmit={(event) => void save(event)}>
      <fieldset className="activity-types">
        <legend className="hidden-text">{texts.kind}</legend>
        {WRITTEN_TYPES.map((each) => (
          <label key={each} className="activity-type">
            <input
              type="radio"
              name={`${id}-type`}
              className="hidden-text"
              checked={each === type}
              onKeyDown={onKeyDown}
              onChange={() => change({ type: each })}
            />
            {texts.activityNames[each]}
          </label>
        ))}
      </fieldset>
      <label className="activity-label" htmlFor={`${id}-body`}>
        {texts.writeLabels[type]}
      </label>
      <textarea
        ref={bodyRef}
        id={`${id}-body`}
        className="control control-area"
        rows={3}
        required={type === 'note'}
        {...describe('body')}
        value={draft.body}
        onKeyDown={onKeyDown}
        onChange={(event) => change({ body: event.target.value })}
      />
      {(field === 'body' || type === 'note') && message}
      {type !== 'note' && (
        <div className="activity-more">
          <div>
            <label className="activity-label" htmlFor={`${id}-when`}>
              {texts.when}
            </label>
            <input
              id={`${id}-when`}
              type="datetime-local"
              className="control"
              ref={when}
              {...describe('when', `${id}-when-hint`)}
              value={draft.when}
              onKeyDown={onKeyDown}
              onChange={(event) => change({ when: event.target.value })}
            />
            <p className="field-hint" id={`${id}-when-hint`}>
              {texts.whenHint}
            </p>
            {field === 'when' && message}
          </div>
          <div>
            <label className="activity-label" htmlFor={`${id}-outcome`}>
              {texts.outcome}
            </label>
            <input
              id={`${id}-outcome`}
              className="control"
              list={`${id}-outcomes`}
              maxLength={1000}
              autoComplete="off"
              value={draft.outcome}
              onKeyDown={onKeyDown}
              onChange={(event) => change({ outcome: event.target.value })}
            />
            <datalist id={`${id}-outcomes`}>
              {texts.outcomes.map((outcome) => (
                <option key={outcome} value={outcome} />
              ))}
            </datalist>
          </div>
        </div>
      )}
      <div className="form-buttons activity-buttons">
        <span className="field-hint keys-only">{texts.saveKeys}</span>
        {onCancel !== undefined && (
          <Button look="bare" onClick={onCancel}>
            {texts.cancel}
          </Button>
        )}
        <Button type="submit" look={look} isBusy={isBusy}>
          {onCancel === undefined ? texts.saveActivity(texts.activityNames[type]) : texts.save}
        </Button>
      </div>
    </form>
  );
}

/** Focuses a text field when it appears, with the cursor at the end of its text; not when `isFocused` is false. */
export function useFocusAtEnd(isFocused: boolean) {
  const text = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const element = text.current;
    if (!isFocused) return;
    element?.focus();
    element?.setSelectionRange(element.value.length, element.value.length);
  }, [isFocused]);
  return text;
}
