import { useQueryClient, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { ProblemError } from '../api.ts';
import { askAboutConflict, type Conflict } from './conflict.ts';
import { describeProblem } from './problem-texts.ts';
import { texts } from './texts.ts';
import { showToast } from './toast.tsx';

/** A resource that has a version. */
interface Versioned {
  etag: string;
}

interface Edits<T extends Versioned, C> {
  /** The key of the cached resource. */
  queryKey: QueryKey;
  /** Sends a change with `If-Match`, and returns the resource as it is then. */
  send: (change: C, etag: string) => Promise<T>;
  /** Names what changes for the person, such as "Stage". */
  describe: (change: C) => string;
  /** The values of a change for the dialog of a conflict. */
  explain: (change: C, current: T) => Conflict['fields'];
  /** Finds who changed the resource last, for the dialog of a conflict. */
  findLastChange?: (change: C) => Promise<Conflict['by']>;
  /** Whether a toast offers to take the change back: not for values that the page has not seen. */
  canUndo?: boolean;
  /** Called with each new state, the optimistic one too: for lists that show the resource as well. */
  onChange?: (resource: T) => void;
}

/**
 * Edits a cached resource. `save` shows the change at once and sends it in the background with the version that the person
 * saw: `seen`, when a field was opened before, else that of the cache. A toast offers to take it back. A 412 shows both values
 * and asks, unless the others changed other fields only. Any other refusal puts the old values back and is thrown, so that the
 * field keeps what was typed and says why.
 */
export function useEdits<T extends Versioned, C extends Partial<T>>(edits: Edits<T, C>) {
  return createEdits(useQueryClient(), edits);
}

/** The same for a resource that is known only when it is edited, such as a row of a list. */
export function createEdits<T extends Versioned, C extends Partial<T>>(
  queries: QueryClient,
  edits: Edits<T, C>,
) {
  const read = (): T => {
    const resource = queries.getQueryData<T>(edits.queryKey);
    if (resource === undefined) throw new Error('An edit needs a resource that is loaded.');
    return resource;
  };

  function show(resource: Partial<T>): T {
    // An answer may have less than the cache, such as no provenance.
    const whole = { ...read(), ...resource };
    queries.setQueryData(edits.queryKey, whole);
    edits.onChange?.(whole);
    return whole;
  }

  async function save(
    change: C,
    { isUndo = false, seen = read() }: { isUndo?: boolean; seen?: T } = {},
  ): Promise<void> {
    const names = Object.keys(change) as (keyof T)[];
    const shown = pick(read(), names);
    await queries.cancelQueries({ queryKey: edits.queryKey, exact: true });
    show(change);
    let saved: T;
    try {
      saved = show(await edits.send(change, seen.etag));
    } catch (error) {
      const current = readCurrent<T>(error);
      if (current !== undefined) return goOn({ ...seen, ...current });
      show(shown);
      throw error;
    }
    const what = edits.describe(change);
    const before = pick(seen, names) as C;
    if (isUndo) showToast({ text: texts.undone(what) });
    else if (edits.canUndo === false) showToast({ text: texts.saved(what) });
    else showToast({ text: texts.saved(what), onUndo: () => void saveOrSay(before, saved) });

    /** After a 412: asks which value stays, unless the others changed something else. */
    async function goOn(current: T): Promise<void> {
      const isTouched = names.some((name) => !isSame(current[name], seen[name]));
      if (isTouched) {
        show(current);
        const by = await edits.findLastChange?.(change).catch(() => undefined);
        if (!(await askAboutConflict({ fields: edits.explain(change, current), by }))) return;
      }
      await save(change, { isUndo, seen: current });
    }
  }

  async function saveOrSay(change: C, seen: T): Promise<void> {
    await save(change, { isUndo: true, seen }).catch((error: unknown) =>
      showToast({ text: describeProblem(error), look: 'error' }),
    );
  }

  return save;
}

/** The resource as it is now, when a refusal says that the person saw an older one. */
function readCurrent<T>(error: unknown): T | undefined {
  const isStale = error instanceof ProblemError && error.code === 'precondition_failed';
  return isStale ? (error.problem.current as T | undefined) : undefined;
}

const isSame = (a: unknown, b: unknown): boolean =>
  JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

function pick<T extends object>(from: T, names: (keyof T)[]): Partial<T> {
  return Object.fromEntries(names.map((name) => [name, from[name] ?? null])) as Partial<T>;
}
