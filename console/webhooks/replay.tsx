import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Webhook } from '../api.ts';
import { AreaField, CheckField, Field, FormButtons } from '../parts/form/field.tsx';
import { Form, readText } from '../parts/form/form.tsx';
import { FormDraft } from '../parts/draft/form-draft.tsx';
import { texts as shared } from '../parts/text/texts.ts';
import { fromWallTime, toWallTime } from '../parts/time/wall-time.ts';
import { texts } from './texts.ts';
import { readExactTypes } from './types.ts';

const FIELDS = ['from', 'until', 'types', 'onlyFailed'];
const DAY_MS = 86_400_000;

/** The form that sends events of the log again: those of a period, of all or some types. */
export function Replay({
  webhook,
  onDone,
  onCancel,
}: {
  webhook: Webhook;
  /** Called with the message to show. */
  onDone: (text: string) => void;
  onCancel: () => void;
}) {
  const queries = useQueryClient();
  const [from] = useState(() => toWallTime(new Date(webhook.failingSince ?? Date.now() - DAY_MS)));

  async function replay(values: FormData): Promise<void> {
    const until = readText(values, 'until');
    const types = readExactTypes(values);
    const { data } = await api.POST('/webhooks/{webhookId}/replay', {
      params: { path: { webhookId: webhook.id } },
      body: {
        from: fromWallTime(readText(values, 'from') ?? from).toISOString(),
        ...(until !== null && { until: fromWallTime(until).toISOString() }),
        ...(types.length > 0 && { types }),
        onlyFailed: values.has('onlyFailed'),
      },
    });
    onDone(texts.replayed(data.deliveries));
    await queries.invalidateQueries({ queryKey: ['webhook'] });
  }

  return (
    <Form label={texts.replay} onSubmit={replay}>
      <FormDraft subject={`replay:${webhook.id}`} fields={FIELDS} />
      <p>{texts.replayExplain}</p>
      <Field
        label={texts.replayFrom}
        name="from"
        type="datetime-local"
        defaultValue={from}
        autoFocus
        required
      />
      <Field
        label={texts.replayUntil}
        name="until"
        type="datetime-local"
        hint={texts.replayUntilHint}
      />
      <AreaField
        label={texts.replayTypes}
        name="types"
        hint={texts.replayTypesHint}
        rows={2}
        spellCheck={false}
      />
      <CheckField name="onlyFailed" label={texts.onlyFailed} defaultChecked />
      <FormButtons action={texts.replayAction} cancel={shared.cancel} onCancel={onCancel} />
    </Form>
  );
}
