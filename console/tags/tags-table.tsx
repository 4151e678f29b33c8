import { Link } from 'wouter';
import type { Tag } from '../api.ts';
import { Table, TableActions, TableCell, TableName } from '../parts/list/table.tsx';
import { MenuButton } from '../parts/popup/menu.tsx';
import { formatNumber } from '../parts/text/format.ts';
import { useSession } from '../session/session.tsx';
import type { TagAction } from './tag-dialogs.tsx';
import { texts } from './texts.ts';

const TITLES = [texts.label, texts.contacts];
const CHOICES = [
  { id: 'rename', label: texts.rename },
  { id: 'merge', label: texts.merge },
  { id: 'delete', label: texts.delete, isDanger: true },
];

/** The table of tags, each with a link to its contacts and a menu of actions. */
export function TagsTable({
  tags,
  onAction,
}: {
  tags: readonly Tag[];
  onAction: (action: TagAction) => void;
}) {
  const { can } = useSession();
  const hasActions = can('settings:write');
  return (
    <Table label={texts.title} titles={TITLES} actions={hasActions ? texts.actions : undefined}>
      {tags.map((tag) => (
        <tr key={tag.id}>
          <TableName>{tag.label}</TableName>
          <TableCell title={texts.contacts}>
            <Link href={`/contacts?tag=${tag.id}`}>{formatNumber(tag.contactCount)}</Link>
          </TableCell>
          {hasActions && (
            <TableActions>
              <MenuButton
                look="bare"
                label={texts.change}
                name={texts.actionsOf(tag.label)}
                choices={CHOICES}
                onChoose={(kind) => onAction({ kind: kind as TagAction['kind'], tag })}
              />
            </TableActions>
          )}
        </tr>
      ))}
    </Table>
  );
}
