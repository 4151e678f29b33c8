import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, type ReactNode } from 'react';
import { plainApi, ProblemError, type Me, type Scope } from '../api.ts';

export const ME_KEY = ['me'] as const;

/** Reads who is signed in; null for nobody. */
async function readMe(): Promise<Me | null> {
  try {
    return (await plainApi.GET('/me')).data;
  } catch (error) {
    if (error instanceof ProblemError && error.status === 401) return null;
    throw error;
  }
}

/** Reads the person of the session: undefined until it is known, null for nobody. */
export function useMaybeMe() {
  return useQuery({ queryKey: ME_KEY, queryFn: readMe, staleTime: Infinity, retry: 1 });
}

const SessionContext = createContext<Me | undefined>(undefined);

export function SessionProvider({ me, children }: { me: Me; children: ReactNode }) {
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

/** Stores who is signed in after signing in, so that the pages appear without another request. */
export function useSignedIn() {
  const queries = useQueryClient();
  return (me: Me | null): void => void queries.setQueryData(ME_KEY, me);
}
