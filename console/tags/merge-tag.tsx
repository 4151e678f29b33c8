import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Tag } from '../api.ts';
import { ConfirmDialog } from '../parts/dialog/confirm-dialog.tsx';
import { useFoundTags } from '../parts/domain/find-tags.ts';
import { SearchChoice } from '../parts/form/find-choice.tsx';
import { FieldError, useForm } from '../parts/form/form.tsx';
import { Picker } from '../parts/form/picker.tsx';
import { showToast } from '../parts/message/toast.tsx';
import { texts } from './texts.ts';

/** The dialog that replaces a tag by another one, on its contacts and in saved views. */
export function MergeTag({ tag, onClose }: { tag: Tag; onClose: () => void }) {
  const { id, label, contactCount } = tag;
  const queries = useQueryClient();
  const [into, setInto] = useState<Tag>();

  async function merge(): Promise<void> {
    if (into === undefined) throw new FieldError('into', texts.missing);
    await api.POST('/tags/{tagId}/merge', {
      params: { path: { tagId: id } },
      body: { into: into.id },
    });
    showToast({ text: texts.merged(label, into.label) });
    await queries.invalidateQueries({ queryKey: ['tag'] });
    await queries.invalidateQueries({ queryKey: ['view'] });
  }

  return (
    <ConfirmDialog
      title={texts.mergeTitle(label)}
      action={texts.mergeAction}
      onAction={merge}
      onClose={onClose}
    >
      <IntoField than={id} into={into} onChoose={setInto} />
      <p>{texts.mergeExplain(label, contactCount)}</p>
      <p className="soft">{texts.long}</p>
    </ConfirmDialog>
  );
}

interface IntoProps {
  /** The id of the tag that goes. */
  than: string;
  onChoose: (tag: Tag) => void;
}

/** The field that chooses the tag to keep. */
function IntoField({ than, into, onChoose }: IntoProps & { into: Tag | undefined }) {
  const { errors } = useForm();
  return (
    <div className="field">
      <SearchChoice label={texts.into} shown={into?.label ?? texts.chooseTag}>
        {(close) => (
          <OtherTags
            than={than}
            onClose={close}
            onChoose={(tag) => {
              close();
              onChoose(tag);
            }}
          />
        )}
      </SearchChoice>
      {errors['into'] !== undefined && (
        <p className="field-error" role="alert">
          {errors['into']}
        </p>
      )}
    </div>
  );
}

/** Finds one of the other tags by a part of its label. */
function OtherTags({ than, onChoose, onClose }: IntoProps & { onClose: () => void }) {
  const [text, setText] = useState('');
  const { tags, isLoading } = useFoundTags(text);
  const others = tags.filter(({ id }) => id !== than);
  return (
    <Picker
      label={texts.into}
      text={text}
      onText={setText}
      options={others}
      isLoading={isLoading}
      empty={texts.noTagFound}
      onClose={onClose}
      onChoose={(chosenId) => {
        const chosen = others.find(({ id }) => id === chosenId);
        if (chosen !== undefined) onChoose(chosen);
      }}
    />
  );
}
