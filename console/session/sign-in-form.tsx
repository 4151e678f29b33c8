import { useState } from 'react';
import { plainApi, ProblemError, type Me } from '../api.ts';
import { Field, FormButtons, CheckField } from '../parts/field.tsx';
import { Form, readPassword, readText } from '../parts/form.tsx';
import { texts } from './texts.ts';

/** Asks for email and password, and for the code once the service wants one. */
export function SignInForm({
  slug,
  email,
  onSignedIn,
}: {
  slug: string;
  /** Known when a session has ended. */
  email?: string | undefined;
  onSignedIn: (me: Me) => void;
}) {
  const [needsCode, setNeedsCode] = useState(false);
  const [isShown, setShown] = useState(false);

  async function signIn(values: FormData): Promise<void> {
    const code = readText(values, 'code');
    try {
      const { data } = await plainApi.POST('/sign-in', {
        body: {
          account: slug,
          email: readText(values, 'email') ?? '',
          password: readPassword(values),
          ...(code !== null && { code }),
        },
        retries: 0,
      });
      onSignedIn(data);
    } catch (error) {
      if (!(error instanceof ProblemError) || error.code !== 'second_step_required') throw error;
      setNeedsCode(true);
    }
  }

  return (
    <Form onSubmit={signIn}>
      <Field
        label={texts.email}
        name="email"
        type="email"
        autoComplete="username"
        defaultValue={email}
        required
      />
      <Field
        label={texts.password}
        name="password"
        type={isShown ? 'text' : 'password'}
        autoComplete="current-password"
        required
      />
      <CheckField
        label={texts.show}
        checked={isShown}
        onChange={(event) => setShown(event.target.checked)}
      />
      {needsCode && (
        <Field
          label={texts.code}
          name="code"
          hint={texts.codeHint}
          autoComplete="one-time-code"
          autoFocus
          required
        />
      )}
      <FormButtons act={texts.signIn} />
    </Form>
  );
}
