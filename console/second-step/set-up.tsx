import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ProblemError } from '../api.ts';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { CopyText } from '../parts/form/copy-text.tsx';
import { Field, FormButtons } from '../parts/form/field.tsx';
import { FieldError, Form, readText } from '../parts/form/form.tsx';
import { LoadError, Skeleton } from '../parts/page/states.tsx';
import { texts as shared } from '../parts/text/texts.ts';
import { keepOpenFor, showOnce } from '../parts/dialog/once.tsx';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { texts } from './texts.ts';
import './second-step.css';

const beginSecondStep = async () => (await api.POST('/me/second-step', {})).data;

async function turnOn(code: string): Promise<string[]> {
  try {
    const { data } = await api.POST('/me/second-step/confirm', { body: { code }, retries: 0 });
    return data.recoveryCodes;
  } catch (error) {
    const isWrong = error instanceof ProblemError && error.code === 'sign_in_failed';
    throw isWrong ? new FieldError('code', texts.codeWrong) : error;
  }
}

/**
 * The steps that turn the second step on: scan the secret with an app, type a code of the app, save the recovery codes. A person who
 * may cancel may also go to another page, so the codes wait for them in a dialog.
 */
export function SetUp({ onDone, onCancel }: { onDone: () => void; onCancel?: () => void }) {
  const [codes, setCodes] = useState<string[]>();
  const {
    data: begun,
    error,
    refetch,
  } = useQuery({
    queryKey: ['second-step'],
    queryFn: beginSecondStep,
    // Never refetch, also when all data is read again after a gap in the events: each request makes a new secret.
    staleTime: 'static',
    gcTime: 0,
    retry: false,
  });
  if (codes !== undefined) return <RecoveryCodes codes={codes} onDone={onDone} />;
  if (error !== null) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (begun === undefined) return <Skeleton />;
  const { secret, url } = begun;

  async function confirm(values: FormData): Promise<void> {
    const code = (readText(values, 'code') ?? '').replaceAll(/\s/g, '');
    const made = await keepOpenFor(turnOn(code));
    if (onCancel === undefined) return setCodes(made);
    onDone();
    showOnce((close) => (
      <Dialog title={texts.codes} isFirm onClose={close}>
        <RecoveryCodes codes={made} onDone={close} />
      </Dialog>
    ));
  }

  return (
    <div className="second-step">
      <p ref={takeFocus} tabIndex={-1}>
        {texts.scan}
      </p>
      <QrCode text={url} label={texts.qr} />
      <CopyText label={texts.secret} text={secret.replaceAll(/.{4}(?=.)/g, '$& ')} />
      <Form onSubmit={confirm}>
        <Field
          label={texts.code}
          name="code"
          hint={texts.codeHint}
          autoComplete="one-time-code"
          inputMode="numeric"
          required
        />
        <FormButtons
          action={texts.on}
          {...(onCancel !== undefined && { cancel: shared.cancel, onCancel })}
        />
      </Form>
    </div>
  );
}

/** Focuses the first step when the button that opened the steps had the focus, and is no longer in the page. */
function takeFocus(element: HTMLElement | null): void {
  if (document.activeElement === document.body) element?.focus();
}
