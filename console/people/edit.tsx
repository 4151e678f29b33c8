import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ifMatch, type User } from '../api.ts';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { useEdits } from '../parts/edit/edit.ts';
import { EMAIL_INPUT, Field, FormButtons } from '../parts/form/field.tsx';
import { Form, readText } from '../parts/form/form.tsx';
import { FormDraft, useSeen } from '../parts/draft/form-draft.tsx';
import { texts as shared } from '../parts/text/texts.ts';
import { readRole, RoleField } from './role-field.tsx';
import { texts } from './texts.ts';

type PersonChange = Partial<Pick<User, 'name' | 'email' | 'role'>>;
const FIELDS = ['name', 'email', 'role'] as const;

const show = (field: (typeof FIELDS)[number], value: PersonChange): string =>
  field === 'role'
    ? value.role === undefined
      ? ''
      : texts.roles[value.role]
    : (value[field] ?? '');

/** The dialog that changes the name, the email and the role of a person. */
export function Edit({ person: latest, onClose }: { person: User; onClose: () => void }) {
  const queries = useQueryClient();
  const subject = `person:${latest.id}`;
  const person = useSeen(subject, latest);
  const queryKey = ['user', 'edited', person.id];
  // Put the row of the table into the cache, so that the edit has the version that the person saw.
  useState(() => queries.setQueryData(queryKey, person));
  const save = useEdits<User, PersonChange>({
    queryKey,
    send: async (change, etag) => {
      const { data } = await api.PATCH('/users/{userId}', {
        params: { path: { userId: person.id } },
        headers: ifMatch(etag),
        body: change,
      });
      return data;
    },
    describe: () => person.name,
    explain: (change, current) =>
      FIELDS.filter((field) => field in change).map((field) => ({
        label: texts[field],
        theirs: show(field, current),
        mine: show(field, change),
      })),
    onChange: () => void queries.invalidateQueries({ queryKey: ['user', 'all'] }),
  });

  async function submit(values: FormData): Promise<void> {
    const typed: PersonChange = {
      name: readText(values, 'name') ?? '',
      email: readText(values, 'email') ?? '',
      role: readRole(values),
    };
    const changed = FIELDS.filter((field) => typed[field] !== person[field]);
    if (changed.length > 0)
      await save(Object.fromEntries(changed.map((field) => [field, typed[field]])), person);
    onClose();
  }

  return (
    <Dialog title={texts.editTitle(person.name)} onClose={onClose}>
      <Form label={texts.editTitle(person.name)} onSubmit={submit}>
        <FormDraft subject={subject} fields={FIELDS} seen={person} />
        <Field
          label={texts.name}
          name="name"
          defaultValue={person.name}
          maxLength={1_000}
          required
        />
        <Field
          label={texts.email}
          name="email"
          {...EMAIL_INPUT}
          defaultValue={person.email}
          hint={texts.emailHint}
          required
        />
        <RoleField role={person.role} />
        <FormButtons action={shared.save} cancel={shared.cancel} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
