import { useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { api, ifMatch, type Webhook } from '../api.ts';
import { ConfirmDialog } from '../parts/dialog/confirm-dialog.tsx';
import { showToast } from '../parts/message/toast.tsx';
import { nameWebhook } from './queries.ts';
import { describeStop } from './status.tsx';
import { texts } from './texts.ts';

const STARTS = ['where_it_stopped', 'head'] as const;
type Start = (typeof STARTS)[number];

/** The dialog that turns a webhook on again. It continues where it stopped, or starts with new events. */
export function TurnOn({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const queries = useQueryClient();
  const id = useId();
  const name = nameWebhook(webhook);
  const hints: Record<Start, string> = {
    where_it_stopped: texts.fromStopHint(webhook.lag),
    head: texts.fromNowHint,
  };
  return (
    <ConfirmDialog
      title={texts.turnOnQuestion(name)}
      action={texts.turnOn}
      look="filled"
      onClose={onClose}
      onAction={async (values) => {
        await api.PATCH('/webhooks/{webhookId}', {
          params: { path: { webhookId: webhook.id }, header: ifMatch(webhook.etag) },
          body: { enabled: true, resumeFrom: values.get('from') as Start },
        });
        showToast({ text: texts.turnedOn(name) });
        await queries.invalidateQueries({ queryKey: ['webhook'] });
      }}
    >
      <p>{describeStop(webhook)}</p>
      <fieldset className="form-choices">
        <legend>{texts.from}</legend>
        {STARTS.map((start) => (
          <div key={start} className="field-check">
            <input
              type="radio"
              name="from"
              value={start}
              id={`${id}-${start}`}
              aria-describedby={`${id}-${start}-hint`}
              defaultChecked={start === STARTS[0]}
            />
            <label htmlFor={`${id}-${start}`}>{texts.starts[start]}</label>
            <p className="field-hint" id={`${id}-${start}-hint`}>
              {hints[start]}
            </p>
          </div>
        ))}
      </fieldset>
    </ConfirmDialog>
  );
}
