import { useLocation } from 'wouter';
import { SignInHelp } from './sign-in-help.tsx';
import { useSignedIn } from './session.tsx';
import { SessionPage } from './session-page.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { texts } from './texts.ts';

/** The sign-in page. It keeps the requested address, so that this page appears after the sign-in. */
export default function SignIn({ slug }: { slug: string }) {
  const setSignedIn = useSignedIn();
  const [path, navigate] = useLocation();
  return (
    <SessionPage title={texts.signInTitle(slug)}>
      <SignInForm
        slug={slug}
        onSignedIn={(me) => {
          setSignedIn(me);
          if (path === '/sign-in') navigate('/', { replace: true });
        }}
      />
      <SignInHelp slug={slug} />
    </SessionPage>
  );
}
