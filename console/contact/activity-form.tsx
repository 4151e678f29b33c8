import { useEffect, useRef, useState, type FormEvent, type KeyboardEvent, type Ref } from 'react';
import { useLocation } from 'wouter';
import { ProblemError, type Contact } from '../api.ts';
import { Button } from '../parts/button/button.tsx';
import { nameContact } from '../parts/domain/contact-name.ts';
import { focusGrid } from '../parts/keyboard/keep-focus.ts';
import { showToast } from '../parts/message/toast.tsx';
import { describeProblem } from '../parts/text/problem-texts.ts';
import { nameFields } from '../parts/text/sentence.ts';
import type { ActivityDraft } from './activity-draft.ts';
import { BodyField, OutcomeField, TimeField, TypeField } from './activity-fields.tsx';
import { texts } from './texts.ts';
import './activity-form.css';

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
  const { type } = draft;
  const [fault, setFault] = useState({ isOfTime: false, reason: '' });
  const [isBusy, setBusy] = useState(false);
  const when = useRef<HTMLInputElement>(null);
  const sayUnsaved = useUnsavedMessage(contact, type);

  function change(changes: Partial<ActivityDraft>): void {
    // The reason is about what was sent.
    setFault({ isOfTime: false, reason: '' });
    onChange({ ...draft, ...changes });
  }

  async function save(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    if (isBusy) return;
    setBusy(true);
    setFault({ isOfTime: false, reason: '' });
    try {
      await onSave();
    } catch (problem) {
      const found = readFault(problem, type);
      setFault(found);
      if (found.isOfTime && !isFocusElsewhere(form)) when.current?.focus();
      if (!form.isConnected) sayUnsaved(found.reason);
    } finally {
      setBusy(false);
    }
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement | HTMLTextAreaElement>): void {
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
      <TypeField value={type} onKeyDown={onKeyDown} onChange={(next) => change({ type: next })} />
      <BodyField
        ref={bodyRef}
        type={type}
        value={draft.body}
        fault={fault.isOfTime ? '' : fault.reason}
        onKeyDown={onKeyDown}
        onChange={(body) => change({ body })}
      />
      {type !== 'note' && (
        <div className="activity-more">
          <TimeField
            ref={when}
            value={draft.when}
            fault={fault.isOfTime ? fault.reason : ''}
            onKeyDown={onKeyDown}
            onChange={(time) => change({ when: time })}
          />
          <OutcomeField
            value={draft.outcome}
            onKeyDown={onKeyDown}
            onChange={(outcome) => change({ outcome })}
          />
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

/** Reads why an activity was refused, and whether its time is at fault. */
function readFault(problem: unknown, type: ActivityDraft['type']) {
  const [refused] = problem instanceof ProblemError ? problem.errors : [];
  if (refused === undefined) return { isOfTime: false, reason: describeProblem(problem) };
  const labels: Record<string, string | undefined> = {
    body: texts.writeLabels[type],
    occurredAt: texts.when,
    outcome: texts.outcome,
  };
  return {
    isOfTime: refused.pointer === '/occurredAt',
    reason: nameFields(refused.detail, (name) => labels[name] ?? name),
  };
}

/** Returns a function that says why an activity was not saved to a person who has left the contact, and so sees no form. */
function useUnsavedMessage(contact: Contact, type: ActivityDraft['type']) {
  const [, navigate] = useLocation();
  return (reason: string): void =>
    void showToast({
      text: texts.activityNotSaved(texts.activityNames[type], nameContact(contact), reason),
      look: 'error',
      action: { label: texts.open, onAction: () => navigate(`/contacts/${contact.id}`) },
    });
}

/** Whether a person has gone on to something outside of a form while it was being sent. */
export const isFocusElsewhere = (form: HTMLFormElement | null | undefined): boolean =>
  document.activeElement !== document.body && form?.contains(document.activeElement) !== true;

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
