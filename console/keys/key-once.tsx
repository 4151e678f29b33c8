import { API_URL, type KeyWithText } from '../api.ts';
import { Button } from '../parts/button/button.tsx';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { CopyText } from '../parts/form/copy-text.tsx';
import { makeCommand } from './scopes.ts';
import { texts } from './texts.ts';

/** Shows the text of a new key, and a command that tries it. The text is shown only once, so Escape does not close the dialog. */
export function KeyOnce({ made, onClose }: { made: KeyWithText; onClose: () => void }) {
  return (
    <Dialog title={texts.shownTitle(made.name)} isFirm onClose={onClose}>
      <CopyText label={texts.key} text={made.key} copy={texts.copyKey} />
      <p className="soft">{texts.shownOnce}</p>
      <CopyText
        label={texts.try}
        text={makeCommand(API_URL, made.key, made.scopes)}
        copy={texts.copyCommand}
      />
      <div className="form-buttons">
        <Button look="filled" onClick={onClose}>
          {texts.done}
        </Button>
      </div>
    </Dialog>
  );
}
