import { useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { isReturning } from '../browser/navigation.ts';
import { readPlace, savePlace, type Place } from './place.ts';
import type { CellPosition } from './types.ts';
import type { Viewport } from './use-row-scroll.ts';

/** Reads the position at which the person left the list, once. */
export function useStartPlace(place: string): Place {
  return useState(() => readPlace(place))[0];
}

/** The active cell of the list before this one, such as the head that a person clicked to sort. */
export interface LeftCell extends CellPosition {
  hadFocus: boolean;
}

interface PlaceOptions {
  place: string;
  start: Place;
  leftRef: RefObject<LeftCell | undefined>;
  viewport: Viewport;
  active: CellPosition;
  hasFocusRef: RefObject<boolean>;
  focusCell: (cell: CellPosition) => void;
  setActive: (cell: CellPosition) => void;
  idAt: (index: number) => string | undefined;
  /** The loaded rows. Another array means that their positions may have changed. */
  rows: readonly unknown[];
  generation: number;
}

/** Restores the saved position, keeps it while rows are added or removed, and saves it when the person leaves. */
export function usePlace(options: PlaceOptions): void {
  useSavedPlace(options);
  useRestoredPlace(options);
  useAnchor(options);
  useNewGeneration(options);
}

function useSavedPlace({
  place,
  start,
  leftRef,
  viewport: { scrollerRef, scroll },
  active,
  hasFocusRef,
}: PlaceOptions): void {
  const { readTop } = scroll;
  // The restored position counts at once: its scroll event comes a frame later, and the person may have left by then.
  const latest = useRef({ top: start.top, active });
  useLayoutEffect(() => {
    latest.current = { ...latest.current, active };
  });
  useLayoutEffect(() => {
    const grid = scrollerRef.current;
    if (!grid) return undefined;
    const remember = () => (latest.current.top = readTop());
    const save = () => {
      const { top, active } = latest.current;
      savePlace(place, { top, ...active, hadFocus: hasFocusRef.current });
    };
    grid.addEventListener('scroll', remember, { passive: true });
    window.addEventListener('pagehide', save);
    const leave = () => {
      save();
      leftRef.current = { ...latest.current.active, hadFocus: hasFocusRef.current };
    };
    return () => {
      grid.removeEventListener('scroll', remember);
      window.removeEventListener('pagehide', save);
      leave();
    };
  }, [place, leftRef, scrollerRef, hasFocusRef, readTop]);
}

/** Scrolls to the saved row as soon as the list is long enough. */
function useRestoredPlace(options: PlaceOptions): void {
  const { start, leftRef, focusCell, viewport } = options;
  const { count, scroll } = viewport;
  const { writeTop } = scroll;
  const isRestored = useRef(false);
  useLayoutEffect(() => {
    if (isRestored.current || count <= Math.max(start.row, start.top)) return;
    isRestored.current = true;
    writeTop(start.top);
    const before = leftRef.current;
    if (before?.hadFocus)
      focusCell({ row: Math.min(before.row, start.row), column: before.column });
    else if (start.hadFocus && isReturning() && isFocusFree())
      focusCell({ row: start.row, column: start.column });
  }, [start, leftRef, writeTop, focusCell, count]);
}

/** Returns whether the focus is where the page itself put it. Otherwise the person has moved it, and it must stay. */
const isFocusFree = (): boolean =>
  document.activeElement === document.body || document.activeElement?.tagName === 'H1';

const NEAR_ROWS = 500;

/** Keeps the first row on the screen in its place when rows above it are added or removed. */
function useAnchor({ viewport, active, setActive, idAt, rows, generation }: PlaceOptions) {
  const { scroll } = viewport;
  const before = useRef({ rows, idAt, generation });
  useLayoutEffect(() => {
    const old = before.current;
    before.current = { rows, idAt, generation };
    if (old.rows === rows || old.generation !== generation) return;
    const top = scroll.readTop();
    const moved = findShift(old.idAt, idAt, Math.floor(top));
    if (moved !== 0) scroll.writeTop(top + moved);
    const activeMoved = active.row < 0 ? 0 : findShift(old.idAt, idAt, active.row);
    if (activeMoved !== 0) setActive({ row: active.row + activeMoved, column: active.column });
  });
}

type IdAt = (index: number) => string | undefined;

function findShift(before: IdAt, after: IdAt, index: number): number {
  const id = before(index);
  if (id === undefined || after(index) === id) return 0;
  for (let distance = 1; distance <= NEAR_ROWS; distance++) {
    if (after(index + distance) === id) return distance;
    if (after(index - distance) === id) return -distance;
  }
  return 0;
}

function useNewGeneration({
  viewport,
  generation,
  active,
  hasFocusRef,
  focusCell,
  setActive,
}: PlaceOptions) {
  const { writeTop } = viewport.scroll;
  const before = useRef(generation);
  useLayoutEffect(() => {
    if (before.current === generation) return;
    before.current = generation;
    writeTop(0);
    const first = { row: 0, column: active.column };
    if (hasFocusRef.current) focusCell(first);
    else setActive(first);
  }, [generation, writeTop, active.column, hasFocusRef, focusCell, setActive]);
}
