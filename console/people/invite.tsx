import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api.ts';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { EMAIL_INPUT, Field, FormButtons } from '../parts/form/field.tsx';
import { Form, readText } from '../parts/form/form.tsx';
import { FormDraft } from '../parts/draft/form-draft.tsx';
import { texts as shared } from '../parts/text/texts.ts';
import { keepOpenFor, showOnce, unlessSending } from '../parts/dialog/once.tsx';
import { LinkOnce } from './link-once.tsx';
import { readRole, RoleField } from './role-field.tsx';
import { texts } from './texts.ts';

const FIELDS = ['name', 'email', 'role'];

/** The dialog that adds a person, then shows the link to send them. */
export function Invite({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const close = unlessSending(onClose);

  async function invite(values: FormData): Promise<void> {
    const name = readText(values, 'name') ?? '';
    const email = readText(values, 'email') ?? '';
    const { data } = await keepOpenFor(
      api.POST('/users', { body: { name, email, role: readRole(values) } }),
    );
    onClose();
    showOnce((closeOnce) => (
      <LinkOnce
        title={texts.invitationFor(name)}
        name={name}
        link={data.invitation}
        onClose={closeOnce}
      />
    ));
    await queries.invalidateQueries({ queryKey: ['user'] });
  }

  return (
    <Dialog title={texts.invite} onClose={close}>
      <p className="soft">{texts.inviteExplain}</p>
      <Form label={texts.invite} onSubmit={invite}>
        <FormDraft subject="new-person" fields={FIELDS} />
        <Field label={texts.name} name="name" maxLength={1_000} autoFocus required />
        <Field label={texts.email} name="email" {...EMAIL_INPUT} required />
        <RoleField />
        <FormButtons action={texts.inviteAction} cancel={shared.cancel} onCancel={close} />
      </Form>
    </Dialog>
  );
}
