import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, listItems, type Key } from '../api.ts';
import { pageTitles } from '../frame/texts.ts';
import { Button } from '../parts/button/button.tsx';
import { fold } from '../parts/domain/names.ts';
import { Empty, LoadError, Skeleton } from '../parts/page/states.tsx';
import { formatCount } from '../parts/text/format.ts';
import { ListTools, SettingsPage } from '../settings/settings-page.tsx';
import { CreateKey } from './create-key.tsx';
import { FindKey } from './find-key.tsx';
import { KeyDialog, type KeyAction } from './key-dialogs.tsx';
import { hasExpired, KeysTable } from './keys-table.tsx';
import { texts } from './texts.ts';
import './keys.css';

type Shown = 'working' | 'all';
const SHOWN: readonly Shown[] = ['working', 'all'];

const listKeys = async () => await Array.fromAsync(listItems(api, '/keys'));

const isWorking = (key: Key): boolean => key.revokedAt === null && !hasExpired(key);

/** The page of the account's API keys. */
export function Keys() {
  const { data: keys, error, refetch } = useQuery({ queryKey: ['key', 'all'], queryFn: listKeys });
  const [shown, setShown] = useState<Shown>('working');
  const [search, setSearch] = useState('');
  const [dialog, setDialog] = useState<'create' | 'find' | KeyAction>();
  const close = (): void => setDialog(undefined);
  const found = keys?.filter(
    (key) => (shown === 'all' || isWorking(key)) && fold(key.name).includes(fold(search.trim())),
  );
  return (
    <SettingsPage
      title={pageTitles.keys}
      count={found && formatCount(found.length, texts.oneKey, texts.keys)}
      actions={
        <>
          <Button onClick={() => setDialog('find')}>{texts.find}</Button>
          <Button look="filled" onClick={() => setDialog('create')}>
            {texts.add}
          </Button>
        </>
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
      {found === undefined && error === null && <Skeleton look="rows" lines={4} />}
      {found?.length === 0 && <Empty>{keys?.length === 0 ? texts.empty : texts.noFit}</Empty>}
      {found !== undefined && found.length > 0 && <KeysTable keys={found} onAction={setDialog} />}
      {dialog === 'create' && <CreateKey onClose={close} />}
      {dialog === 'find' && <FindKey onClose={close} />}
      {typeof dialog === 'object' && <KeyDialog action={dialog} onClose={close} />}
    </SettingsPage>
  );
}
