import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { FormButtons } from './field.tsx';
import { Form } from './form.tsx';
import { texts } from './texts.ts';

/** Asks before an act that takes something away. It stays open, and says why, when the act is refused. */
export function ConfirmDialog({
  title,
  act,
  look = 'danger',
  onAct,
  onClose,
  children,
}: {
  title: string;
  /** Names the act. */
  act: string;
  look?: 'filled' | 'danger';
  onAct: (values: FormData) => Promise<void>;
  onClose: () => void;
  /** The consequences, and fields that the act needs. */
  children: ReactNode;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        label={title}
        onSubmit={async (values) => {
          await onAct(values);
          onClose();
        }}
      >
        {typeof children === 'string' ? <p>{children}</p> : children}
        <FormButtons act={act} look={look} cancel={texts.cancel} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
