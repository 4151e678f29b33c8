import type { WebhookWithSecret } from '../api.ts';
import { Button } from '../parts/button/button.tsx';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { CopyText } from '../parts/form/copy-text.tsx';
import { nameWebhook } from './queries.ts';
import { texts } from './texts.ts';

/** Shows the secret of a webhook. It is shown only once, so Escape does not close the dialog. */
export function SecretOnce({ made, onClose }: { made: WebhookWithSecret; onClose: () => void }) {
  return (
    <Dialog title={texts.secretTitle(nameWebhook(made))} isFirm onClose={onClose}>
      <CopyText label={texts.secret} text={made.secret} copy={texts.copySecret} />
      <p>{texts.secretExplain}</p>
      <p className="soft">{texts.secretOnce}</p>
      <div className="form-buttons">
        <Button look="filled" onClick={onClose}>
          {texts.done}
        </Button>
      </div>
    </Dialog>
  );
}
