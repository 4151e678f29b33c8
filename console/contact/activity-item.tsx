import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { api, ifMatch, ProblemError, type Activity, type Contact } from '../api.ts';
import { Button } from '../parts/button/button.tsx';
import { nameContact } from '../parts/domain/contact-name.ts';
import { nameField, type ContactFieldName } from '../parts/domain/contact-texts.ts';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { readDraft, useDraft } from '../parts/draft/draft.ts';
import { useTrigger } from '../parts/keyboard/focus.ts';
import { formatClock } from '../parts/text/format.ts';
import { FormButtons } from '../parts/form/field.tsx';
import { Form } from '../parts/form/form.tsx';
import { showToast } from '../parts/message/toast.tsx';
import { toWallTime } from '../parts/time/wall-time.ts';
import { useSession } from '../session/session.tsx';
import { toActivity, type ActivityDraft } from './activity-draft.ts';
import { ActivityForm, useFocusAtEnd } from './activity-form.tsx';
import type { SaveContact } from './edits.ts';
import { activitiesKey, useRefresh } from './queries.ts';
import { sayProblem } from './say-problem.ts';
import { texts } from './texts.ts';
import { TimelineEntry } from './timeline-entry.tsx';

interface ActivityItemProps {
  activity: Activity;
  contact: Contact;
  save: SaveContact | undefined;
}

/** An activity in the timeline. A person with the right to change it edits it in place. */
export function ActivityItem({ activity, contact, save }: ActivityItemProps) {
  const { me, userId } = useSession();
  // 'draft': the editor shows a draft of an earlier visit, and must not take the focus.
  const [state, setState] = useState<'shown' | 'draft' | 'edited' | 'deleting'>(() =>
    readDraft(userId, nameSubject(activity)) === '' ? 'shown' : 'draft',
  );
  const isEdited = state === 'edited' || state === 'draft';
  const edit = useTrigger(isEdited);
  const { type, actor, occurredAt, body, outcome, editedAt, values } = activity;
  const name = texts.activityNames[type];
  // An agent may change only their own activities. Nobody changes an enquiry: it records what somebody sent.
  const isOwn = me.role !== 'agent' || actor.id === userId;
  const canChange = save !== undefined && type !== 'enquiry' && isOwn;

  return (
    <TimelineEntry
      who={actor.name}
      line={
        <>
          {texts.did[type]}
          {outcome != null && ` · ${outcome}`}
        </>
      }
      time={`${formatClock(occurredAt)}${editedAt == null ? '' : `, ${texts.edited}`}`}
      at={occurredAt}
      actions={
        canChange &&
        !isEdited && (
          <>
            <Button
              ref={edit}
              look="bare"
              icon="pencil"
              isIconOnly
              onClick={() => setState('edited')}
            >
              {texts.editActivity(name)}
            </Button>
            <Button look="bare" icon="close" isIconOnly onClick={() => setState('deleting')}>
              {texts.deleteActivity(name)}
            </Button>
          </>
        )
      }
    >
      {canChange && isEdited ? (
        <ActivityEditor
          activity={activity}
          contact={contact}
          isFocused={state === 'edited'}
          onClose={() => setState('shown')}
        />
      ) : values !== null ? (
        <SentValues values={values} contact={contact} save={save} />
      ) : (
        body !== '' && <p className="timeline-body">{body}</p>
      )}
      {state === 'deleting' && (
        <DeleteDialog activity={activity} contact={contact} onClose={() => setState('shown')} />
      )}
    </TimelineEntry>
  );
}

/** The subject of the draft of an edited activity. */
const nameSubject = ({ contactId, id }: Activity): string => `activity:${contactId}:${id}`;

/** An edited activity that is not saved, with the time and the version of the activity when the editing began. */
interface Edited {
  draft: ActivityDraft;
  when: string;
  etag: string;
}

interface EditorProps {
  activity: Activity;
  contact: Contact;
  /** Whether the text takes the focus when it appears. */
  isFocused: boolean;
  onClose: () => void;
}

