import { Link } from 'wouter';
import type { Webhook } from '../api.ts';
import { Button } from '../parts/button/button.tsx';
import { Table, TableActions, TableCell, TableName } from '../parts/list/table.tsx';
import { MenuButton } from '../parts/popup/menu.tsx';
import { formatAgo, formatNumber } from '../parts/text/format.ts';
import { nameWebhook } from './queries.ts';
import { describeStop, WebhookStatus } from './status.tsx';
import { texts } from './texts.ts';
import { describeTypes } from './types.ts';
import type { ActionKind, WebhookAction } from './webhook-dialogs.tsx';

const TITLES = [texts.webhook, texts.sends, texts.state, texts.lag, texts.lastSuccess];

/** The table of webhooks, each with a menu of actions. */
export function WebhooksTable({
  webhooks,
  onAction,
}: {
  webhooks: readonly Webhook[];
  onAction: (action: WebhookAction) => void;
}) {
  return (
    <Table label={texts.title} titles={TITLES} actions={texts.actions}>
      {webhooks.map((webhook) => (
        <tr key={webhook.id}>
          <TableName below={webhook.url}>
            <Link href={`/settings/webhooks?webhook=${webhook.id}`} state>
              {nameWebhook(webhook)}
            </Link>
          </TableName>
          <TableCell title={texts.sends}>
            <span className="webhooks-types">{describeTypes(webhook.types)}</span>
          </TableCell>
          <TableCell title={texts.state}>
            <State webhook={webhook} onAction={onAction} />
          </TableCell>
          <TableCell title={texts.lag}>
            {webhook.lag === 0 ? texts.none : formatNumber(webhook.lag)}
          </TableCell>
          <TableCell title={texts.lastSuccess}>
            {webhook.lastSuccessAt === null ? texts.never : formatAgo(webhook.lastSuccessAt)}
          </TableCell>
          <TableActions>
            <MenuButton
              look="bare"
              label={texts.change}
              name={texts.actionsOf(nameWebhook(webhook))}
              choices={listChoices(webhook)}
              onChoose={(kind) => onAction({ kind: kind as ActionKind, webhook })}
            />
          </TableActions>
        </tr>
      ))}
    </Table>
  );
}

/** The status of a webhook. For one that is off, also the reason and the action that repairs it. */
function State({
  webhook,
  onAction,
}: {
  webhook: Webhook;
  onAction: (action: WebhookAction) => void;
}) {
  const isOff = webhook.status === 'disabled';
  return (
    <div className="webhooks-state">
      <WebhookStatus webhook={webhook} />
      {webhook.status !== 'enabled' && <span className="soft">{describeStop(webhook)}</span>}
      {isOff && (
        <Button onClick={() => onAction({ kind: 'turn-on', webhook })}>{texts.turnOn}</Button>
      )}
    </div>
  );
}

const listChoices = ({ status }: Webhook) => [
  { id: 'test', label: texts.testAction },
  { id: 'edit', label: texts.edit },
  { id: 'headers', label: texts.headers },
  { id: 'rotate', label: texts.rotate },
  status === 'disabled'
    ? { id: 'turn-on', label: texts.turnOn }
    : { id: 'pause', label: texts.pause },
  { id: 'delete', label: texts.delete, isDanger: true },
];
