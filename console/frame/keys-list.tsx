import type { ReactNode } from 'react';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { useSession } from '../session/session.tsx';
import { keyTexts } from './key-texts.ts';
import { KEY_GROUPS } from './keys.ts';
import { LEAD_ITEMS, MAIN_ITEMS, useAllowed } from './navigation.tsx';
import './keys-list.css';

/** The dialog that lists the shortcuts of what the person may do. */
export default function KeysList({ onClose }: { onClose: () => void }) {
  const { can } = useSession();
  const pages = useAllowed([...MAIN_ITEMS, ...LEAD_ITEMS]).filter(({ key }) => key !== undefined);
  const groups = KEY_GROUPS.map(({ name, keys }) => ({
    name,
    keys: keys.filter(([, , scope]) => scope === undefined || can(scope)),
  }));
  return (
    <Dialog title={keyTexts.title} onClose={onClose}>
      {groups
        .filter(({ keys }) => keys.length > 0)
        .map(({ name, keys }) => (
          <section key={name}>
            <h3>{keyTexts.groups[name]}</h3>
            <dl className="keys-list">
              {keys.map(([key, action]) => (
                <Shortcut key={key} keys={key}>
                  {keyTexts.actions[action]}
                </Shortcut>
              ))}
              {name === 'everywhere' && (
                <Shortcut keys={pages.map(({ key = '' }) => `G ${key.toUpperCase()}`).join(', ')}>
                  {keyTexts.goTo(pages.map(({ title }) => title).join(', '))}
                </Shortcut>
              )}
            </dl>
          </section>
        ))}
      <p>{keyTexts.off}</p>
    </Dialog>
  );
}

function Shortcut({ keys, children }: { keys: string; children: ReactNode }) {
  return (
    <div>
      <dt>
        <kbd>{keys}</kbd>
      </dt>
      <dd>{children}</dd>
    </div>
  );
}
