import { useState } from 'react';
import { pageTitles } from '../frame/texts.ts';
import { useAddress } from '../parts/browser/address.ts';
import { Button } from '../parts/button/button.tsx';
import { Empty, LoadError, Skeleton } from '../parts/page/states.tsx';
import { formatCount } from '../parts/text/format.ts';
import { SettingsPage } from '../settings/settings-page.tsx';
import { CreateWebhook } from './create-webhook.tsx';
import { Deliveries } from './deliveries.tsx';
import { useWebhooks } from './queries.ts';
import { texts } from './texts.ts';
import { WebhookDialog, type WebhookAction } from './webhook-dialogs.tsx';
import { WebhooksTable } from './webhooks-table.tsx';
import './webhooks.css';

const EVERY_MS = 5_000;

/** The page of the account's webhooks: URLs of other systems to which the service sends events. */
export function Webhooks() {
  const { data: webhooks, error, refetch } = useWebhooks({ everyMs: EVERY_MS });
  const { query, close: closeDrawer } = useAddress();
  const [dialog, setDialog] = useState<'create' | WebhookAction>();
  const close = (): void => setDialog(undefined);
  const opened = webhooks?.find(({ id }) => id === query.get('webhook'));
  return (
    <SettingsPage
      title={pageTitles.webhooks}
      count={webhooks && formatCount(webhooks.length, texts.oneWebhook, texts.webhooks)}
      actions={
        <Button look="filled" onClick={() => setDialog('create')}>
          {texts.add}
        </Button>
      }
    >
      {error !== null && <LoadError error={error} onRetry={() => void refetch()} />}
      {webhooks === undefined && error === null && <Skeleton look="rows" lines={4} />}
      {webhooks?.length === 0 && <Empty>{texts.empty}</Empty>}
      {webhooks !== undefined && webhooks.length > 0 && (
        <WebhooksTable webhooks={webhooks} onAction={setDialog} />
      )}
      {opened !== undefined && (
        <Deliveries webhook={opened} onClose={() => closeDrawer({ webhook: null, status: null })} />
      )}
      {dialog === 'create' && <CreateWebhook onClose={close} />}
      {typeof dialog === 'object' && <WebhookDialog action={dialog} onClose={close} />}
    </SettingsPage>
  );
}
