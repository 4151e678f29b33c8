import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { plainApi, ProblemError, type Me } from '../api.ts';
import { Button } from '../parts/button/button.tsx';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { FormButtons } from '../parts/form/field.tsx';
import { FieldError, Form, readPassword, readText } from '../parts/form/form.tsx';
import { lazyPart, PartError } from '../parts/page/lazy-part.tsx';
import { Skeleton } from '../parts/page/states.tsx';
import { texts as shared } from '../parts/text/texts.ts';
import { CodeField } from './code-field.tsx';
import { PasswordField } from './password-field.tsx';
import { questions } from './questions.ts';
import { readMe, useSession, useSignedIn } from './session.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { questionTexts } from './question-texts.ts';
import { texts } from './texts.ts';

/** Loaded on demand, because it includes the library for QR codes. */
const SetUp = lazyPart(() => import('../second-step/index.ts'), PartError, <Skeleton />);

/** The dialogs for which refused requests wait: sign in again, confirm the password, or set up the second step. */
export default function SessionDialogs({ slug }: { slug: string }) {
  const asked = useSyncExternalStore(questions.subscribe, questions.read);
  if (asked === undefined) return null;
  const { question, answer } = asked;
  if (question === 'sign-in') return <SignInAgain slug={slug} answer={answer} />;
  if (question === 'confirmation') return <Confirm answer={answer} />;
  return (
    <Dialog title={questionTexts.setUpTitle} isFirm onClose={() => answer(false)}>
      <p>{questionTexts.setUpExplain}</p>
      <SetUp onDone={() => answer(true)} />
    </Dialog>
  );
}

type Answer = (isAnswered: boolean) => void;

function SignInAgain({ slug, answer }: { slug: string; answer: Answer }) {
  const { me } = useSession();
  const setSignedIn = useSignedIn();
  const goOn = useCallback(
    (next: Me): void => {
      // Send the waiting requests only for the same person: they belong to the person before.
      const isSamePerson = next.actor.id === me.actor.id;
      setSignedIn(next);
      answer(isSamePerson);
      if (!isSamePerson) location.reload();
    },
    [me.actor.id, setSignedIn, answer],
  );
  const lookAgain = useCallback(async (): Promise<void> => {
    const next = await readMe().catch(() => null);
    if (next?.account.slug === slug) goOn(next);
  }, [slug, goOn]);
  useEffect(() => {
    // The person may have signed in in another tab, so look when the window gets the focus.
    const look = (): void => void lookAgain();
    addEventListener('focus', look);
    return () => removeEventListener('focus', look);
  }, [lookAgain]);
  const isDemo = me.session?.confirmedAt === null;
  return (
    <Dialog title={questionTexts.endedTitle} onClose={() => answer(false)}>
      <p>{isDemo ? questionTexts.demoEnded : questionTexts.endedExplain}</p>
      {isDemo && <Button onClick={() => void lookAgain()}>{questionTexts.otherTab}</Button>}
      <SignInForm slug={slug} email={me.user?.email} onSignedIn={goOn} />
    </Dialog>
  );
}

function Confirm({ answer }: { answer: Answer }) {
  const { me } = useSession();
  const hasCode = me.user?.secondStep === true;

  async function confirm(values: FormData): Promise<void> {
    const code = readText(values, 'code');
    try {
      await plainApi.POST('/me/confirm', {
        body: { password: readPassword(values), ...(code !== null && { code }) },
        retries: 0,
      });
    } catch (error) {
      if (!(error instanceof ProblemError) || error.code !== 'sign_in_failed') throw error;
      throw new FieldError(
        'password',
        hasCode ? questionTexts.confirmFailedWithCode : questionTexts.confirmFailed,
      );
    }
    answer(true);
  }

  return (
    <Dialog title={questionTexts.confirmTitle} onClose={() => answer(false)}>
      <p>{questionTexts.confirmExplain}</p>
      <Form label={questionTexts.confirmTitle} onSubmit={confirm}>
        <PasswordField autoComplete="current-password" autoFocus hint={texts.forgot} />
        {hasCode && <CodeField />}
        <FormButtons
          action={questionTexts.confirm}
          cancel={shared.cancel}
          onCancel={() => answer(false)}
        />
      </Form>
    </Dialog>
  );
}
