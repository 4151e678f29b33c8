import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api, type Contact } from '../api.ts';
import { Button } from '../parts/button/button.tsx';
import { Card } from '../parts/page/card.tsx';
import { nameContact } from '../parts/domain/contact-name.ts';
import { useFoundTags } from '../parts/domain/find-tags.ts';
import { useTrigger } from '../parts/keyboard/focus.ts';
import { showEarly } from '../parts/edit/show-early.ts';
import { Icon } from '../parts/button/icon.tsx';
import { Picker, type PickerOption } from '../parts/form/picker.tsx';
import { describeProblem } from '../parts/text/problem-texts.ts';
import { useShortcut } from '../parts/keyboard/shortcut.ts';
import { texts as shared } from '../parts/text/texts.ts';
import { showToast } from '../parts/message/toast.tsx';
import { contactKey, useRefresh } from './queries.ts';
import { texts } from './texts.ts';
import './tags.css';

type Tag = Contact['tags'][number];

/** The tags of a contact, and a field that adds an existing tag or creates one. */
export function Tags({ contact, canEdit }: { contact: Contact; canEdit: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const trigger = useTrigger(isOpen);
  const change = useTagChange(contact);
  useShortcut('t', () => setOpen(true), canEdit);

  function remove(tag: Tag): void {
    trigger.current?.focus();
    void change('remove', tag);
  }
  return (
    <Card title={texts.tags}>
      {contact.tags.length > 0 ? (
        <ul className="tags">
          {contact.tags.map((tag) => (
            <li key={tag.id} className="tag">
              {tag.label}
              {canEdit && (
                <button type="button" className="tag-remove" onClick={() => remove(tag)}>
                  <span className="hidden-text">{texts.removeTag(tag.label)}</span>
                  <Icon name="close" />
                </button>
              )}
            </li>
          ))}
        </ul>
      ) : (
        <p className="soft">{texts.noTags}</p>
      )}
      {canEdit &&
        (isOpen ? (
          <TagPicker
            taken={contact.tags}
            onClose={() => setOpen(false)}
            onChoose={(tag) => {
              setOpen(false);
              void change('add', tag);
            }}
          />
        ) : (
          <Button ref={trigger} icon="plus" className="card-action" onClick={() => setOpen(true)}>
            {texts.addTag}
          </Button>
        ))}
    </Card>
  );
}

function TagPicker({
  taken,
  onChoose,
  onClose,
}: {
  taken: readonly Tag[];
  onChoose: (tag: Tag) => void;
  onClose: () => void;
}) {
  const [text, setText] = useState('');
  const { tags, isLoading } = useFoundTags(text);
  const free = tags.filter(({ id }) => !taken.some((tag) => tag.id === id));
  const label = text.trim();
  const hasLabel = (tag: Tag): boolean => tag.label.toLowerCase() === label.toLowerCase();
  const isTaken = taken.some(hasLabel);
  const isKnown = isTaken || tags.some(hasLabel);
  const options: PickerOption[] = free.map((tag) => ({ id: tag.id, label: tag.label }));
  if (label !== '' && !isKnown && !isLoading)
    options.push({ id: 'new', label: texts.newTag(label) });
  return (
    <Picker
      label={texts.findTag}
      text={text}
      onText={setText}
      options={options}
      isLoading={isLoading}
      empty={isTaken ? texts.hasTag : texts.noTagFound}
      onClose={onClose}
      onChoose={(id) => onChoose(free.find((tag) => tag.id === id) ?? { id: 'new', label })}
    />
  );
}

/** Returns a function that adds or removes a tag. The page shows the change at once, and a toast offers to undo it. */
function useTagChange(contact: Contact) {
  const { id } = contact;
  const queries = useQueryClient();
  const refresh = useRefresh(id);
  const isSending = useRef(0);

  function show(change: (tags: Tag[]) => Tag[]): void {
    queries.setQueryData<Contact>(
      contactKey(id),
      (contact) => contact && { ...contact, tags: change(contact.tags) },
    );
  }

  return async function send(
    act: 'add' | 'remove',
    tag: Tag,
    { isUndo = false } = {},
  ): Promise<void> {
    const isAdded = act === 'add';
    const { label } = tag;
    const before = queries.getQueryData<Contact>(contactKey(id))?.tags ?? [];
    const stop = await showEarly(queries, { queryKey: contactKey(id), exact: true }, () =>
      show((tags) => [...tags.filter((each) => each.label !== label), ...(isAdded ? [tag] : [])]),
    );
    isSending.current++;
    try {
      const body = {
        add: isAdded ? [label] : [],
        // Only the shown contact has the id of a tag that was created a moment ago.
        remove: isAdded ? [] : before.filter((each) => each.label === label).map(({ id }) => id),
      };
      const params = { path: { contactId: id } };
      const answer = await api.POST('/contacts/{contactId}/tags', { params, body }).finally(stop);
      const { data } = answer;
      if (isSending.current === 1) show(() => data.tags);
      void queries.invalidateQueries({ queryKey: ['tag'] });
      showToast({
        text: (isAdded ? texts.tagAdded : texts.tagRemoved)(label, nameContact(contact)),
        ...(!isUndo && {
          onUndo: () => void send(isAdded ? 'remove' : 'add', tag, { isUndo: true }),
        }),
      });
    } catch (error) {
      show(() => before);
      showToast({
        text: texts.notDone(nameContact(contact), `${label}: ${describeProblem(error)}`),
        look: 'error',
        action: { label: shared.tryAgain, onAction: () => void send(act, tag, { isUndo }) },
      });
    } finally {
      isSending.current--;
      if (isSending.current === 0) refresh();
    }
  };
}