/** The form that edits an activity. Its draft survives a reload. */
function ActivityEditor({ activity, contact, isFocused, onClose }: EditorProps) {
  const finish = useFinish(contact.id);
  const text = useFocusAtEnd(isFocused);
  const { userId } = useSession();
  const subject = nameSubject(activity);
  const [stored, write, clear] = useDraft(subject);
  const edited =
    stored === ''
      ? toEdited(activity, toWallTime(new Date(activity.occurredAt)))
      : (JSON.parse(stored) as Edited);
  const { draft, when, etag } = edited;
  const keep = (next: Edited): void => write(JSON.stringify(next));
  /** Reads the draft as it is now: the person may type more during a save. */
  function readLatest(): Edited {
    const latest = readDraft(userId, subject);
    return latest === '' ? edited : (JSON.parse(latest) as Edited);
  }

  function close(): void {
    clear();
    onClose();
  }

  async function save(): Promise<void> {
    const { occurredAt, ...others } = toActivity(draft);
    let saved: Activity;
    try {
      const { data } = await api.PATCH('/activities/{activityId}', {
        params: { path: { activityId: activity.id }, header: ifMatch(etag) },
        // The field shows no seconds, so send the time only when the person changed it.
        body: { ...others, ...(draft.when !== when && occurredAt && { occurredAt }) },
      });
      saved = data;
    } catch (error) {
      // The form says that somebody has changed the activity. The next save then overwrites this version.
      const current = error instanceof ProblemError ? error.problem.current : undefined;
      if (current !== undefined) keep({ ...readLatest(), etag: (current as Activity).etag });
      throw error;
    }
    const latest = readLatest();
    const isSaved = JSON.stringify(latest.draft) === JSON.stringify(draft);
    if (isSaved) close();
    else keep({ ...latest, when: draft.when, etag: saved.etag });
    finish(texts.activityChanged(texts.activityNames[draft.type], nameContact(contact)));
  }
  return (
    <ActivityForm
      contact={contact}
      draft={draft}
      onChange={(next) => keep({ ...edited, draft: next })}
      onSave={save}
      onCancel={close}
      look="plain"
      bodyRef={text}
    />
  );
}

const toEdited = ({ type, body, outcome, etag }: Activity, when: string): Edited => ({
  draft: { type: type as ActivityDraft['type'], body, when, outcome: outcome ?? '' },
  when,
  etag,
});

function DeleteDialog({ activity, contact, onClose }: Omit<EditorProps, 'isFocused'>) {
  const finish = useFinish(contact.id);
  const name = texts.activityNames[activity.type];
  return (
    <Dialog title={texts.deleteTitle(name)} onClose={onClose}>
      <p>{texts.deleteExplain}</p>
      <Form
        onSubmit={async () => {
          const path = { activityId: activity.id };
          await api.DELETE('/activities/{activityId}', {
            params: { path, header: ifMatch(activity.etag) },
          });
          // The deleted item held the focus. Close the dialog first, because it gives the focus back, then move it.
          flushSync(onClose);
          document.getElementById('timeline-show')?.focus();
          finish(texts.activityDeleted(name, nameContact(contact)));
        }}
      >
        <FormButtons action={texts.delete} look="danger" onCancel={onClose} cancel={texts.cancel} />
      </Form>
    </Dialog>
  );
}

function useFinish(contactId: string) {
  const queries = useQueryClient();
  const refresh = useRefresh(contactId);
  return (said: string): void => {
    void queries.invalidateQueries({ queryKey: activitiesKey(contactId) });
    refresh();
    showToast({ text: said });
  };
}

interface SentValuesProps {
  values: Record<string, unknown>;
  contact: Contact;
  save: SaveContact | undefined;
}

/** The values of an enquiry that the contact does not have, each with a button that writes it into the contact. */
function SentValues({ values, contact, save }: SentValuesProps) {
  return (
    <div className="timeline-values">
      <p className="field-hint">{texts.sent}</p>
      <ul>
        {Object.entries(values).map(([field, value]) => {
          const text = typeof value === 'number' ? value : String(value);
          const isUsed = contact[field as keyof Contact] === text;
          return (
            <li key={field}>
              <span>
                {nameField(field)}: {text}
              </span>
              {isUsed && <span className="field-hint">{texts.usedNow}</span>}
              {!isUsed && save !== undefined && (
                <Button
                  onClick={() =>
                    void save({ [field as ContactFieldName]: text }, contact).catch(
                      (error: unknown) => sayProblem(contact, error),
                    )
                  }
                >
                  {texts.takeValue(nameField(field))}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
