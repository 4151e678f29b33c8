import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ifMatch, type Key } from '../api.ts';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { useEdits } from '../parts/edit/edit.ts';
import { Field, FormButtons } from '../parts/form/field.tsx';
import { Form, readText } from '../parts/form/form.tsx';
import { FormDraft, useSeen } from '../parts/draft/form-draft.tsx';
import { texts as shared } from '../parts/text/texts.ts';
import { ExpiryField, KEPT_FIELDS, LimitFields, readLimits, useExpiry } from './key-fields.tsx';
import { describeLimits } from './limits.ts';
import { texts } from './texts.ts';

type KeyChange = Partial<Pick<Key, 'name' | 'expiresAt' | 'rateLimits'>>;
const FIELDS = ['name', 'expiresAt', 'rateLimits'] as const;
const LABELS = { name: texts.name, expiresAt: texts.expires, rateLimits: texts.limits };

/** The dialog that changes the name, the expiry and the limits of a key. Its scopes never change. */
export function EditKey({ apiKey: latest, onClose }: { apiKey: Key; onClose: () => void }) {
  const queries = useQueryClient();
  const subject = `key:${latest.id}`;
  const apiKey = useSeen(subject, latest);
  const { showDay, readExpiry } = useExpiry();
  const queryKey = ['key', 'edited', apiKey.id];
  // Put the row of the table into the cache, so that the edit has the version that the person saw.
  useState(() => queries.setQueryData(queryKey, apiKey));

  const show = (field: (typeof FIELDS)[number], value: KeyChange): string => {
    if (field === 'name') return value.name ?? '';
    return field === 'expiresAt'
      ? showDay(value.expiresAt ?? null)
      : describeLimits(value.rateLimits);
  };
  const save = useEdits<Key, KeyChange>({
    queryKey,
    send: async (change, etag) => {
      const { data } = await api.PATCH('/keys/{keyId}', {
        params: { path: { keyId: apiKey.id } },
        headers: ifMatch(etag),
        body: change,
      });
      return data;
    },
    describe: () => apiKey.name,
    explain: (change, current) =>
      FIELDS.filter((field) => field in change).map((field) => ({
        label: LABELS[field],
        theirs: show(field, current),
        mine: show(field, change),
      })),
    onChange: () => void queries.invalidateQueries({ queryKey: ['key', 'all'] }),
  });

  async function submit(values: FormData): Promise<void> {
    const expiresAt = readExpiry(values);
    const typed: KeyChange = {
      name: readText(values, 'name') ?? '',
      // The form shows days only, so keep the exact instant unless the person chose another day.
      expiresAt: showDay(expiresAt) === showDay(apiKey.expiresAt) ? apiKey.expiresAt : expiresAt,
      rateLimits: readLimits(values),
    };
    const changed = FIELDS.filter((field) => show(field, typed) !== show(field, apiKey));
    if (changed.length > 0)
      await save(Object.fromEntries(changed.map((field) => [field, typed[field]])), apiKey);
    onClose();
  }

  return (
    <Dialog title={texts.editTitle(apiKey.name)} onClose={onClose}>
      <Form label={texts.editTitle(apiKey.name)} onSubmit={submit}>
        <FormDraft subject={subject} fields={KEPT_FIELDS} seen={apiKey} />
        <Field
          label={texts.name}
          name="name"
          defaultValue={apiKey.name}
          maxLength={1_000}
          required
        />
        <ExpiryField expiresAt={apiKey.expiresAt} />
        <LimitFields limits={apiKey.rateLimits} />
        <FormButtons action={shared.save} cancel={shared.cancel} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
