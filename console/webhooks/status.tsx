import type { Webhook, WebhookDelivery } from '../api.ts';
import { MarkedWord } from '../parts/domain/status.tsx';
import { formatNumber, formatShortTime } from '../parts/text/format.ts';
import { texts } from './texts.ts';

/** The status of a webhook: its mark and word. */
export function WebhookStatus({ webhook: { status, disabledReason } }: { webhook: Webhook }) {
  if (disabledReason === 'turned_off')
    return <MarkedWord mark={['grey', 'bar']}>{texts.status.paused}</MarkedWord>;
  if (status === 'disabled')
    return <MarkedWord mark={['red', 'cross']}>{texts.status.disabled}</MarkedWord>;
  if (status === 'failing')
    return <MarkedWord mark={['amber', 'half']}>{texts.status.failing}</MarkedWord>;
  return <MarkedWord mark={['green', 'dot']}>{texts.status.enabled}</MarkedWord>;
}

/** Describes why no events arrive; empty when they do. */
export function describeStop({ disabledReason, failingSince, status }: Webhook): string {
  if (disabledReason !== null) return texts.reasons[disabledReason];
  if (status === 'failing' && failingSince !== null)
    return texts.failingSince(formatShortTime(failingSince));
  return '';
}

const DELIVERY_MARKS = {
  pending: ['amber', 'half'],
  delivered: ['green', 'dot'],
  failed: ['red', 'cross'],
} as const;

/** The status of a delivery: its mark and word. */
export const DeliveryStatus = ({ status }: Pick<WebhookDelivery, 'status'>) => (
  <MarkedWord mark={DELIVERY_MARKS[status]}>{texts.deliveryStatus[status]}</MarkedWord>
);

/** Describes the answer of the endpoint, or why there was none. */
export function describeAnswer({
  httpStatus,
  ms,
  error,
}: Pick<WebhookDelivery, 'httpStatus' | 'ms' | 'error'>): string {
  if (httpStatus === null) return error === null ? texts.notSentYet : texts.noAnswer(error);
  return texts.answered(httpStatus, formatNumber(ms ?? 0));
}
