import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ifMatch, type Webhook } from '../api.ts';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { createEdits } from '../parts/edit/edit.ts';
import { AreaField, CheckField, FormButtons } from '../parts/form/field.tsx';
import { Form } from '../parts/form/form.tsx';
import { texts as shared } from '../parts/text/texts.ts';
import { readHeaders } from './headers.ts';
import { nameWebhook } from './queries.ts';
import { texts } from './texts.ts';

type Names = Pick<Webhook, 'headerNames'>;

/** The dialog that removes, replaces and adds headers of the requests. It cannot show their stored values. */
export function EditHeaders({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const title = texts.headersTitle(nameWebhook(webhook));
  const save = useSaveHeaders(webhook);

  async function submit(values: FormData): Promise<void> {
    const added = readHeaders(values);
    const removed = values.getAll('remove').filter((name) => typeof name === 'string');
    const changes = { ...Object.fromEntries(removed.map((name) => [name, null])), ...added };
    if (Object.keys(changes).length > 0) await save(changes);
    onClose();
  }

  return (
    <Dialog title={title} onClose={onClose}>
      <Form label={title} onSubmit={submit}>
        {webhook.headerNames.length === 0 ? (
          <p>{texts.noHeaders}</p>
        ) : (
          <fieldset className="form-choices">
            <legend>{texts.headersNow}</legend>
            {webhook.headerNames.map((name) => (
              <CheckField key={name} name="remove" value={name} label={texts.removeHeader(name)} />
            ))}
          </fieldset>
        )}
        <AreaField
          label={texts.headersNew}
          name="headers"
          hint={texts.headersNewHint}
          rows={3}
          spellCheck={false}
        />
        <FormButtons action={shared.save} cancel={shared.cancel} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

/** Returns a function that saves changes of headers: by name, the new value, or null to remove the header. */
function useSaveHeaders(webhook: Webhook) {
  const queries = useQueryClient();
  const queryKey = ['webhook', 'headers', webhook.id];
  // Put the row of the table into the cache, so that the edit has the version that the person saw.
  useState(() => queries.setQueryData(queryKey, webhook));
  const params = { path: { webhookId: webhook.id } };
  return async (headers: Record<string, string | null>): Promise<void> => {
    const save = createEdits<Webhook, Names>(queries, {
      queryKey,
      send: async (_names, etag) => {
        const body = { headers };
        return (await api.PATCH('/webhooks/{webhookId}', { params, headers: ifMatch(etag), body }))
          .data;
      },
      describe: () => nameWebhook(webhook),
      explain: ({ headerNames }, current) => [
        {
          label: texts.headers,
          theirs: current.headerNames.join(', '),
          mine: headerNames.join(', '),
        },
      ],
      onChange: () => void queries.invalidateQueries({ queryKey: ['webhook', 'all'] }),
      canUndo: false,
    });
    await save({ headerNames: mergeNames(webhook.headerNames, headers) }, webhook);
  };
}

/** Lists the names of the headers after a change. Case does not matter in names. */
function mergeNames(names: string[], changes: Record<string, string | null>): string[] {
  const changed = new Set(Object.keys(changes).map((name) => name.toLowerCase()));
  const kept = names.filter((name) => !changed.has(name.toLowerCase()));
  return [...kept, ...Object.keys(changes).filter((name) => changes[name] !== null)];
}
