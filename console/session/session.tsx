import { useQuery, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { createContext, useContext, useEffect, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { api, plainApi, ProblemError, type Me, type Scope } from '../api.ts';
import { setCurrency, setTimeZone } from '../parts/text/format.ts';
import { forgetAllButDrafts } from '../parts/browser/tab-storage.ts';
import { showTheme, type Theme } from '../parts/browser/theme.ts';
import { rememberSlug } from './known-accounts.ts';
import { ask, noteSignOut } from './questions.ts';

const ME_KEY = ['me'] as const;
const RETRY_MS = 5_000;

/** Reads the signed-in person; null when nobody is signed in. */
export async function readMe(): Promise<Me | null> {
  try {
    return (await plainApi.GET('/me')).data;
  } catch (error) {
    if (error instanceof ProblemError && error.status === 401) return null;
    throw error;
  }
}

const readHead = async () => (await plainApi.GET('/events/head', { retries: 0 })).data.cursor;

/**
 * Reads the signed-in person: undefined until it is known, null when nobody is signed in. When the session ends while a page is
 * open, the page stays, and a dialog asks the person to sign in again.
 */
export function useMaybeMe() {
  const queries = useQueryClient();
  return useQuery({
    queryKey: ME_KEY,
    queryFn: async ({ signal }) => {
      // The cursor of the latest event before the page reads its rows: the page misses no event after them.
      const [me] = await Promise.all([
        readMe(),
        queries.prefetchQuery({ queryKey: ['head'], queryFn: readHead }),
      ]);
      const before = queries.getQueryData<Me | null>(ME_KEY);
      if (me !== null || before == null) return me;
      if (!signal.aborted) void ask('sign-in');
      return before;
    },
    staleTime: Infinity,
    retry: 1,
    // The console can show no page before the first answer, so repeat the request until there is one.
    refetchInterval: ({ state }) => (state.status === 'error' ? RETRY_MS : false),
  });
}

const SessionContext = createContext<Me | undefined>(undefined);

export function SessionProvider({ me, children }: { me: Me; children: ReactNode }) {
  // Set these before the pages are rendered, which format dates and sums for the account.
  setTimeZone(me.account.timeZone);
  setCurrency(me.account.defaultCurrency, me.account.timeZone);
  const theme = me.user?.theme;
  useEffect(() => {
    if (theme !== undefined) showTheme(theme);
  }, [theme]);
  return <SessionContext value={me}>{children}</SessionContext>;
}

export interface Session {
  me: Me;
  /** The id of the person. It would be empty for an API key, which cannot use the console. */
  userId: string;
  /** Whether the person may do what the scope allows. Writing includes reading. */
  can: (scope: Scope) => boolean;
}

/** Returns the session. Throws outside the pages of a signed-in person. */
export function useSession(): Session {
  const me = useContext(SessionContext);
  if (me === undefined) throw new Error('useSession is for pages behind the sign-in.');
  return { me, userId: me.user?.id ?? '', can: (scope) => can(me, scope) };
}

/** Whether a person has a scope, or the scope to write what it reads. */
export function can({ scopes }: Me, scope: Scope): boolean {
  const writing = scope.replace(/:read$/, ':write') as Scope;
  return scopes.includes(scope) || scopes.includes(writing);
}

/**
 * Returns the function that stores the signed-in person (null after signing out), so that the pages appear without another
 * request, and puts their account first in the list of this browser. For another person, it first drops what is under way, and
 * clears the cache, which has data of the person before.
 */
export function useSignedIn() {
  const queries = useQueryClient();
  return (me: Me | null): void => {
    if (me !== null) rememberSlug(me.account.slug);
    const before = queries.getQueryData<Me | null>(ME_KEY);
    if (before?.actor.id !== me?.actor.id) {
      void queries.cancelQueries({ queryKey: ME_KEY });
      queries.removeQueries({ predicate: isNotMe });
    }
    queries.setQueryData(ME_KEY, me);
  };
}

const isNotMe = ({ queryKey }: { queryKey: QueryKey }): boolean => queryKey[0] !== ME_KEY[0];

/** Returns the function that changes the name or the theme of the person. It shows a theme at once, and the old one again after a refusal. */
export function useOwnChanges() {
  const setSignedIn = useSignedIn();
  const before = useSession().me.user?.theme ?? 'system';
  return async (changes: { name?: string; theme?: Theme }): Promise<void> => {
    if (changes.theme !== undefined) showTheme(changes.theme);
    try {
      setSignedIn((await api.PATCH('/me', { body: changes })).data);
    } catch (error) {
      showTheme(before);
      throw error;
    }
  };
}

/** Returns the function that reads the person again, after a change whose answer does not include the person. */
export function useReadAgain() {
  const queries = useQueryClient();
  return (): Promise<void> => queries.invalidateQueries({ queryKey: ME_KEY });
}

/** Returns the function that ends the session and shows the sign-in page. */
export function useSignOut() {
  const setSignedIn = useSignedIn();
  const [, navigate] = useLocation();
  return async (): Promise<void> => {
    try {
      await plainApi.POST('/sign-out', {});
    } catch (error) {
      // A 401 means that the session has ended already.
      if (!(error instanceof ProblemError) || error.status !== 401) throw error;
    }
    noteSignOut();
    navigate('/', { replace: true });
    setSignedIn(null);
    forgetAllButDrafts();
  };
}
