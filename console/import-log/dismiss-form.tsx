import { Field, FormButtons } from '../parts/form/field.tsx';
import { Form, readText } from '../parts/form/form.tsx';
import { FormDraft } from '../parts/draft/form-draft.tsx';
import { texts as shared } from '../parts/text/texts.ts';
import { useSettle } from './settle.ts';
import { texts } from './texts.ts';

const FIELDS = ['reason'];

/** The form that dismisses an import. It asks for the reason. */
export function DismissForm({
  id,
  onCancel,
  onDone,
}: {
  id: string;
  onCancel: () => void;
  onDone: () => void;
}) {
  const { dismiss } = useSettle(id);
  return (
    <Form
      label={texts.action.dismiss}
      onSubmit={async (values) => {
        await dismiss(readText(values, 'reason'));
        onDone();
      }}
    >
      <FormDraft subject={`dismiss:${id}`} fields={FIELDS} />
      <Field
        label={texts.dismiss.reason}
        name="reason"
        hint={texts.dismiss.reasonHint}
        maxLength={1_000}
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
      />
      <FormButtons action={texts.action.dismiss} cancel={shared.cancel} onCancel={onCancel} />
    </Form>
  );
}
