import { Button } from '../parts/button/button.tsx';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { CopyText } from '../parts/form/copy-text.tsx';
import { formatTime } from '../parts/text/format.ts';
import { texts } from './texts.ts';

interface PersonLink {
  url: string;
  expiresAt: string;
}

/** Shows a person's link. It is shown only once, so Escape does not close the dialog. */
export function LinkOnce({
  title,
  name,
  link,
  onClose,
}: {
  title: string;
  name: string;
  link: PersonLink;
  onClose: () => void;
}) {
  return (
    <Dialog title={title} isFirm onClose={onClose}>
      <p>{texts.linkTo(name)}</p>
      <CopyText label={texts.linkLabel} text={link.url} copy={texts.copyLink} />
      <p className="soft">{texts.linkExpires(formatTime(link.expiresAt))}</p>
      <div className="form-buttons">
        <Button look="filled" onClick={onClose}>
          {texts.done}
        </Button>
      </div>
    </Dialog>
  );
}
