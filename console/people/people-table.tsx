import type { User } from '../api.ts';
import { Table, TableActions, TableCell, TableName } from '../parts/list/table.tsx';
import { MenuButton, type MenuChoice } from '../parts/popup/menu.tsx';
import { formatAgo, formatShortDay } from '../parts/text/format.ts';
import { useSession } from '../session/session.tsx';
import { canManage } from './roles.ts';
import type { PersonAction } from './person-dialogs.tsx';
import { texts } from './texts.ts';

const TITLES = [texts.name, texts.role, texts.signedIn, texts.secondStep];

/** The table of people, each with a menu of actions. */
export function PeopleTable({
  people,
  onAction,
}: {
  people: readonly User[];
  onAction: (action: PersonAction) => void;
}) {
  const { me, can, userId } = useSession();
  const hasActions = can('users:write');
  return (
    <Table label={texts.title} titles={TITLES} actions={hasActions ? texts.actions : undefined}>
      {people.map((person) => {
        const { id, name, email, role, secondStep } = person;
        const isSelf = id === userId;
        return (
          <tr key={id}>
            <TableName below={email}>{isSelf ? texts.self(name) : name}</TableName>
            <TableCell title={texts.role}>{texts.roles[role]}</TableCell>
            <TableCell title={texts.signedIn}>{describeSignIn(person)}</TableCell>
            <TableCell title={texts.secondStep}>{secondStep ? texts.on : texts.off}</TableCell>
            {hasActions && (
              <TableActions>
                {canManage(me.role, role) && (
                  <MenuButton
                    look="bare"
                    label={texts.change}
                    name={texts.actionsOf(name)}
                    choices={listActions(person, isSelf)}
                    onChoose={(kind) => onAction({ kind: kind as PersonAction['kind'], person })}
                  />
                )}
              </TableActions>
            )}
          </tr>
        );
      })}
    </Table>
  );
}

/** Describes when a person last signed in, or the state of their invitation. */
function describeSignIn({ active, signedInAt, invitedUntil }: User): string {
  if (!active) return texts.inactive;
  if (signedInAt !== null) return formatAgo(signedInAt);
  if (invitedUntil === null) return texts.neverSignedIn;
  const isOpen = new Date(invitedUntil) > new Date();
  return isOpen
    ? texts.invited(formatShortDay(invitedUntil))
    : texts.invitationEnded(formatShortDay(invitedUntil));
}

function listActions({ active, signedInAt }: User, isSelf: boolean): MenuChoice[] {
  if (!active)
    return [
      { id: 'edit', label: texts.edit },
      { id: 'activate', label: texts.activate },
    ];
  return [
    { id: 'edit', label: texts.edit },
    signedInAt === null
      ? { id: 'invite', label: texts.inviteAgain }
      : { id: 'reset', label: texts.reset },
    // Nobody can deactivate themselves by mistake.
    ...(isSelf ? [] : [{ id: 'deactivate', label: texts.deactivate, isDanger: true }]),
  ];
}
