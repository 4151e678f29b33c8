import { useCallback, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { MOST_ROWS } from './sizes.ts';

/** The scroll position of a list, in rows. */
export interface RowScroll {
  /** The first row of the body. The scroll bar does not cover the rows before it. */
  bodyStart: number;
  /** Returns the number of rows above the upper edge, with a fraction. */
  readTop: () => number;
  writeTop: (top: number) => void;
  /** Moves the body when the scroll position is near one of its ends. */
  moveBody: () => void;
}

/** The part of a grid that is on the screen, and what moves it. */
export interface Viewport {
  scrollerRef: RefObject<HTMLElement | null>;
  scroll: RowScroll;
  /** The heights of a row and of the head, in pixels. */
  height: number;
  headHeight: number;
  /** How many rows the scroll bar covers. */
  count: number;
}

/**
 * Scrolls a list of any length. A browser cannot draw an element as high as 1,000,000 rows, so the body covers only `MOST_ROWS`
 * rows. Near one of its ends, the body moves to other rows, and the rows on the screen keep their places.
 */
export function useRowScroll(
  scrollerRef: RefObject<HTMLElement | null>,
  height: number,
): RowScroll {
  const [bodyStart, setBodyStart] = useState(0);
  const placeRef = useRef<{ bodyStart: number; height: number; wanted?: number | undefined }>({
    bodyStart,
    height,
  });
  useLayoutEffect(() => {
    const { wanted } = placeRef.current;
    placeRef.current = { bodyStart, height };
    if (wanted !== undefined && scrollerRef.current)
      scrollerRef.current.scrollTop = (wanted - bodyStart) * height;
  }, [scrollerRef, bodyStart, height]);
  const readTop = useCallback(() => {
    const place = placeRef.current;
    const inBody = (scrollerRef.current?.scrollTop ?? 0) / place.height;
    return place.wanted ?? place.bodyStart + inBody;
  }, [scrollerRef]);
  const writeTop = useCallback(
    (top: number) => {
      const place = placeRef.current;
      const next = findBodyStart(place.bodyStart, top);
      if (next === place.bodyStart) {
        if (scrollerRef.current)
          scrollerRef.current.scrollTop = (top - place.bodyStart) * place.height;
        return;
      }
      place.wanted = top;
      setBodyStart(next);
    },
    [scrollerRef],
  );
  const moveBody = useCallback(() => {
    const top = readTop();
    if (findBodyStart(placeRef.current.bodyStart, top) !== placeRef.current.bodyStart)
      writeTop(top);
  }, [readTop, writeTop]);
  return { bodyStart, readTop, writeTop, moveBody };
}

/** Finds the first row of the body for a scroll position. It changes only when the position is near an end of the body. */
function findBodyStart(bodyStart: number, top: number): number {
  const margin = MOST_ROWS / 10;
  const isNear =
    top > bodyStart + MOST_ROWS - margin || (bodyStart > 0 && top < bodyStart + margin);
  return isNear ? Math.max(Math.floor(top) - MOST_ROWS / 2, 0) : bodyStart;
}
