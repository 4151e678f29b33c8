import { useSyncExternalStore } from 'react';

/** Heights in `rem`, as in grid.css, so that rows grow with the text size of the browser. */
const ROW_HEIGHT = { normal: 2.5, compact: 2, phone: 4 };
const HEAD_HEIGHT = 2.25;
export const CHECK_WIDTH = 44;
/** The most rows in the body at a time. Browsers draw no element that is higher than about 33,554,000 px; this many rows fit even at a text size of 250 %. */
export const MOST_ROWS = 200_000;
/** How many rows are rendered above and below those on the screen. */
export const OVERSCAN = 6;

const PHONE = '(width < 47.5rem)';

function listen(onChange: () => void): () => void {
  const query = window.matchMedia(PHONE);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}

/** Returns whether the window is as narrow as on a phone, where rows have two lines. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(listen, () => window.matchMedia(PHONE).matches);
}

const readRem = (): number =>
  Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
let rem = readRem();

function listenToSize(onChange: () => void): () => void {
  const update = (): void => {
    rem = readRem();
    onChange();
  };
  update();
  addEventListener('resize', update);
  const stop = listen(update);
  return () => {
    removeEventListener('resize', update);
    stop();
  };
}

/** Returns the heights of a row and of the head in pixels. A phone has no head. */
export function useHeights(isPhone: boolean, density: 'normal' | 'compact') {
  const size = useSyncExternalStore(listenToSize, () => rem);
  return {
    height: size * (isPhone ? ROW_HEIGHT.phone : ROW_HEIGHT[density]),
    headHeight: isPhone ? 0 : size * HEAD_HEIGHT,
  };
}
