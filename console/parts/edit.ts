import { useQueryClient, type QueryKey } from '@tanstack/react-query';
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
  findLastChange?: () => Promise<Conflict['by']>;
  /** Called with each new state, the optimistic one too: for lists that show the resource as well. */
  onChange?: (resource: T) => void;
}

/**
 * Edits a cached resource. `save` shows the change at once and sends it in the background with the version that the person
 * saw. A toast offers to take it back. A 412 shows both values and asks. Any other refusal puts the old values back and is
 * thrown, so that the field keeps what was typed and says why.
 */
export function useEdits<T extends Versioned, C extends Partial<T>>(edits: Edits<T, C>) {
  const queries = useQueryClient();

  function show(resource: T): void {
    queries.setQueryData(edits.queryKey, resource);
    edits.onChange?.(resource);
  }

  async function save(change: C, { isUndo = false } = {}): Promise<void> {
    const seen = queries.getQueryData<T>(edits.queryKey);
    if (seen === undefined) throw new Error('An edit needs a resource that is loaded.');
    await queries.cancelQueries({ queryKey: edits.queryKey, exact: true });
    show({ ...seen, ...change });
    try {
      show(await edits.send(change, seen.etag));
    } catch (error) {
      if (await isSettled(error, change, seen)) return;
      show(seen);
      throw error;
    }
    const what = edits.describe(change);
    const before = pick(seen, Object.keys(change) as (keyof T)[]) as C;
    if (isUndo) showToast({ text: texts.undone(what) });
    else showToast({ text: texts.saved(what), onUndo: () => void saveOrSay(before) });
  }

  /** Asks which value stays after a 412, and sends the person's again when it is theirs. */
  async function isSettled(error: unknown, change: C, seen: T): Promise<boolean> {
    const isStale = error instanceof ProblemError && error.code === 'precondition_failed';
    const current = isStale ? (error.problem.current as T | undefined) : undefined;
    if (current === undefined) return false;
    show({ ...seen, ...current });
    const by = await edits.findLastChange?.().catch(() => undefined);
    if (await askAboutConflict({ fields: edits.explain(change, current), by })) await save(change);
    return true;
  }

  async function saveOrSay(change: C): Promise<void> {
    await save(change, { isUndo: true }).catch((error: unknown) =>
      showToast({ text: describeProblem(error), look: 'error' }),
    );
  }

  return save;
}

function pick<T extends object>(from: T, names: (keyof T)[]): Partial<T> {
  return Object.fromEntries(names.map((name) => [name, from[name] ?? null])) as Partial<T>;
}
