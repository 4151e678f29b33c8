import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ifMatch, type Tag } from '../api.ts';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { FormDraft, useSeen } from '../parts/draft/form-draft.tsx';
import { useEdits } from '../parts/edit/edit.ts';
import { FormButtons } from '../parts/form/field.tsx';
import { Form, readText } from '../parts/form/form.tsx';
import { texts as shared } from '../parts/text/texts.ts';
import { FIELDS, LabelField, nameTaken } from './label-field.tsx';
import { texts } from './texts.ts';

type Change = Partial<Pick<Tag, 'label'>>;

/** The dialog that renames a tag. */
export function RenameTag({ tag: latest, onClose }: { tag: Tag; onClose: () => void }) {
  const queries = useQueryClient();
  const subject = `tag:${latest.id}`;
  const tag = useSeen(subject, latest);
  const queryKey = ['tag', 'edited', tag.id];
  // Put the row of the table into the cache, so that the edit has the version that the person saw.
  useState(() => queries.setQueryData(queryKey, tag));
  const save = useEdits<Tag, Change>({
    queryKey,
    send: async (change, etag) => {
      const { data } = await api.PATCH('/tags/{tagId}', {
        params: { path: { tagId: tag.id } },
        headers: ifMatch(etag),
        body: change,
      });
      return data;
    },
    explain: ({ label: mine = '' }, { label: theirs }) => [{ label: texts.label, theirs, mine }],
    onChange: () => void queries.invalidateQueries({ queryKey: ['tag', 'list'] }),
  });

  async function submit(values: FormData): Promise<void> {
    const label = readText(values, 'label') ?? '';
    if (label !== tag.label) await save({ label }, tag).catch(nameTaken);
    onClose();
  }

  return (
    <Dialog title={texts.renameTitle(tag.label)} onClose={onClose}>
      <Form label={texts.renameTitle(tag.label)} onSubmit={submit}>
        <FormDraft subject={subject} fields={FIELDS} seen={tag} />
        <LabelField defaultValue={tag.label} autoFocus />
        <p className="soft">{texts.long}</p>
        <FormButtons action={shared.save} cancel={shared.cancel} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
