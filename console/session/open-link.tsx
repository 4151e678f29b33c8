import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { plainApi, ProblemError } from '../api.ts';
import { EMAIL_INPUT, Field, FormButtons } from '../parts/form/field.tsx';
import { Form, readPassword, readText } from '../parts/form/form.tsx';
import { LoadError, Skeleton } from '../parts/page/states.tsx';
import { formatTime } from '../parts/text/format.ts';
import { NewPasswordField } from './password-field.tsx';
import { useSignedIn } from './session.tsx';
import { SessionPage } from './session-page.tsx';
import { linkTexts, type LinkKind } from './link-texts.ts';
import { texts } from './texts.ts';

/**
 * Moves the token from the address bar, which screenshots and the browser's history show, to the state of the page's history
 * entry: there a reload finds it, and so does React, which may render a page twice at first.
 */
function takeToken(): string {
  if (location.hash !== '') history.replaceState(location.hash.slice(1), '', location.pathname);
  const token: unknown = history.state;
  return typeof token === 'string' ? token : '';
}

/** Loads the page again when another link is pasted into the address bar: only the part after the # differs. */
function openPastedLink(): () => void {
  const reload = (): void => location.reload();
  addEventListener('hashchange', reload);
  return () => removeEventListener('hashchange', reload);
}

async function openLink(token: string) {
  const { data } = await plainApi.POST('/links/open', { body: { token }, retries: 0 });
  return data;
}

const isGone = (error: unknown): boolean =>
  error instanceof ProblemError && error.code === 'link_not_valid';

/** The page of a start link, an invitation or a reset link. It shows the account, and asks for a new password. */
export default function OpenLink({ slug }: { slug: string }) {
  const [path, navigate] = useLocation();
  const [token] = useState(takeToken);
  const setSignedIn = useSignedIn();
  useEffect(openPastedLink, []);
  const {
    data: link,
    error,
    refetch,
  } = useQuery({
    queryKey: ['link', token],
    queryFn: () => openLink(token),
    retry: false,
    staleTime: Infinity,
  });
  const [isUsed, setUsed] = useState(false);

  async function accept(values?: FormData): Promise<void> {
    const email = values && readText(values, 'email');
    const name = values && readText(values, 'name');
    try {
      const { data } = await plainApi.POST('/links/accept', {
        body: {
          token,
          ...(values && { password: readPassword(values) }),
          ...(email && { email }),
          ...(name && { name }),
        },
        retries: 0,
      });
      setSignedIn(data);
      navigate('/', { replace: true });
    } catch (refusal) {
      if (!isGone(refusal)) throw refusal;
      setUsed(true);
    }
  }

  if (isUsed || isGone(error)) return <LinkGone kind={path.slice(1) as LinkKind} slug={slug} />;
  if (link === undefined)
    return (
      <SessionPage title={linkTexts.opening}>
        {error === null ? <Skeleton /> : <LoadError error={error} onRetry={() => void refetch()} />}
      </SessionPage>
    );
  const { kind, account, email, name, expiresAt } = link;
  // The start link of the demo names its owner, who needs no password.
  const isDemo = kind === 'start' && email !== null;
  // A person who was invited without a name has their email as one.
  const isUnnamed = email === null || (kind === 'invite' && name === email);
  return (
    <SessionPage title={linkTexts.title[kind](account.displayName)}>
      {email !== null && <p className="soft">{linkTexts.whose(name ?? email, email)}</p>}
      <Form onSubmit={(values) => accept(isDemo ? undefined : values)}>
        {isUnnamed && <Field label={linkTexts.name} name="name" autoComplete="name" required />}
        {email === null ? (
          <Field
            label={texts.email}
            name="email"
            {...EMAIL_INPUT}
            autoComplete="username"
            required
          />
        ) : (
          // Password managers store the password with this email.
          <input
            type="email"
            autoComplete="username"
            value={email}
            readOnly
            tabIndex={-1}
            aria-hidden="true"
            className="hidden-text"
          />
        )}
        {!isDemo && <NewPasswordField />}
        <FormButtons action={isDemo ? texts.signIn : linkTexts.action[kind]} />
      </Form>
      <p className="soft">{linkTexts.until(formatTime(expiresAt))}</p>
    </SessionPage>
  );
}

/** The message for a used or expired link. It says who can make a new one. */
function LinkGone({ kind, slug }: { kind: LinkKind; slug: string }) {
  return (
    <SessionPage title={linkTexts.goneTitle}>
      <p>{linkTexts.gone[kind]}</p>
      {kind === 'start' && <pre>{texts.noOwnerCommand(slug)}</pre>}
      <p>
        <Link href="/sign-in">{linkTexts.signIn}</Link>
      </p>
    </SessionPage>
  );
}
