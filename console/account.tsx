import { lazy, Suspense, useState } from 'react';
import { Route, Switch } from 'wouter';
import { LiveProvider } from './live/live-provider.tsx';
import {
  ErrorBoundary,
  NoPermission,
  NotFound,
  PageError,
  PageSkeleton,
} from './parts/page-states.tsx';
import { PAGES, type PageEntry } from './pages.ts';
import { SecondStepPage } from './session/second-step-page.tsx';
import { SessionDialogs } from './session/session-dialogs.tsx';
import { SessionProvider, useMaybeMe, can } from './session/session.tsx';
import { SIGN_IN_PAGES } from './session/pages.ts';
import { SignIn } from './session/sign-in.tsx';
import type { Me } from './api.ts';

/** Loaded apart, so that the sign-in needs less. */
const Frame = lazy(() => import('./frame/index.ts'));

/** Everything below `/a/<slug>`: the pages for signing in, and the pages of a signed-in person. */
export function Account({ slug }: { slug: string }) {
  return (
    <Suspense fallback={<PageSkeleton />}>
      <Switch>
        {SIGN_IN_PAGES.map(({ path, Page }) => (
          <Route key={path} path={path}>
            <Page slug={slug} />
          </Route>
        ))}
        <Route>
          <SignedIn slug={slug} />
        </Route>
      </Switch>
    </Suspense>
  );
}

function SignedIn({ slug }: { slug: string }) {
  const { data: me, error, refetch } = useMaybeMe();
  if (error !== null) return <PageError error={error} onRetry={() => void refetch()} />;
  if (me === undefined) return <PageSkeleton />;
  if (me === null || me.account.slug !== slug) return <SignIn slug={slug} />;
  return <SignedInAs key={me.actor.id} me={me} slug={slug} />;
}

function SignedInAs({ me, slug }: { me: Me; slug: string }) {
  // A page that is open stays when the account begins to ask for a second step: a dialog sets it up.
  const [isSettingUp, setSettingUp] = useState(me.session?.needsSecondStep === true);
  if (isSettingUp)
    return (
      <SessionProvider me={me}>
        <SecondStepPage onDone={() => setSettingUp(false)} />
        <SessionDialogs slug={slug} />
      </SessionProvider>
    );
  return (
    <SessionProvider me={me}>
      <LiveProvider>
        <Frame>
          <Pages me={me} />
        </Frame>
        <SessionDialogs slug={slug} />
      </LiveProvider>
    </SessionProvider>
  );
}

function Pages({ me }: { me: Me }) {
  return (
    <Switch>
      {PAGES.map((page) => (
        <Route key={page.path} path={page.path}>
          {(params: Record<string, string | undefined>) => (
            // Another contact is another page: its state and its focus start anew.
            <ErrorBoundary key={params['id']}>
              <Suspense fallback={<PageSkeleton />}>
                <AllowedPage page={page} me={me} id={params['id'] ?? ''} />
              </Suspense>
            </ErrorBoundary>
          )}
        </Route>
      ))}
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}

function AllowedPage({ page, me, id }: { page: PageEntry; me: Me; id: string }) {
  const { Page, scope } = page;
  if (scope !== undefined && !can(me, scope)) return <NoPermission title={page.title} />;
  return <Page id={id} />;
}
