import { useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useState, type ReactNode } from 'react';
import type { Event } from '../api.ts';
import { useSession } from '../session/session.tsx';
import { createLiveHub } from './hub.ts';
import { createRefetcher } from './refetcher.ts';
import { shareStream } from './share-stream.ts';

const LiveContext = createContext(createLiveHub());

/** Refetches what the events of the account touch, and hands the events to the pages that want them themselves. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const { me, userId, can } = useSession();
  const isAllowed = can('events:read');
  const [hub] = useState(createLiveHub);
  useEffect(() => {
    if (!isAllowed) return undefined;
    const refetcher = createRefetcher(queries);
    const stop = shareStream(`${me.account.id}:${userId}`, {
      onEvent: (event) => {
        refetcher.add(event);
        hub.onEvent(event);
      },
      onGap: () => {
        void queries.invalidateQueries();
        hub.onGap();
      },
    });
    return () => {
      stop();
      refetcher.stop();
    };
  }, [queries, hub, isAllowed, me.account.id, userId]);
  return <LiveContext value={hub}>{children}</LiveContext>;
}

/** Calls `onEvent` for each event while the page is shown, and `onGap` when some were missed. */
export function useLiveEvents(onEvent: (event: Event) => void, onGap: () => void): void {
  const { subscribe } = useContext(LiveContext);
  useEffect(() => subscribe({ onEvent, onGap }), [subscribe, onEvent, onGap]);
}
