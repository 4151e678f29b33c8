import { ButtonLink } from '../parts/button.tsx';
import { Notice } from '../parts/notice.tsx';
import { nameWebhook, useWebhooks } from '../parts/webhooks.ts';
import { useSession } from '../session/session.tsx';
import { texts } from './texts.ts';

/** Names each webhook that the service has turned off. A webhook that somebody paused is left out. */
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
