import { ButtonLink } from '../parts/button/button.tsx';
import { Notice } from '../parts/message/notice.tsx';
import { useSession } from '../session/session.tsx';
import { nameWebhook, useWebhooks } from '../webhooks/queries.ts';
import { texts } from './texts.ts';

/** Warns about each webhook that the service turned off, but not about those that a person paused. */
export function WebhookNotices() {
  const { can } = useSession();
  const { data: webhooks = [] } = useWebhooks({ isAllowed: can('webhooks:write') });
  return webhooks.map((webhook) => {
    const { id, disabledReason } = webhook;
    if (disabledReason === null || disabledReason === 'turned_off') return null;
    return (
      <Notice
        key={id}
        look="warning"
        title={texts.webhookStopped(nameWebhook(webhook))}
        actions={<ButtonLink to="/settings/webhooks">{texts.webhooks}</ButtonLink>}
      >
        {texts.webhookReasons[disabledReason]}
      </Notice>
    );
  });
}
