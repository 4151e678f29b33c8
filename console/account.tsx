import { Route, Switch } from 'wouter';
import { ErrorBoundary, lazyPage, PageError, PageSkeleton } from './parts/page/page-states.tsx';
import { SIGN_IN_PAGES, SignIn } from './session/pages.ts';
import { useMaybeMe } from './session/session.tsx';

/** The pages of a signed-in person, in a chunk of their own: the sign-in page loads without it. */
const SignedIn = lazyPage(() => import('./frame/index.ts'));

/** Everything below `/a/<slug>`: the pages for signing in, and the pages of a signed-in person. */
export function Account({ slug }: { slug: string }) {
  return (
    <ErrorBoundary>
      <Switch>
        {SIGN_IN_PAGES.map(({ path, Page }) => (
          <Route key={path} path={path}>
            <Page slug={slug} />
          </Route>
        ))}
        <Route>
          <SignedInOrNot slug={slug} />
        </Route>
      </Switch>
    </ErrorBoundary>
  );
}

function SignedInOrNot({ slug }: { slug: string }) {
  const { data: me, error, refetch } = useMaybeMe();
  // When the person cannot be read again, the open page stays, with what is typed in it.
  if (me === undefined && error !== null)
    return <PageError error={error} onRetry={() => void refetch()} />;
  if (me === undefined) return <PageSkeleton />;
  if (me === null || me.account.slug !== slug) return <SignIn slug={slug} />;
  return <SignedIn key={me.actor.id} me={me} slug={slug} />;
}
