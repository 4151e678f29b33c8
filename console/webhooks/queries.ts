import { useQuery } from '@tanstack/react-query';
import { api, listItems, type Webhook } from '../api.ts';

const listWebhooks = async () => await Array.fromAsync(listItems(api, '/webhooks'));

/** Reads the webhooks of the account. Deliveries make no events, so a page that shows their state polls every `everyMs`. */
export const useWebhooks = ({
  isAllowed = true,
  everyMs = false,
}: {
  isAllowed?: boolean;
  everyMs?: number | false;
} = {}) =>
  useQuery({
    queryKey: ['webhook', 'all'],
    queryFn: listWebhooks,
    enabled: isAllowed,
    refetchInterval: everyMs,
  });

/** Names a webhook for people: by its description, or else by the host that gets the events. */
export function nameWebhook({ description, url }: Pick<Webhook, 'description' | 'url'>): string {
  return description?.trim() || (URL.parse(url)?.host ?? url);
}
