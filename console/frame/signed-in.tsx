import { useState } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import type { Me } from '../api.ts';
import { LiveProvider } from '../live/live-provider.tsx';
import { PAGES, type PageEntry } from '../pages.ts';
import { Conflicts } from '../parts/edit/conflicts.tsx';
import { ErrorBoundary, lazyPage, NoPermission, NotFound } from '../parts/page/page-states.tsx';
import { SessionQuestions } from '../session/session-questions.tsx';
import { SessionProvider, can } from '../session/session.tsx';
import { Frame } from './frame.tsx';

const SecondStepPage = lazyPage(() => import('../session/second-step-page.tsx'));

/** The pages of a signed-in person, and the dialogs over them. */
export function SignedIn({ me, slug }: { me: Me; slug: string }) {
  // Read this once: when the account begins to demand a second step, the open page stays, and a dialog sets it up.
  const [isSettingUp, setSettingUp] = useState(me.session?.needsSecondStep === true);
  if (isSettingUp)
    return (
      <SessionProvider me={me}>
        <SecondStepPage onDone={() => setSettingUp(false)} />
        <SessionQuestions slug={slug} />
      </SessionProvider>
    );
  return (
    <SessionProvider me={me}>
      <LiveProvider>
        <Frame>
          <Pages me={me} />
        </Frame>
        <SessionQuestions slug={slug} />
        <Conflicts />
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
            // The key makes each contact a new page, with new state and focus.
            <ErrorBoundary key={params['id']}>
              <AllowedPage page={page} me={me} id={params['id'] ?? ''} />
            </ErrorBoundary>
          )}
        </Route>
      ))}
      <Route path="/settings">
        <Redirect to="/settings/account" replace />
      </Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}

function AllowedPage({ page, me, id }: { page: PageEntry; me: Me; id: string }) {
  const { Page, scope, title } = page;
  if (scope !== undefined && !can(me, scope)) return <NoPermission title={title} />;
  return <Page id={id} />;
}
