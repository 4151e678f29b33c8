import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Webhook, type WebhookDelivery } from '../api.ts';
import { FilterChoice, listOptions } from '../parts/form/filter-choice.tsx';
import { useAddress } from '../parts/browser/address.ts';
import { Button } from '../parts/button/button.tsx';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { Notice } from '../parts/message/notice.tsx';
import { Empty, LoadError, Skeleton } from '../parts/page/states.tsx';
import { nameWebhook } from './queries.ts';
import { DeliveryItem } from './delivery-item.tsx';
import { Replay } from './replay.tsx';
import { describeStop } from './status.tsx';
import { TestWebhook } from './test-webhook.tsx';
import { texts } from './texts.ts';

const EVERY_MS = 5_000;
type Status = WebhookDelivery['status'];
const STATUSES: readonly Status[] = ['pending', 'delivered', 'failed'];

function useDeliveries(webhookId: string, status: Status | undefined) {
  return useInfiniteQuery({
    queryKey: ['webhook', 'deliveries', webhookId, status],
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        ...(status !== undefined && { status }),
        ...(pageParam !== '' && { cursor: pageParam }),
      };
      const params = { path: { webhookId }, query };
      return (await api.GET('/webhooks/{webhookId}/deliveries', { params, signal })).data;
    },
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.nextCursor,
    // Poll, because deliveries make no events.
    refetchInterval: EVERY_MS,
  });
}

/** The drawer of a webhook's deliveries, each with its request and its answer, and a button that sends it again. */
export function Deliveries({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { query, change } = useAddress();
  const status = STATUSES.find((each) => each === query.get('status'));
  const list = useDeliveries(webhook.id, status);
  const [isReplaying, setReplaying] = useState(false);
  const [said, setSaid] = useState('');
  const deliveries = list.data?.pages.flatMap(({ data }) => data);
  const isOff = webhook.status === 'disabled';
  const [isTesting, setTesting] = useState(false);
  const isUnused = deliveries?.length === 0 && status === undefined;
  return (
    <Dialog shape="side" title={texts.deliveriesOf(nameWebhook(webhook))} onClose={onClose}>
      {webhook.status !== 'enabled' && <Notice look="warning">{describeStop(webhook)}</Notice>}
      {isReplaying ? (
        <Replay
          webhook={webhook}
          onCancel={() => setReplaying(false)}
          onDone={(text) => {
            setSaid(text);
            setReplaying(false);
          }}
        />
      ) : isUnused ? null : (
        <div className="webhooks-tools">
          <FilterChoice
            label={texts.filter}
            value={status ?? ''}
            options={[
              { id: '', name: texts.allDeliveries },
              ...listOptions(STATUSES, texts.deliveryStatus),
            ]}
            onChange={(value) => change({ status: value }, { replace: true, state: history.state })}
          />
          <Button disabled={isOff} onClick={() => setReplaying(true)}>
            {texts.replay}
          </Button>
        </div>
      )}
      <div role="status">{said !== '' && <Notice>{said}</Notice>}</div>
      {list.error !== null && <LoadError error={list.error} onRetry={() => void list.refetch()} />}
      {deliveries === undefined && list.error === null && <Skeleton lines={6} />}
      {isUnused && !isReplaying && (
        <Empty action={<Button onClick={() => setTesting(true)}>{texts.testAction}</Button>}>
          {texts.noDeliveries}
        </Empty>
      )}
      {isTesting && <TestWebhook webhook={webhook} onClose={() => setTesting(false)} />}
      {deliveries?.length === 0 && status !== undefined && <Empty>{texts.noDeliveryFits}</Empty>}
      {deliveries !== undefined && deliveries.length > 0 && (
        <ul className="webhooks-deliveries" aria-label={texts.deliveries}>
          {deliveries.map((delivery) => (
            <DeliveryItem
              key={delivery.id}
              webhookId={webhook.id}
              delivery={delivery}
              isOff={isOff}
            />
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {texts.moreDeliveries}
        </Button>
      )}
    </Dialog>
  );
}
