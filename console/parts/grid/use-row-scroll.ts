import { useCallback, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { MOST_ROWS } from './sizes.ts';

/** Reads and sets how far a list is scrolled, in rows. */
export interface RowScroll {
  /** The first row of the body. The rows before it are above the end of the scroll bar. */
  bodyStart: number;
  /** The rows above the upper edge, with their fraction. */
  readTop: () => number;
  writeTop: (top: number) => void;
  /** Moves the body when the person has come near one of its ends. */
  moveBody: () => void;
}

/**
 * Scrolls a list of any length. A browser draws no element that is as high as 1,000,000 rows, so the body of the list stands for
 * `MOST_ROWS` of them: it moves on when the person comes near its end, and no row on the screen moves.
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

/** Gives the first row of the body for a place in the list: another one only when the place is near an end of the body. */
function findBodyStart(bodyStart: number, top: number): number {
  const margin = MOST_ROWS / 10;
  const isNear =
    top > bodyStart + MOST_ROWS - margin || (bodyStart > 0 && top < bodyStart + margin);
  return isNear ? Math.max(Math.floor(top) - MOST_ROWS / 2, 0) : bodyStart;
}
