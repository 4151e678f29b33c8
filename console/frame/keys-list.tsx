import { Dialog } from '../parts/dialog.tsx';
import { keyTexts } from './key-texts.ts';
import { KEY_GROUPS } from './keys.ts';
import './keys-list.css';

/** The dialog that lists all shortcuts. */
export default function KeysList({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={keyTexts.title} onClose={onClose}>
      {KEY_GROUPS.map(({ name, keys }) => (
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
