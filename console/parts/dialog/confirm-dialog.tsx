import type { ReactNode } from 'react';
import { FormButtons } from '../form/field.tsx';
import { Form } from '../form/form.tsx';
import { texts } from '../text/texts.ts';
import { Dialog } from './dialog.tsx';

/** The dialog before a destructive action. When the action is refused, the dialog stays open and shows the reason. */
export function ConfirmDialog({
  title,
  action,
  look = 'danger',
  onAction,
  onClose,
  children,
}: {
  title: string;
  /** The text of the button. */
  action: string;
  look?: 'filled' | 'danger';
  onAction: (values: FormData) => Promise<void>;
  onClose: () => void;
  /** The consequences of the action, and the fields that it needs. */
  children: ReactNode;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        label={title}
        onSubmit={async (values) => {
          await onAction(values);
          onClose();
        }}
      >
        {typeof children === 'string' ? <p>{children}</p> : children}
        <FormButtons action={action} look={look} cancel={texts.cancel} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
