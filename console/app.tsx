import { QueryClientProvider } from '@tanstack/react-query';
import { Redirect, Route, Router, Switch, useParams } from 'wouter';
import { Account } from './account.tsx';
import { lazyPage } from './parts/page/page-states.tsx';
import { createQueries } from './queries.ts';
import { ROOT } from './root.ts';
import { Toasts } from './parts/message/toast.tsx';

const queries = createQueries();
/** Most people open a page of their account, and need no script of this one. */
const ChooseAccount = lazyPage(() => import('./session/choose-account.tsx'));

/** The whole console: `/` asks for the account; `/a/<slug>` and all paths below it show that account. */
export function App() {
  return (
    <QueryClientProvider client={queries}>
      <Router base={ROOT}>
        <Switch>
          <Route path="/" component={ChooseAccount} />
          <Route path="/a/:slug/*?" component={AccountRoute} />
          <Route>
            <Redirect to="/" replace />
          </Route>
        </Switch>
      </Router>
      <Toasts />
    </QueryClientProvider>
  );
}

function AccountRoute() {
  const { slug } = useParams<{ slug: string }>();
  return (
    <Router base={`/a/${slug}`} key={slug}>
      <Account slug={slug} />
    </Router>
  );
}
