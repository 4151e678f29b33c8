import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api.ts';
import { useFoundTags } from '../parts/domain/find-tags.ts';
import { SearchChoice } from '../parts/form/find-choice.tsx';
import { Picker } from '../parts/form/picker.tsx';
import { texts } from './texts.ts';

interface TagFilterProps {
  /** The id of the tag; '' for all. */
  value: string;
  onChange: (id: string) => void;
}

/** The filter by a tag. The service searches, because an account has hundreds of tags. */
export function TagFilter({ value, onChange }: TagFilterProps) {
  const { data: tag } = useQuery({
    queryKey: ['tag', 'one', value],
    enabled: value !== '',
    queryFn: async ({ signal }) => {
      const path = { tagId: value };
      return (await api.GET('/tags/{tagId}', { params: { path }, signal })).data;
    },
  });
  const shown = value === '' ? texts.allTags : (tag?.label ?? texts.tag);
  return (
    <SearchChoice label={texts.tag} shown={shown}>
      {(close) => (
        <TagPicker
          hasTag={value !== ''}
          onClose={close}
          onChoose={(id) => {
            close();
            onChange(id);
          }}
        />
      )}
    </SearchChoice>
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
