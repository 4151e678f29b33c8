import { Button } from './button.tsx';
import type { OpenConflict } from './conflict.ts';
import { Dialog } from './dialog.tsx';
import { formatAgo } from './format.ts';
import { texts } from './texts.ts';
import './conflict-dialog.css';

/** The dialog that shows both values of each field that two people changed, and asks which ones to keep. */
export default function ConflictDialog({ fields, by, answer }: OpenConflict) {
  return (
    <Dialog title={texts.conflict.title} onClose={() => answer(false)}>
      <p>
        {by === undefined
          ? texts.conflict.explainUnknown
          : texts.conflict.explain(by.who, formatAgo(by.at))}
      </p>
      <table className="conflict">
        <thead>
          <tr>
            <th scope="col">{texts.conflict.field}</th>
            <th scope="col">{texts.conflict.theirs}</th>
            <th scope="col">{texts.conflict.mine}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({ label, theirs, mine }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{theirs || texts.empty}</td>
              <td>{mine || texts.empty}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="form-buttons">
        <Button onClick={() => answer(true)}>{texts.conflict.takeMine}</Button>
        <Button look="filled" onClick={() => answer(false)}>
          {texts.conflict.keepTheirs}
        </Button>
      </div>
    </Dialog>
  );
}
