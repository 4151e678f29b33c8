import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type WebhookDelivery } from '../api.ts';
import { Button } from '../parts/button/button.tsx';
import { Notice } from '../parts/message/notice.tsx';
import { formatNumber, formatShortTime } from '../parts/text/format.ts';
import { describeProblem } from '../parts/text/problem-texts.ts';
import { DeliveryStatus, describeAnswer } from './status.tsx';
import { texts } from './texts.ts';

/** A delivery: its event, the answer to the latest attempt, and the time of the next one. */
export function DeliveryItem({
  webhookId,
  delivery,
  isOff,
}: {
  webhookId: string;
  delivery: WebhookDelivery;
  /** Whether the webhook is off, so that it sends nothing. */
  isOff: boolean;
}) {
  const { type, status, attempt, at, nextAttemptAt, responseStart } = delivery;
  return (
    <li className="webhooks-delivery">
      <div className="webhooks-delivery-head">
        <code>{type}</code>
        <DeliveryStatus status={status} />
      </div>
      <p>{describeAnswer(delivery)}</p>
      {attempt > 0 && (
        <p className="soft">{texts.attempt(formatNumber(attempt), formatShortTime(at))}</p>
      )}
      {nextAttemptAt !== null && (
        <p className="soft">{texts.nextAttempt(formatShortTime(nextAttemptAt))}</p>
      )}
      {responseStart !== '' && (
        <details className="webhooks-more">
          <summary>{texts.answer}</summary>
          <pre>{responseStart}</pre>
        </details>
      )}
      {!isOff && <RetryButton webhookId={webhookId} delivery={delivery} />}
    </li>
  );
}

function RetryButton({
  webhookId,
  delivery: { id, type },
}: {
  webhookId: string;
  delivery: WebhookDelivery;
}) {
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState('');

  async function retry(): Promise<void> {
    setBusy(true);
    setFault('');
    try {
      const path = { webhookId, deliveryId: id };
      await api.POST('/webhooks/{webhookId}/deliveries/{deliveryId}/retry', {
        params: { path },
        body: {},
      });
      await queries.invalidateQueries({ queryKey: ['webhook'] });
    } catch (error) {
      setFault(describeProblem(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <Button isBusy={isBusy} aria-label={texts.retryOf(type)} onClick={() => void retry()}>
        {texts.retry}
      </Button>
      {fault !== '' && <Notice look="error">{fault}</Notice>}
    </>
  );
}
