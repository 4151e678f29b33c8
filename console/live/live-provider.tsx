import { useQueryClient } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { useSession } from '../session/session.tsx';
import { createRefetcher } from './refetcher.ts';
import { shareStream } from './share-stream.ts';

/** Follows the events of the account, and refetches the queries that they affect. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const { me, userId } = useSession();
  useEffect(() => {
    const refetcher = createRefetcher(queries);
    const head = queries.getQueryData<string>(['head']);
    const stop = shareStream(`${me.account.id}:${userId}`, head, ({ event, isGap }) => {
      if (event) refetcher.add(event);
      if (isGap) void queries.invalidateQueries();
    });
    return () => {
      stop();
      refetcher.stop();
    };
  }, [queries, me.account.id, userId]);
  return children;
}
