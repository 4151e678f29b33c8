import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { api, ifMatch, type Activity, type Contact } from '../api.ts';
import { Button } from '../parts/button.tsx';
import { nameField, type ContactFieldName } from '../parts/contact-texts.ts';
import { Dialog } from '../parts/dialog.tsx';
import { useTrigger } from '../parts/focus.ts';
import { formatClock } from '../parts/format.ts';
import { FormButtons } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { describeProblem } from '../parts/problem-texts.ts';
import { showToast } from '../parts/toast.tsx';
import { toWallTime } from '../parts/wall-time.ts';
import { useSession } from '../session/session.tsx';
import { ActivityForm, toActivity, useFocusAtEnd, type ActivityDraft } from './activity-form.tsx';
import type { SaveContact } from './edits.ts';
import { activitiesKey, useRefresh } from './queries.ts';
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
  const [state, setState] = useState<'shown' | 'edited' | 'deleted'>('shown');
  const edit = useTrigger(state === 'edited');
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
        state !== 'edited' && (
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
            <Button look="bare" icon="close" isIconOnly onClick={() => setState('deleted')}>
              {texts.deleteActivity(name)}
            </Button>
          </>
        )
      }
    >
      {state === 'edited' ? (
        <ActivityEditor activity={activity} onClose={() => setState('shown')} />
      ) : values !== null ? (
        <SentValues values={values} contact={contact} save={save} />
      ) : (
        body !== '' && <p className="timeline-body">{body}</p>
      )}
      {state === 'deleted' && (
        <DeleteDialog activity={activity} onClose={() => setState('shown')} />
      )}
    </TimelineEntry>
  );
}

function ActivityEditor({ activity, onClose }: { activity: Activity; onClose: () => void }) {
  const finish = useFinish(activity);
  const text = useFocusAtEnd();
  const when = toWallTime(new Date(activity.occurredAt));
  const [draft, setDraft] = useState<ActivityDraft>({
    type: activity.type as ActivityDraft['type'],
    body: activity.body,
    when,
    outcome: activity.outcome ?? '',
  });
  async function save(): Promise<void> {
    const { occurredAt, ...others } = toActivity(draft);
    await api.PATCH('/activities/{activityId}', {
      params: { path: { activityId: activity.id }, header: ifMatch(activity.etag) },
      // The field shows no seconds, so send the time only when the person changed it.
      body: { ...others, ...(draft.when !== when && occurredAt && { occurredAt }) },
    });
    onClose();
    finish(texts.activityChanged(texts.activityNames[draft.type]));
  }
  return (
    <ActivityForm
      draft={draft}
      onChange={setDraft}
      onSave={save}
      onCancel={onClose}
      look="plain"
      bodyRef={text}
    />
  );
}

function DeleteDialog({ activity, onClose }: { activity: Activity; onClose: () => void }) {
  const finish = useFinish(activity);
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
          finish(texts.activityDeleted(name));
        }}
      >
        <FormButtons action={texts.delete} look="danger" onCancel={onClose} cancel={texts.cancel} />
      </Form>
    </Dialog>
  );
}

function useFinish({ contactId }: Activity) {
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
                      (error: unknown) =>
                        showToast({ text: describeProblem(error), look: 'error' }),
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
