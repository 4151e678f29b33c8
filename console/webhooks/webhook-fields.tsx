import { useId, useState } from 'react';
import type { Webhook } from '../api.ts';
import { AreaField, CheckField, Field } from '../parts/form/field.tsx';
import { readText, useForm } from '../parts/form/form.tsx';
import { GROUP_NAMES, readTypes, sortTypes } from './types.ts';
import { texts } from './texts.ts';

/** The settings of a webhook that the form edits. */
export type WebhookSettings = Pick<
  Webhook,
  'url' | 'description' | 'types' | 'include' | 'bulk' | 'ordered'
>;

/** The names of the fields that a draft keeps. The headers of a new webhook are none of them: they may have a secret. */
export const KEPT_FIELDS = [
  'url',
  'description',
  'everything',
  'groups',
  'types',
  'object',
  'ordered',
  'each',
];

/** The fields of a new or an existing webhook. */
export function WebhookFields({ webhook }: { webhook?: WebhookSettings }) {
  return (
    <>
      <Field
        label={texts.url}
        name="url"
        type="url"
        hint={texts.urlHint}
        defaultValue={webhook?.url}
        maxLength={2_000}
        spellCheck={false}
        autoFocus
        required
      />
      <Field
        label={texts.description}
        name="description"
        hint={texts.descriptionHint}
        defaultValue={webhook?.description ?? ''}
        maxLength={1_000}
      />
      <TypeFields types={webhook?.types ?? []} />
      <details className="webhooks-more">
        <summary>{texts.more}</summary>
        <CheckField
          name="object"
          label={texts.object}
          hint={texts.objectHint}
          defaultChecked={webhook?.include.includes('object')}
        />
        <CheckField
          name="ordered"
          label={texts.ordered}
          hint={texts.orderedHint}
          defaultChecked={webhook?.ordered}
        />
        <CheckField
          name="each"
          label={texts.each}
          hint={texts.eachHint}
          defaultChecked={webhook?.bulk === 'each'}
        />
        {webhook === undefined && (
          <AreaField
            label={texts.headers}
            name="headers"
            hint={texts.headersHint}
            rows={2}
            spellCheck={false}
          />
        )}
      </details>
    </>
  );
}

function TypeFields({ types }: { types: WebhookSettings['types'] }) {
  const { errors } = useForm();
  const errorId = useId();
  const { groups, exact } = sortTypes(types);
  const [isEverything, setEverything] = useState(types.includes('*'));
  return (
    <fieldset className="form-choices" aria-describedby={errors['groups'] && errorId}>
      <legend>{texts.types}</legend>
      {errors['groups'] !== undefined && (
        <p className="field-error" id={errorId}>
          {errors['groups']}
        </p>
      )}
      <CheckField
        name="everything"
        label={texts.everything}
        checked={isEverything}
        onChange={({ target }) => setEverything(target.checked)}
      />
      {GROUP_NAMES.map((group) => (
        <CheckField
          key={group}
          name="groups"
          value={group}
          label={texts.groups[group]}
          hint={texts.groupHints[group]}
          disabled={isEverything}
          defaultChecked={groups.includes(group)}
        />
      ))}
      <details
        className="webhooks-more"
        open={exact.length > 0 || errors['types'] !== undefined || undefined}
      >
        <summary>{texts.exact}</summary>
        <AreaField
          label={texts.exactLabel}
          name="types"
          hint={texts.exactHint}
          rows={3}
          spellCheck={false}
          disabled={isEverything}
          defaultValue={exact.join('\n')}
        />
      </details>
    </fieldset>
  );
}

/** Reads the settings of the form. */
export function readSettings(values: FormData): WebhookSettings {
  return {
    url: readText(values, 'url') ?? '',
    description: readText(values, 'description'),
    types: readTypes(values),
    include: values.has('object') ? ['object'] : [],
    bulk: values.has('each') ? 'each' : 'summary',
    ordered: values.has('ordered'),
  };
}
