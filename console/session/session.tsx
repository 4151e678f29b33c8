import { useQuery, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { createContext, useContext, useEffect, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { api, plainApi, ProblemError, type Me, type Scope } from '../api.ts';
import { setCurrency, setTimeZone } from '../parts/format.ts';
import { showTheme, type Theme } from '../parts/theme.ts';
import { ask } from './questions.ts';

const ME_KEY = ['me'] as const;
const RETRY_MS = 5_000;

/** Reads who is signed in; null for nobody. */
export async function readMe(): Promise<Me | null> {
  try {
    return (await plainApi.GET('/me')).data;
  } catch (error) {
    if (error instanceof ProblemError && error.status === 401) return null;
    throw error;
  }
}

/**
 * Reads the person of the session: undefined until it is known, null for nobody. When the session of a page ends, the page
 * stays, and a dialog asks to sign in again.
 */
export function useMaybeMe() {
  const queries = useQueryClient();
  return useQuery({
    queryKey: ME_KEY,
    queryFn: async () => {
      const me = await readMe();
      const before = queries.getQueryData<Me | null>(ME_KEY);
      if (me !== null || before == null) return me;
      void ask('sign-in');
      return before;
    },
    staleTime: Infinity,
    retry: 1,
    // Without an answer no page can be shown: the first one that comes shows it.
    refetchInterval: ({ state }) => (state.status === 'error' ? RETRY_MS : false),
  });
}

const SessionContext = createContext<Me | undefined>(undefined);

export function SessionProvider({ me, children }: { me: Me; children: ReactNode }) {
  // Before the pages are rendered: all their dates and sums are those of the account.
  setTimeZone(me.account.timeZone);
  setCurrency(me.account.defaultCurrency);
  const theme = me.user?.theme;
  useEffect(() => {
    if (theme !== undefined) showTheme(theme);
  }, [theme]);
  return <SessionContext value={me}>{children}</SessionContext>;
}

export interface Session {
  me: Me;
  /** The id of the person; empty for a key, which has no console. */
  userId: string;
  /** Whether the person may do what the scope allows. Writing includes reading. */
  can: (scope: Scope) => boolean;
}

/** Gives the session of the page. Throws outside the pages of a signed-in person. */
export function useSession(): Session {
  const me = useContext(SessionContext);
  if (me === undefined) throw new Error('useSession is for pages behind the sign-in.');
  return { me, userId: me.user?.id ?? '', can: (scope) => can(me, scope) };
}

export function can({ scopes }: Me, scope: Scope): boolean {
  const writing = scope.replace(/:read$/, ':write') as Scope;
  return scopes.includes(scope) || scopes.includes(writing);
}

/**
 * Stores who is signed in, so that the pages appear without another request; null after signing out. Another person sees
 * nothing that was loaded for the one before.
 */
export function useSignedIn() {
  const queries = useQueryClient();
  return (me: Me | null): void => {
    const before = queries.getQueryData<Me | null>(ME_KEY);
    if (before?.actor.id !== me?.actor.id) queries.removeQueries({ predicate: isNotMe });
    queries.setQueryData(ME_KEY, me);
  };
}

const isNotMe = ({ queryKey }: { queryKey: QueryKey }): boolean => queryKey[0] !== ME_KEY[0];

/** Changes the name or the theme of the person. A theme shows at once; a refusal brings the one before back. */
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

/** Reads the person again, after a change that the answer of another request does not show. */
export function useReadAgain() {
  const queries = useQueryClient();
  return (): Promise<void> => queries.invalidateQueries({ queryKey: ME_KEY });
}

/** Ends the session, and shows the sign-in. */
export function useSignOut() {
  const setSignedIn = useSignedIn();
  const [, navigate] = useLocation();
  return async (): Promise<void> => {
    try {
      await plainApi.POST('/sign-out', {});
    } catch (error) {
      // A session that has ended needs no end.
      if (!(error instanceof ProblemError) || error.status !== 401) throw error;
    }
    navigate('/', { replace: true });
    setSignedIn(null);
  };
}
