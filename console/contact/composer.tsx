import { useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { useImperativeHandle, useRef, type Ref } from 'react';
import { api, ifMatch, type Activity, type Contact } from '../api.ts';
import { nameContact } from '../parts/domain/contact-name.ts';
import { readDraft, useDraft } from '../parts/draft/draft.ts';
import { useShortcut } from '../parts/keyboard/shortcut.ts';
import { showToast } from '../parts/message/toast.tsx';
import { toActivity, type ActivityDraft, type WrittenType } from './activity-draft.ts';
import { ActivityForm, isFocusElsewhere } from './activity-form.tsx';
import { useSession } from '../session/session.tsx';
import { activitiesKey, useRefresh } from './queries.ts';
import { sayProblem } from './say-problem.ts';
import { texts } from './texts.ts';

export interface ComposerHandle {
  /** Selects this type of activity, and focuses the text field. */
  start: (type: WrittenType) => void;
}

const EMPTY: ActivityDraft = { type: 'note', body: '', when: '', outcome: '' };

/** The form for a new activity. Its draft survives a reload. */
export function Composer({ contact, ref }: { contact: Contact; ref: Ref<ComposerHandle> }) {
  const contactId = contact.id;
  const queries = useQueryClient();
  const refresh = useRefresh(contactId);
  const { userId } = useSession();
  const subject = `activity:${contactId}`;
  const [text, write, clear] = useDraft(subject);
  const draft = text === '' ? EMPTY : { ...EMPTY, ...(JSON.parse(text) as Partial<ActivityDraft>) };
  const body = useRef<HTMLTextAreaElement>(null);

  function change(next: ActivityDraft): void {
    const isEmpty = JSON.stringify(next) === JSON.stringify(EMPTY);
    if (isEmpty) clear();
    else write(JSON.stringify(next));
  }
  function start(type: WrittenType): void {
    change({ ...draft, type });
    body.current?.focus();
    body.current?.scrollIntoView({ block: 'center' });
  }
  useImperativeHandle(ref, () => ({ start }));
  useShortcut('n', () => start('note'));

  async function save(): Promise<void> {
    const { data } = await api.POST('/contacts/{contactId}/activities', {
      params: { path: { contactId } },
      body: toActivity(draft),
    });
    // The person may have typed more during the save.
    if (readDraft(userId, subject) === text) clear();
    // Go on in the text, unless the person is in another field by now: that would save what is half typed there.
    if (!isFocusElsewhere(body.current?.form)) body.current?.focus();
    queries.setQueryData<Activities>([...activitiesKey(contactId), ''], (list) =>
      addFirst(list, data),
    );
    void queries.invalidateQueries({ queryKey: activitiesKey(contactId) });
    refresh();
    const name = texts.activityNames[draft.type];
    showToast({
      text: texts.activitySaved(name, nameContact(contact)),
      onUndo: () => void takeBack(data, name),
    });
  }

  async function takeBack({ id, etag }: Activity, name: string): Promise<void> {
    try {
      const params = { path: { activityId: id }, header: ifMatch(etag) };
      await api.DELETE('/activities/{activityId}', { params });
      showToast({ text: texts.activityDeleted(name, nameContact(contact)) });
    } catch (error) {
      sayProblem(contact, error);
    }
    void queries.invalidateQueries({ queryKey: activitiesKey(contactId) });
    refresh();
  }

  return (
    <ActivityForm contact={contact} draft={draft} onChange={change} onSave={save} bodyRef={body} />
  );
}

type Activities = InfiniteData<{ data: Activity[] }>;

function addFirst(list: Activities | undefined, activity: Activity): Activities | undefined {
  const [first, ...others] = list?.pages ?? [];
  if (list === undefined || first === undefined) return list;
  return { ...list, pages: [{ ...first, data: [activity, ...first.data] }, ...others] };
}
