import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent } from 'react';

const COMMIT_AFTER_MS = 700;

/** Returns the list with one item moved to another place. */
function moveItem<T>(items: readonly T[], from: number, to: number): T[] {
  const moved = [...items];
  moved.splice(to, 0, ...moved.splice(from, 1));
  return moved;
}

const KEYS: Record<string, number> = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 };

interface Handle {
  onPointerDown: () => void;
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

/**
 * Lets a person order a list by dragging a handle, with mouse or touch, or by the arrow keys on it. The list shows each move at
 * once; when the person pauses or leaves, `onDone` gets the last order. The elements of the items need `data-place`, and the
 * handles the style `touch-action: none`.
 */
export function useReorder<T>(items: readonly T[], onDone: (items: T[]) => void) {
  const [moved, setMoved] = useState<T[]>();
  const [dragged, setDragged] = useState<number>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const commit = useRef<() => void>(undefined);
  // A person may leave the list right after a move.
  useEffect(() => () => commit.current?.(), []);
  const shown = moved ?? items;

  function move(from: number, to: number): void {
    if (to < 0 || to >= shown.length || from === to) return;
    const next = moveItem(shown, from, to);
    setMoved(next);
    clearTimeout(timer.current);
    commit.current = () => {
      clearTimeout(timer.current);
      commit.current = undefined;
      setMoved(undefined);
      onDone(next);
    };
    timer.current = setTimeout(commit.current, COMMIT_AFTER_MS);
  }

  const follow = useEffectEvent(({ clientX, clientY }: PointerEvent): void => {
    const over = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-place]')
      ?.dataset['place'];
    const to = Number(over);
    if (over === undefined || dragged === undefined || to === dragged) return;
    move(dragged, to);
    setDragged(to);
  });
  const isDragging = dragged !== undefined;
  useEffect(() => {
    if (!isDragging) return undefined;
    // Listen on the window: when its item moves in the document, a handle loses the pointer that it has captured.
    const drag = new AbortController();
    const drop = (): void => setDragged(undefined);
    addEventListener('pointermove', (event) => follow(event), drag);
    addEventListener('pointerup', drop, drag);
    addEventListener('pointercancel', drop, drag);
    return () => drag.abort();
  }, [isDragging]);

  const handle = (place: number): Handle => ({
    onPointerDown: () => setDragged(place),
    onKeyDown: (event) => {
      const by = KEYS[event.key];
      if (by === undefined) return;
      event.preventDefault();
      move(place, place + by);
    },
  });

  return { shown, move, handle };
}
