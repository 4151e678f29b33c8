import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Webhook } from '../api.ts';
import { CheckField, Field, FormButtons } from '../parts/field.tsx';
import { Form, readText } from '../parts/form.tsx';
import { texts as shared } from '../parts/texts.ts';
import { fromWallTime, toWallTime } from '../parts/wall-time.ts';
import { texts } from './texts.ts';

const DAY_MS = 86_400_000;

/** The form that sends events of the log again, from a time on. */
export function Replay({
  webhook,
  onDone,
  onCancel,
}: {
  webhook: Webhook;
  /** Gets what is said about it. */
  onDone: (text: string) => void;
  onCancel: () => void;
}) {
  const queries = useQueryClient();
  const [from] = useState(() => toWallTime(new Date(webhook.failingSince ?? Date.now() - DAY_MS)));

  async function replay(values: FormData): Promise<void> {
    const { data } = await api.POST('/webhooks/{webhookId}/replay', {
      params: { path: { webhookId: webhook.id } },
      body: {
        from: fromWallTime(readText(values, 'from') ?? from).toISOString(),
        onlyFailed: values.has('onlyFailed'),
      },
    });
    onDone(texts.replayed(data.deliveries));
    await queries.invalidateQueries({ queryKey: ['webhook'] });
  }

  return (
    <Form label={texts.replay} onSubmit={replay}>
      <p>{texts.replayExplain}</p>
      <Field
        label={texts.replayFrom}
        name="from"
        type="datetime-local"
        defaultValue={from}
        autoFocus
        required
      />
      <CheckField name="onlyFailed" label={texts.onlyFailed} defaultChecked />
      <FormButtons act={texts.replayAct} cancel={shared.cancel} onCancel={onCancel} />
    </Form>
  );
}
