import { useSyncExternalStore } from 'react';
import { plainApi } from '../api.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Field, FormButtons } from '../parts/field.tsx';
import { Form, readPassword, readText } from '../parts/form.tsx';
import { texts as shared } from '../parts/texts.ts';
import { questions } from './questions.ts';
import { useSession, useSignedIn } from './session.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { texts } from './texts.ts';

/** The dialogs over the page that a refused request waits for: sign in again, or confirm the password. */
export function SessionDialogs({ slug }: { slug: string }) {
  const asked = useSyncExternalStore(questions.subscribe, questions.read);
  const { me } = useSession();
  const setSignedIn = useSignedIn();
  if (asked === undefined) return null;
  const { question, answer } = asked;

  async function confirm(values: FormData): Promise<void> {
    const code = readText(values, 'code');
    await plainApi.POST('/me/confirm', {
      body: { password: readPassword(values), ...(code !== null && { code }) },
      retries: 0,
    });
    answer(true);
  }

  if (question === 'sign-in')
    return (
      <Dialog title={texts.endedTitle} onClose={() => answer(false)}>
        <p>{texts.endedExplain}</p>
        <SignInForm
          slug={slug}
          email={me.user?.email}
          onSignedIn={(next) => {
            setSignedIn(next);
            answer(true);
          }}
        />
      </Dialog>
    );
  return (
    <Dialog title={texts.confirmTitle} onClose={() => answer(false)}>
      <p>{texts.confirmExplain}</p>
      <Form onSubmit={confirm}>
        <Field
          label={texts.password}
          name="password"
          type="password"
          autoComplete="current-password"
          autoFocus
          required
        />
        {me.user?.secondStep === true && (
          <Field
            label={texts.code}
            name="code"
            hint={texts.codeHint}
            autoComplete="one-time-code"
            required
          />
        )}
        <FormButtons act={texts.confirm} cancel={shared.cancel} onCancel={() => answer(false)} />
      </Form>
    </Dialog>
  );
}
