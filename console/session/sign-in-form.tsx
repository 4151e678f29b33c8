import { useState } from 'react';
import { plainApi, ProblemError, type Me } from '../api.ts';
import { EMAIL_INPUT, Field, FormButtons } from '../parts/form/field.tsx';
import { Form, readPassword, readText } from '../parts/form/form.tsx';
import { CodeField } from './code-field.tsx';
import { PasswordField } from './password-field.tsx';
import { texts } from './texts.ts';

/** Asks for email and password, and for the code once the service wants one. */
export function SignInForm({
  slug,
  email,
  onSignedIn,
}: {
  slug: string;
  /** The email of the person whose session has ended. */
  email?: string | undefined;
  onSignedIn: (me: Me) => void;
}) {
  const [needsCode, setNeedsCode] = useState(false);

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
    <Form label={texts.signIn} onSubmit={signIn}>
      <Field
        label={texts.email}
        name="email"
        {...EMAIL_INPUT}
        autoComplete="username"
        defaultValue={email}
        required
      />
      <PasswordField
        autoComplete="current-password"
        autoFocus={email !== undefined}
        data-initial-focus={email === undefined ? undefined : ''}
      />
      {needsCode && <CodeField />}
      <FormButtons action={texts.signIn} />
    </Form>
  );
}
