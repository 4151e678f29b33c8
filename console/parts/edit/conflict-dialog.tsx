import { Button } from '../button/button.tsx';
import type { OpenConflict } from './conflict.ts';
import { conflictTexts } from './conflict-texts.ts';
import { Dialog } from '../dialog/dialog.tsx';
import { formatAgoInSentence } from '../text/format.ts';
import { useSession } from '../../session/session.tsx';
import { texts } from '../text/texts.ts';
import './conflict-dialog.css';

/** The dialog that shows both values of each field that was changed twice, and asks which ones to keep. */
export default function ConflictDialog({ fields, by, isUndo = false, answer }: OpenConflict) {
  const { userId } = useSession();
  const author = by === undefined ? 'unknown' : by.id === userId ? 'self' : 'other';
  const words = conflictTexts[author];
  const when = by === undefined ? '' : formatAgoInSentence(by.at);
  return (
    <Dialog title={words.title} onClose={() => answer('back')}>
      <p>{words.explain(when, by?.who ?? '')}</p>
      <table className="conflict">
        <thead>
          <tr>
            <th scope="col">{conflictTexts.field}</th>
            <th scope="col">{conflictTexts.theirs}</th>
            <th scope="col">{isUndo ? conflictTexts.before : conflictTexts.mine}</th>
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
        <Button onClick={() => answer('mine')}>
          {isUndo ? conflictTexts.undo : conflictTexts.takeMine}
        </Button>
        <Button look="filled" onClick={() => answer('theirs')}>
          {words.keep}
        </Button>
      </div>
    </Dialog>
  );
}
