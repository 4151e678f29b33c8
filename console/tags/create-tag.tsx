import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api.ts';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { FormDraft } from '../parts/draft/form-draft.tsx';
import { FormButtons } from '../parts/form/field.tsx';
import { Form, readText } from '../parts/form/form.tsx';
import { showToast } from '../parts/message/toast.tsx';
import { texts as shared } from '../parts/text/texts.ts';
import { FIELDS, LabelField, nameTaken } from './label-field.tsx';
import { texts } from './texts.ts';

/** The dialog that creates a tag, which no contact has yet. */
export function CreateTag({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();

  async function create(values: FormData): Promise<void> {
    const body = { label: readText(values, 'label') ?? '' };
    const { data } = await api.POST('/tags', { body }).catch(nameTaken);
    showToast({ text: texts.added(data.label) });
    onClose();
    await queries.invalidateQueries({ queryKey: ['tag'] });
  }

  return (
    <Dialog title={texts.add} onClose={onClose}>
      <Form label={texts.add} onSubmit={create}>
        <FormDraft subject="new-tag" fields={FIELDS} />
        <LabelField autoFocus />
        <FormButtons action={texts.addAction} cancel={shared.cancel} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
