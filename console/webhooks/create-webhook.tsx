import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type WebhookWithSecret } from '../api.ts';
import { Dialog } from '../parts/dialog.tsx';
import { FormButtons } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { FormDraft } from '../parts/form-draft.tsx';
import { unlessSending } from '../parts/unless-sending.ts';
import { texts as shared } from '../parts/texts.ts';
import { readHeaders } from './headers.ts';
import { SecretOnce } from './secret-once.tsx';
import { texts } from './texts.ts';
import { KEPT_FIELDS, readSettings, WebhookFields } from './webhook-fields.tsx';

/** The dialog that adds a webhook, and then shows its secret. */
export function CreateWebhook({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const [made, setMade] = useState<WebhookWithSecret>();
  const close = unlessSending(onClose);

  async function create(values: FormData): Promise<void> {
    const body = { ...readSettings(values), headers: readHeaders(values) };
    const { data } = await api.POST('/webhooks', { body });
    setMade(data);
    await queries.invalidateQueries({ queryKey: ['webhook'] });
  }

  if (made !== undefined) return <SecretOnce made={made} onClose={onClose} />;
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
