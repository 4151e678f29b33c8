import { useState } from 'react';
import { api, ProblemError } from '../api.ts';
import { Card } from '../parts/page/card.tsx';
import { Button } from '../parts/button/button.tsx';
import { FormButtons } from '../parts/form/field.tsx';
import { FieldError, Form, readPassword } from '../parts/form/form.tsx';
import { showToast } from '../parts/message/toast.tsx';
import { describeProblem } from '../parts/text/problem-texts.ts';
import { NewPasswordField, PasswordField } from '../session/password-field.tsx';
import { useReadAgain, useSession } from '../session/session.tsx';
import { texts } from './texts.ts';

async function changePassword(current: string, password: string): Promise<void> {
  try {
    await api.POST('/me/password', { body: { current, password }, retries: 0 });
  } catch (error) {
    const isWrong = error instanceof ProblemError && error.code === 'sign_in_failed';
    throw isWrong ? new FieldError('current', texts.currentWrong) : error;
  }
}

/** The form that changes the password. A change ends the other sessions. */
export function Password() {
  const { me } = useSession();
  const readAgain = useReadAgain();
  const [round, setRound] = useState(0);
  return (
    <Card title={texts.passwordTitle}>
      {me.session?.confirmedAt === null ? (
        <FirstPassword userId={me.user?.id ?? ''} />
      ) : (
        <Form
          key={round}
          label={texts.passwordTitle}
          onSubmit={async (values) => {
            await changePassword(readPassword(values, 'current'), readPassword(values));
            setRound(round + 1);
            showToast({ text: texts.passwordChanged });
            await readAgain();
          }}
        >
          <PasswordField label={texts.current} name="current" autoComplete="current-password" />
          <NewPasswordField label={texts.newPassword} />
          <FormButtons action={texts.change} look="plain" />
        </Form>
      )}
    </Card>
  );
}

/** The first password of the demo's owner, who has none to confirm: a reset link lets them choose one. */
function FirstPassword({ userId }: { userId: string }) {
  async function choose(): Promise<void> {
    try {
      const { data } = await api.POST('/users/{userId}/reset', {
        params: { path: { userId } },
        body: {},
      });
      location.assign(data.url);
    } catch (error) {
      showToast({ text: describeProblem(error), look: 'error' });
    }
  }
  return (
    <>
      <p className="soft">{texts.demoPassword}</p>
      <div>
        <Button onClick={() => void choose()}>{texts.choose}</Button>
      </div>
    </>
  );
}
