import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api.ts';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { FormButtons } from '../parts/form/field.tsx';
import { Form } from '../parts/form/form.tsx';
import { FormDraft } from '../parts/draft/form-draft.tsx';
import { texts as shared } from '../parts/text/texts.ts';
import { keepOpenFor, showOnce, unlessSending } from '../parts/dialog/once.tsx';
import { readHeaders } from './headers.ts';
import { SecretOnce } from './secret-once.tsx';
import { texts } from './texts.ts';
import { KEPT_FIELDS, readSettings, WebhookFields } from './webhook-fields.tsx';

/** The dialog that adds a webhook, and then shows its secret. */
export function CreateWebhook({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const close = unlessSending(onClose);

  async function create(values: FormData): Promise<void> {
    const body = { ...readSettings(values), headers: readHeaders(values) };
    const { data } = await keepOpenFor(api.POST('/webhooks', { body }));
    onClose();
    showOnce((closeOnce) => <SecretOnce made={data} onClose={closeOnce} />);
    await queries.invalidateQueries({ queryKey: ['webhook'] });
  }

  return (
    <Dialog title={texts.add} onClose={close}>
      <Form label={texts.add} onSubmit={create}>
        <FormDraft subject="new-webhook" fields={KEPT_FIELDS} />
        <WebhookFields />
        <FormButtons action={shared.add} cancel={shared.cancel} onCancel={close} />
      </Form>
    </Dialog>
  );
}
