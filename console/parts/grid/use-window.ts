import { useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { OVERSCAN } from './sizes.ts';
import type { Viewport } from './use-row-scroll.ts';

interface WindowOptions {
  /** The row of the focused cell. It is always rendered, so that the focus is not lost. */
  active: number;
  /** The first row on the screen when the list appears. */
  start: number;
}

interface RowWindow {
  /** The rows on the screen. */
  first: number;
  last: number;
  /** The rows to render: those on the screen, some above and below, and the focused one. */
  indexes: number[];
}

/** Finds the rows on the screen, which all have one height. It renders them in the same frame in which the list scrolls. */
export function useWindow(
  { scrollerRef, scroll, height, headHeight, count }: Viewport,
  { active, start }: WindowOptions,
): RowWindow {
  const [{ first, shown }, setRange] = useState({ first: Math.floor(start), shown: 1 });
  const { readTop, moveBody } = scroll;
  useLayoutEffect(() => {
    const scroller = scrollerRef.current;
    if (!scroller) return undefined;
    const read = () => {
      moveBody();
      const first = Math.floor(readTop());
      const shown = Math.ceil((scroller.clientHeight - headHeight) / height) + 1;
      setRange((range) =>
        range.first === first && range.shown === shown ? range : { first, shown },
      );
    };
    const readNow = () => flushSync(read);
    const sizes = new ResizeObserver(read);
    read();
    sizes.observe(scroller);
    scroller.addEventListener('scroll', readNow, { passive: true });
    return () => {
      sizes.disconnect();
      scroller.removeEventListener('scroll', readNow);
    };
  }, [scrollerRef, readTop, moveBody, height, headHeight]);
  const last = Math.min(first + shown, count) - 1;
  const from = Math.max(Math.min(first, count) - OVERSCAN, 0);
  const to = Math.min(last + OVERSCAN, count - 1);
  const indexes = Array.from({ length: Math.max(to - from + 1, 0) }, (_, index) => from + index);
  if (active >= 0 && active < from) indexes.unshift(active);
  if (active > to && active < count) indexes.push(active);
  return { first: Math.min(first, Math.max(last, 0)), last, indexes };
}
