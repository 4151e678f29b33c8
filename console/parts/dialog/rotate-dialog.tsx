import { FormButtons, SelectField } from '../form/field.tsx';
import { Form } from '../form/form.tsx';
import { texts } from '../text/texts.ts';
import { Dialog } from './dialog.tsx';
import { rotateTexts } from './rotate-texts.ts';

/** The choices of how long the old secret still works, in seconds. The first one is the default. */
const OVERLAPS = [86_400, 3_600, 604_800, 0] as const;

/** The dialog that gives a key or a webhook a new secret, while the old one works for some time. */
export function RotateDialog({
  title,
  explain,
  overlap,
  action,
  onRotate,
  onClose,
}: {
  title: string;
  explain: string;
  /** The label of that choice. */
  overlap: string;
  /** The text of the button. */
  action: string;
  onRotate: (overlapSeconds: number) => Promise<void>;
  onClose: () => void;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Form label={title} onSubmit={(values) => onRotate(Number(values.get('overlap')))}>
        <p>{explain}</p>
        <SelectField label={overlap} name="overlap">
          {OVERLAPS.map((seconds) => (
            <option key={seconds} value={seconds}>
              {rotateTexts.overlaps[seconds]}
            </option>
          ))}
        </SelectField>
        <FormButtons action={action} cancel={texts.cancel} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
