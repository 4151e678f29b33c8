import type { Key } from '../api.ts';
import { Table, TableActions, TableCell, TableName } from '../parts/list/table.tsx';
import { MenuButton } from '../parts/popup/menu.tsx';
import { formatAgo, formatShortDay, formatTime } from '../parts/text/format.ts';
import type { KeyAction } from './key-dialogs.tsx';
import { describeScopes } from './scopes.ts';
import { texts } from './texts.ts';

const TITLES = [texts.name, texts.allows, texts.lastUsed, texts.expires];

/** The table of API keys, each with a menu of actions. */
export function KeysTable({
  keys,
  onAction,
}: {
  keys: readonly Key[];
  onAction: (action: KeyAction) => void;
}) {
  return (
    <Table label={texts.title} titles={TITLES} actions={texts.actions}>
      {keys.map((key) => (
        <tr key={key.id}>
          <TableName below={describeOrigin(key)}>
            {key.name} <code>{texts.start(key.start, key.lastFour ?? '')}</code>
          </TableName>
          <TableCell title={texts.allows}>{describeScopes(key.scopes)}</TableCell>
          <TableCell title={texts.lastUsed}>
            {key.lastUsedAt === null ? texts.never : formatAgo(key.lastUsedAt)}
          </TableCell>
          <TableCell title={texts.expires}>{describeEnd(key)}</TableCell>
          <TableActions>
            {key.revokedAt === null && (
              <MenuButton
                look="bare"
                label={texts.change}
                name={texts.actionsOf(key.name)}
                choices={[
                  { id: 'edit', label: texts.edit },
                  { id: 'rotate', label: texts.rotate, isDisabled: hasExpired(key) },
                  { id: 'revoke', label: texts.revoke, isDanger: true },
                ]}
                onChoose={(kind) => onAction({ kind: kind as KeyAction['kind'], apiKey: key })}
              />
            )}
          </TableActions>
        </tr>
      ))}
    </Table>
  );
}

function describeOrigin({ createdBy, createdAt, previous }: Key): string {
  const origin = texts.created(createdBy.name, formatShortDay(createdAt));
  const isOverlapping = previous !== null && Date.parse(previous.validUntil) > Date.now();
  return isOverlapping ? `${origin}; ${texts.previous(formatTime(previous.validUntil))}` : origin;
}

/** Whether a key has expired. A key without an end never does. */
export const hasExpired = ({ expiresAt }: Key): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= Date.now();

function describeEnd(key: Key): string {
  if (key.revokedAt !== null) return texts.revokedAt(formatShortDay(key.revokedAt));
  if (key.expiresAt === null) return texts.never;
  // The key stops at midnight; one millisecond before is the last day on which it works.
  const day = formatShortDay(new Date(Date.parse(key.expiresAt) - 1));
  return hasExpired(key) ? texts.expired(day) : day;
}
