import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ifMatch, type Webhook } from '../api.ts';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { useEdits } from '../parts/edit/edit.ts';
import { FormButtons } from '../parts/form/field.tsx';
import { Form } from '../parts/form/form.tsx';
import { FormDraft, useSeen } from '../parts/draft/form-draft.tsx';
import { texts as shared } from '../parts/text/texts.ts';
import { nameWebhook } from './queries.ts';
import { texts } from './texts.ts';
import { describeTypes } from './types.ts';
import {
  KEPT_FIELDS,
  readSettings,
  WebhookFields,
  type WebhookSettings,
} from './webhook-fields.tsx';

type Change = Partial<WebhookSettings>;
const LABELS = {
  url: texts.url,
  description: texts.description,
  types: texts.types,
  include: texts.object,
  bulk: texts.each,
  ordered: texts.ordered,
};
const FIELDS = Object.keys(LABELS) as (keyof typeof LABELS)[];

/** The dialog that changes the settings of a webhook. */
export function EditWebhook({
  webhook: latest,
  onClose,
}: {
  webhook: Webhook;
  onClose: () => void;
}) {
  const queries = useQueryClient();
  const subject = `webhook:${latest.id}`;
  const webhook = useSeen(subject, latest);
  const queryKey = ['webhook', 'edited', webhook.id];
  // Put the row of the table into the cache, so that the edit has the version that the person saw.
  useState(() => queries.setQueryData(queryKey, webhook));
  const title = texts.editTitle(nameWebhook(webhook));
  const save = useEdits<Webhook, Change>({
    queryKey,
    send: async (change, etag) => {
      const { data } = await api.PATCH('/webhooks/{webhookId}', {
        params: { path: { webhookId: webhook.id } },
        headers: ifMatch(etag),
        body: change,
      });
      return data;
    },
    describe: () => nameWebhook(webhook),
    explain: (change, current) =>
      FIELDS.filter((field) => field in change).map((field) => ({
        label: LABELS[field],
        theirs: showValue(field, current),
        mine: showValue(field, change),
      })),
    onChange: () => void queries.invalidateQueries({ queryKey: ['webhook', 'all'] }),
  });

  async function submit(values: FormData): Promise<void> {
    const typed = readSettings(values);
    const changed = FIELDS.filter(
      (field) => JSON.stringify(typed[field]) !== JSON.stringify(webhook[field]),
    );
    if (changed.length > 0)
      await save(Object.fromEntries(changed.map((field) => [field, typed[field]])), webhook);
    onClose();
  }

  return (
    <Dialog title={title} onClose={onClose}>
      <Form label={title} onSubmit={submit}>
        <FormDraft subject={subject} fields={KEPT_FIELDS} seen={webhook} />
        <WebhookFields webhook={webhook} />
        <FormButtons action={shared.save} cancel={shared.cancel} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

function showValue(field: (typeof FIELDS)[number], settings: Change): string {
  if (field === 'types') return describeTypes(settings.types ?? []);
  if (field === 'url' || field === 'description') return settings[field] ?? '';
  const isOn = { include: settings.include?.length, bulk: settings.bulk === 'each' };
  return (field === 'ordered' ? settings.ordered : isOn[field]) ? texts.yes : texts.no;
}
