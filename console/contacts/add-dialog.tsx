import { useLocation } from 'wouter';
import { api, ProblemError } from '../api.ts';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { SOURCES } from '../parts/domain/contact-choices.ts';
import { AreaField, EMAIL_INPUT, Field, FormButtons, SelectField } from '../parts/form/field.tsx';
import { FieldError, Form, readText } from '../parts/form/form.tsx';
import { useProjects, useUsers } from '../parts/domain/names.ts';
import { FormDraft } from '../parts/draft/form-draft.tsx';
import { showToast } from '../parts/message/toast.tsx';
import { texts as shared } from '../parts/text/texts.ts';
import { useSession } from '../session/session.tsx';
import { addTexts as texts } from './dialog-texts.ts';
import { texts as pageTexts } from './texts.ts';
import { readContacts } from './rows.ts';

const FIELDS = [
  'firstName',
  'lastName',
  'email',
  'phone',
  'source',
  'projectId',
  'assignedAccountUserId',
  'notes',
] as const;

/** The dialog that adds one contact. When a contact has the email already, it opens that contact and changes nothing. */
export default function AddDialog({ onClose }: { onClose: () => void }) {
  const { me, userId, can } = useSession();
  const [, navigate] = useLocation();
  const users = useUsers();
  const projects = useProjects().filter(({ publication }) => publication === 'live');
  // An agent can choose only themselves. That must not wait for the list of people: until it has loaded, the choice would be Nobody.
  const people = me.role === 'agent' && me.user ? [me.user] : users.filter(({ active }) => active);
  async function add(values: FormData): Promise<void> {
    const email = readText(values, 'email') ?? '';
    const id = await create(values);
    const found = id ?? (await findByEmail(email));
    if (found === undefined) throw new FieldError('email', texts.hidden);
    onClose();
    showToast({ text: id === undefined ? texts.known : texts.added });
    navigate(`/contacts/${found}`);
  }
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <Form onSubmit={add}>
        <FormDraft subject="new-contact" fields={FIELDS} />
        <Field label={texts.firstName} name="firstName" maxLength={1000} autoFocus />
        <Field label={texts.lastName} name="lastName" maxLength={1000} />
        <Field label={texts.email} name="email" {...EMAIL_INPUT} required maxLength={254} />
        <Field label={texts.phone} name="phone" type="tel" maxLength={1000} />
        <SelectField label={texts.source} name="source" defaultValue="Other">
          {SOURCES.map((source) => (
            <option key={source}>{source}</option>
          ))}
        </SelectField>
        {can('projects:read') && (
          <SelectField label={texts.project} name="projectId">
            <option value="">{texts.noProject}</option>
            {projects.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
        )}
        <SelectField
          label={texts.assignedTo}
          name="assignedAccountUserId"
          defaultValue={me.role === 'agent' ? userId : ''}
        >
          <option value="">{pageTexts.nobody}</option>
          {people.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <AreaField label={texts.notes} name="notes" />
        <FormButtons action={texts.action} onCancel={onClose} cancel={shared.cancel} />
      </Form>
    </Dialog>
  );
}

/** Creates the contact and returns its id; undefined when a contact has the email already. */
async function create(values: FormData): Promise<string | undefined> {
  const entries = FIELDS.map((name) => [name, readText(values, name)]);
  const body = Object.fromEntries(entries.filter(([, value]) => value !== null)) as {
    email: string;
  };
  try {
    const header = { 'If-None-Match': '*' };
    // The import log keeps each refused lead until it is settled. A slip in the form is corrected here, so the dry run finds it.
    await api.POST('/contacts', { params: { header, query: { dryRun: 'true' } }, body });
    const { data } = await api.POST('/contacts', { params: { header }, body });
    return data.contactId;
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'precondition_failed') return undefined;
    throw error;
  }
}

async function findByEmail(email: string): Promise<string | undefined> {
  // The service takes the address out of "Ana <ana@example.com>".
  const [wanted] = /[^\s<:]+@[^\s>]+/.exec(email.toLowerCase()) ?? [email];
  const { data } = await readContacts({ q: wanted, archived: 'any', limit: 100 });
  return data.find((each) => each.email.toLowerCase() === wanted)?.id;
}
