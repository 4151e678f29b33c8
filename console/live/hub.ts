import type { LiveListener } from './stream.ts';

export interface LiveHub extends LiveListener {
  /** Returns the function that ends the subscription. */
  subscribe: (listener: LiveListener) => () => void;
}

/** Hands the events to all parts of the page that listen. */
export function createLiveHub(): LiveHub {
  const listeners = new Set<LiveListener>();
  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    onEvent: (event) => {
      for (const listener of listeners) listener.onEvent(event);
    },
    onGap: () => {
      for (const listener of listeners) listener.onGap();
    },
  };
}
