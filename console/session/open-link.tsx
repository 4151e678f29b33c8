import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { plainApi } from '../api.ts';
import { Field, FormButtons } from '../parts/field.tsx';
import { Form, readPassword, readText } from '../parts/form.tsx';
import { Skeleton } from '../parts/states.tsx';
import { rememberSlug } from './known-accounts.ts';
import { useSignedIn } from './session.tsx';
import { SessionPage } from './session-page.tsx';
import { texts } from './texts.ts';

/** Takes the token out of the address bar, so that it stays in no history and no screenshot. */
function takeToken(): string {
  const token = location.hash.slice(1);
  history.replaceState(history.state, '', location.pathname);
  return token;
}

/** The page of a start link, an invitation or a reset link: says whose account it is, and asks for a password. */
export function OpenLink({ slug }: { slug: string }) {
  const [token] = useState(takeToken);
  const [, navigate] = useLocation();
  const setSignedIn = useSignedIn();
  const { data: link, isPending } = useQuery({
    queryKey: ['link', token],
    queryFn: async () => (await plainApi.POST('/links/open', { body: { token } })).data,
    retry: false,
    staleTime: Infinity,
  });

  async function accept(values?: FormData): Promise<void> {
    const email = values && readText(values, 'email');
    const name = values && readText(values, 'name');
    const { data } = await plainApi.POST('/links/accept', {
      body: {
        token,
        ...(values && { password: readPassword(values) }),
        ...(email && { email }),
        ...(name && { name }),
      },
      retries: 0,
    });
    rememberSlug(slug);
    setSignedIn(data);
    navigate('/', { replace: true });
  }

  if (isPending)
    return (
      <SessionPage title={texts.signIn}>
        <Skeleton />
      </SessionPage>
    );
  if (link === undefined)
    return (
      <SessionPage title={texts.linkGoneTitle}>
        <p>{texts.linkGone}</p>
      </SessionPage>
    );
  const { kind, account, email, name } = link;
  // The demo's start link has its owner already, and needs no password.
  const isDemo = kind === 'start' && email !== null;
  return (
    <SessionPage title={texts.linkTitle[kind](account.displayName)}>
      {email !== null && <p className="session-note">{texts.linkFor(email)}</p>}
      <Form onSubmit={(values) => accept(isDemo ? undefined : values)}>
        {kind === 'start' && !isDemo && (
          <>
            <Field label={texts.email} name="email" type="email" autoComplete="username" required />
            <Field label={texts.name} name="name" autoComplete="name" required />
          </>
        )}
        {kind === 'invite' && (
          <Field label={texts.name} name="name" autoComplete="name" defaultValue={name ?? ''} />
        )}
        {!isDemo && (
          <Field
            label={texts.password}
            name="password"
            type="password"
            autoComplete="new-password"
            hint={texts.passwordRule}
            minLength={12}
            required
          />
        )}
        <FormButtons act={isDemo ? texts.signIn : texts.go} />
      </Form>
    </SessionPage>
  );
}
