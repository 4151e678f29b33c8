import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api.ts';
import { useFoundTags } from '../parts/domain/find-tags.ts';
import { useTrigger } from '../parts/keyboard/focus.ts';
import { Icon } from '../parts/button/icon.tsx';
import { Picker } from '../parts/form/picker.tsx';
import { texts } from './texts.ts';

interface TagFilterProps {
  /** The id of the tag; '' for all. */
  value: string;
  onChange: (id: string) => void;
}

/** The filter by a tag: a button that a search replaces, because an account has hundreds of tags. */
export function TagFilter({ value, onChange }: TagFilterProps) {
  const [isOpen, setOpen] = useState(false);
  const trigger = useTrigger(isOpen);
  const { data: tag } = useQuery({
    queryKey: ['tag', 'one', value],
    enabled: value !== '',
    queryFn: async ({ signal }) => {
      const path = { tagId: value };
      return (await api.GET('/tags/{tagId}', { params: { path }, signal })).data;
    },
  });
  const name = value === '' ? texts.allTags : (tag?.label ?? texts.tag);
  if (isOpen)
    return (
      <TagPicker
        hasTag={value !== ''}
        onClose={() => setOpen(false)}
        onChoose={(id) => {
          setOpen(false);
          onChange(id);
        }}
      />
    );
  return (
    <button
      ref={trigger}
      type="button"
      className="control"
      aria-label={texts.tagIs(name)}
      onClick={() => setOpen(true)}
    >
      {name}
      <Icon name="down" />
    </button>
  );
}

interface TagPickerProps {
  hasTag: boolean;
  onChoose: (id: string) => void;
  onClose: () => void;
}

const ALL = 'all';

function TagPicker({ hasTag, onChoose, onClose }: TagPickerProps) {
  const [text, setText] = useState('');
  const { tags, isLoading } = useFoundTags(text);
  const all = hasTag && text === '' ? [{ id: ALL, label: texts.allTags }] : [];
  return (
    <Picker
      label={texts.tag}
      text={text}
      onText={setText}
      options={[...all, ...tags]}
      isLoading={isLoading}
      empty={texts.noTagFound}
      onClose={onClose}
      onChoose={(id) => onChoose(id === ALL ? '' : id)}
    />
  );
}
