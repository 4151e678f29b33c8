import { useSyncExternalStore } from 'react';

export const ROW_HEIGHT = { normal: 40, compact: 32, phone: 64 };
export const HEAD_HEIGHT = 36;
export const CHECK_WIDTH = 44;
/** The most rows in the body at a time: browsers draw no element that is higher than about 33,554,000 px. */
export const MOST_ROWS = 500_000;
/** Rows that are rendered above and below those on the screen. */
export const OVERSCAN = 6;

const PHONE = '(width < 47.5rem)';

function listen(onChange: () => void): () => void {
  const query = window.matchMedia(PHONE);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}

/** Whether rows have two lines: on a phone. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(listen, () => window.matchMedia(PHONE).matches);
}
