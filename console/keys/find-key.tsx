import { useState } from 'react';
import { api, ProblemError, type Key } from '../api.ts';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { Field, FormButtons } from '../parts/form/field.tsx';
import { FieldError, Form, readText } from '../parts/form/form.tsx';
import { Notice } from '../parts/message/notice.tsx';
import { formatShortDay, formatTime } from '../parts/text/format.ts';
import { describeScopes } from './scopes.ts';
import { texts } from './texts.ts';

async function findKey(text: string): Promise<Key> {
  try {
    return (await api.POST('/keys/find', { body: { key: text } })).data;
  } catch (error) {
    const isUnknown = error instanceof ProblemError && error.status === 404;
    throw isUnknown ? new FieldError('key', texts.notFound) : error;
  }
}

/** The dialog that says which key a pasted text is. */
export function FindKey({ onClose }: { onClose: () => void }) {
  const [found, setFound] = useState<{ apiKey: Key; lastFour: string }>();

  async function find(values: FormData): Promise<void> {
    setFound(undefined);
    const text = readText(values, 'key') ?? '';
    setFound({ apiKey: await findKey(text), lastFour: text.slice(-4) });
  }

  return (
    <Dialog title={texts.find} onClose={onClose}>
      <Form label={texts.find} onSubmit={find}>
        <Field
          label={texts.findLabel}
          name="key"
          hint={texts.findExplain}
          spellCheck={false}
          autoCapitalize="none"
          maxLength={1_000}
          autoFocus
          required
        />
        <div role="status">{found !== undefined && <Found {...found} />}</div>
        <FormButtons action={texts.findAction} />
      </Form>
    </Dialog>
  );
}

function Found({ apiKey, lastFour }: { apiKey: Key; lastFour: string }) {
  const { name, scopes, previous, createdBy, createdAt, revokedAt } = apiKey;
  const isOld = previous !== null && previous.lastFour === lastFour && apiKey.lastFour !== lastFour;
  return (
    <Notice title={texts.found(name)}>
      <p>{describeScopes(scopes)}</p>
      <p>{texts.created(createdBy.name, formatShortDay(createdAt))}</p>
      {revokedAt !== null && <p>{texts.revokedAt(formatShortDay(revokedAt))}</p>}
      {isOld && <p>{describeOld(previous.validUntil)}</p>}
    </Notice>
  );
}

const describeOld = (validUntil: string): string =>
  Date.parse(validUntil) > Date.now()
    ? texts.foundOld(formatTime(validUntil))
    : texts.foundOldEnded;
