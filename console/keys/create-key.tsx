import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { api, type Scope } from '../api.ts';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { Field, FormButtons } from '../parts/form/field.tsx';
import { FieldError, Form, readText } from '../parts/form/form.tsx';
import { FormDraft } from '../parts/draft/form-draft.tsx';
import { texts as shared } from '../parts/text/texts.ts';
import { keepOpenFor, showOnce, unlessSending } from '../parts/dialog/once.tsx';
import { ExpiryField, KEPT_FIELDS, LimitFields, useExpiry, readLimits } from './key-fields.tsx';
import { KeyOnce } from './key-once.tsx';
import { ScopeFields } from './scope-fields.tsx';
import { PRESETS, type Preset } from './scopes.ts';
import { texts } from './texts.ts';

const NAMES = Object.keys(PRESETS) as Preset[];

/** The dialog that creates an API key, then shows the key's text. */
export function CreateKey({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const [preset, setPreset] = useState<Preset>('reads');
  const { readExpiry } = useExpiry();
  const id = useId();
  const close = unlessSending(onClose);

  async function create(values: FormData): Promise<void> {
    const scopes: readonly Scope[] =
      preset === 'own' ? (values.getAll('scopes') as Scope[]) : PRESETS[preset];
    if (scopes.length === 0) throw new FieldError('scopes', texts.scopeMissing);
    const { data } = await keepOpenFor(
      api.POST('/keys', {
        body: {
          name: readText(values, 'name') ?? '',
          scopes: [...scopes],
          expiresAt: readExpiry(values),
          rateLimits: readLimits(values),
        },
      }),
    );
    onClose();
    showOnce((closeOnce) => <KeyOnce made={data} onClose={closeOnce} />);
    await queries.invalidateQueries({ queryKey: ['key'] });
  }

  return (
    <Dialog title={texts.add} onClose={close}>
      <Form label={texts.add} onSubmit={create}>
        <FormDraft subject="new-key" fields={KEPT_FIELDS} />
        <Field
          label={texts.name}
          name="name"
          hint={texts.nameHint}
          maxLength={1_000}
          autoFocus
          required
        />
        <fieldset className="form-choices">
          <legend>{texts.preset}</legend>
          {NAMES.map((name) => (
            <div key={name} className="field-check">
              <input
                type="radio"
                name="preset"
                value={name}
                id={`${id}-${name}`}
                aria-describedby={`${id}-${name}-hint`}
                checked={preset === name}
                onChange={() => setPreset(name)}
              />
              <label htmlFor={`${id}-${name}`}>{texts.presets[name]}</label>
              <p className="field-hint" id={`${id}-${name}-hint`}>
                {texts.presetHints[name]}
              </p>
            </div>
          ))}
        </fieldset>
        {preset === 'own' && <ScopeFields />}
        <ExpiryField />
        <LimitFields />
        <FormButtons action={texts.addAction} cancel={shared.cancel} onCancel={close} />
      </Form>
    </Dialog>
  );
}
