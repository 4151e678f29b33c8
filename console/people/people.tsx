import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '../api.ts';
import { pageTitles } from '../frame/texts.ts';
import { Button } from '../parts/button/button.tsx';
import { fold, USERS } from '../parts/domain/names.ts';
import { Empty, LoadError, Skeleton } from '../parts/page/states.tsx';
import { formatCount } from '../parts/text/format.ts';
import { useSession } from '../session/session.tsx';
import { ListTools, SettingsPage } from '../settings/settings-page.tsx';
import { Invite } from './invite.tsx';
import { PeopleTable } from './people-table.tsx';
import { PersonDialog, type PersonAction } from './person-dialogs.tsx';
import { texts } from './texts.ts';

type Shown = 'active' | 'inactive' | 'all';
const SHOWN: readonly Shown[] = ['active', 'inactive', 'all'];

/** The page of people. It reads all of them, because an account has at most 1,000. */
export function People() {
  const { can } = useSession();
  const { data: people, error, refetch } = useQuery(USERS);
  const [shown, setShown] = useState<Shown>('active');
  const [search, setSearch] = useState('');
  const [isInviting, setInviting] = useState(false);
  const [action, setAction] = useState<PersonAction>();
  const found = people?.filter((person) => fits(person, shown, search));
  return (
    <SettingsPage
      title={pageTitles.people}
      count={found && formatCount(found.length, texts.person, texts.people)}
      actions={
        can('users:write') && (
          <Button look="filled" onClick={() => setInviting(true)}>
            {texts.invite}
          </Button>
        )
      }
    >
      <ListTools
        search={search}
        onSearch={setSearch}
        shown={shown}
        choices={SHOWN}
        onShow={setShown}
        texts={texts}
      />
      {error !== null && <LoadError error={error} onRetry={() => void refetch()} />}
      {found === undefined && error === null && <Skeleton look="rows" lines={6} />}
      {found?.length === 0 && <Empty>{texts.none}</Empty>}
      {found !== undefined && found.length > 0 && (
        <PeopleTable people={found} onAction={setAction} />
      )}
      {isInviting && <Invite onClose={() => setInviting(false)} />}
      {action !== undefined && (
        <PersonDialog action={action} onClose={() => setAction(undefined)} />
      )}
    </SettingsPage>
  );
}

function fits({ name, email, active }: User, shown: Shown, search: string): boolean {
  if (shown !== 'all' && active !== (shown === 'active')) return false;
  const text = fold(`${name} ${email}`);
  return fold(search)
    .split(/\s+/)
    .every((word) => text.includes(word));
}
