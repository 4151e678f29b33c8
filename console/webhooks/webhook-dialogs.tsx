import { useQueryClient } from '@tanstack/react-query';
import { api, ifMatch, type Webhook } from '../api.ts';
import { ConfirmDialog } from '../parts/dialog/confirm-dialog.tsx';
import { RotateDialog } from '../parts/dialog/rotate-dialog.tsx';
import { showToast } from '../parts/message/toast.tsx';
import { nameWebhook } from './queries.ts';
import { keepOpenFor, showOnce, unlessSending } from '../parts/dialog/once.tsx';
import { EditHeaders } from './edit-headers.tsx';
import { EditWebhook } from './edit-webhook.tsx';
import { SecretOnce } from './secret-once.tsx';
import { TestWebhook } from './test-webhook.tsx';
import { texts } from './texts.ts';
import { TurnOn } from './turn-on.tsx';

export type ActionKind = 'test' | 'edit' | 'headers' | 'rotate' | 'pause' | 'turn-on' | 'delete';

export interface WebhookAction {
  kind: ActionKind;
  webhook: Webhook;
}

interface ActProps {
  webhook: Webhook;
  onClose: () => void;
}

const DIALOGS = {
  test: TestWebhook,
  edit: EditWebhook,
  headers: EditHeaders,
  rotate: Rotate,
  pause: Pause,
  'turn-on': TurnOn,
  delete: Delete,
} satisfies Record<ActionKind, unknown>;

/** The dialog of an action on a webhook. */
export function WebhookDialog({
  action: { kind, webhook },
  onClose,
}: {
  action: WebhookAction;
  onClose: () => void;
}) {
  const ActDialog = DIALOGS[kind];
  return <ActDialog webhook={webhook} onClose={onClose} />;
}

function Rotate({ webhook, onClose }: ActProps) {
  const queries = useQueryClient();
  const rotate = async (overlapSeconds: number): Promise<void> => {
    const { data } = await keepOpenFor(
      api.POST('/webhooks/{webhookId}/rotate-secret', {
        params: { path: { webhookId: webhook.id } },
        body: { overlapSeconds },
        // Never retry: a second attempt would make the secret of the first one invalid.
        retries: 0,
      }),
    );
    onClose();
    showOnce((close) => <SecretOnce made={data} onClose={close} />);
    await queries.invalidateQueries({ queryKey: ['webhook'] });
  };
  return (
    <RotateDialog
      title={texts.rotateQuestion(nameWebhook(webhook))}
      explain={texts.rotateExplain}
      overlap={texts.overlap}
      action={texts.rotate}
      onRotate={rotate}
      onClose={unlessSending(onClose)}
    />
  );
}

function Pause({ webhook, onClose }: ActProps) {
  const queries = useQueryClient();
  const name = nameWebhook(webhook);
  return (
    <ConfirmDialog
      title={texts.pauseQuestion(name)}
      action={texts.pause}
      look="filled"
      onClose={onClose}
      onAction={async () => {
        await api.PATCH('/webhooks/{webhookId}', {
          params: { path: { webhookId: webhook.id }, header: ifMatch(webhook.etag) },
          body: { enabled: false },
        });
        showToast({ text: texts.paused(name) });
        await queries.invalidateQueries({ queryKey: ['webhook'] });
      }}
    >
      {texts.pauseExplain}
    </ConfirmDialog>
  );
}

function Delete({ webhook, onClose }: ActProps) {
  const queries = useQueryClient();
  const name = nameWebhook(webhook);
  return (
    <ConfirmDialog
      title={texts.deleteQuestion(name)}
      action={texts.delete}
      onClose={onClose}
      onAction={async () => {
        await api.DELETE('/webhooks/{webhookId}', {
          params: { path: { webhookId: webhook.id }, header: ifMatch(webhook.etag) },
        });
        showToast({ text: texts.deleted(name) });
        await queries.invalidateQueries({ queryKey: ['webhook'] });
      }}
    >
      {texts.deleteExplain}
    </ConfirmDialog>
  );
}
