import { useDraft } from '../parts/draft/draft.ts';
import { Field, FormButtons } from '../parts/form/field.tsx';
import { Form, readText } from '../parts/form/form.tsx';
import { Card } from '../parts/page/card.tsx';
import { FormDraft } from '../parts/draft/form-draft.tsx';
import { showToast } from '../parts/message/toast.tsx';
import { texts as shared } from '../parts/text/texts.ts';
import { useOwnChanges, useSession } from '../session/session.tsx';
import { texts } from './texts.ts';

const SUBJECT = 'profile';
const FIELDS = ['name'];

/** The form for the person's name, and the values that only others can change. */
export function You() {
  const { me } = useSession();
  const change = useOwnChanges();
  const [, , clear] = useDraft(SUBJECT);
  return (
    <Card title={texts.you}>
      <Form
        label={texts.you}
        onSubmit={async (values) => {
          await change({ name: readText(values, 'name') ?? '' });
          clear();
          showToast({ text: shared.saved(texts.name) });
        }}
      >
        <FormDraft subject={SUBJECT} fields={FIELDS} />
        <Field
          label={texts.name}
          name="name"
          autoComplete="name"
          defaultValue={me.user?.name}
          maxLength={1_000}
          required
        />
        <Field
          label={texts.email}
          name="email"
          value={me.user?.email ?? ''}
          hint={`${texts.emailHint} ${texts.role(me.role ?? '')}`}
          readOnly
        />
        <FormButtons action={shared.save} look="plain" />
      </Form>
    </Card>
  );
}
