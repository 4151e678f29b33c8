import { Dialog } from '../parts/dialog/dialog.tsx';
import { useSession } from '../session/session.tsx';
import { keyTexts } from './key-texts.ts';
import { KEY_GROUPS } from './keys.ts';
import './keys-list.css';

/** The dialog that lists the shortcuts of what the person may do. */
export default function KeysList({ onClose }: { onClose: () => void }) {
  const { can } = useSession();
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
                <div key={key}>
                  <dt>
                    <kbd>{key}</kbd>
                  </dt>
                  <dd>{keyTexts.actions[action]}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      <p>{keyTexts.off}</p>
    </Dialog>
  );
}
