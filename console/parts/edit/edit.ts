import { useQueryClient, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { ProblemError } from '../../api.ts';
import { showToast } from '../message/toast.tsx';
import { describeProblem } from '../text/problem-texts.ts';
import { texts } from '../text/texts.ts';
import { askAboutConflict, type Conflict } from './conflict.ts';
import { showEarly } from './show-early.ts';

/** A resource that has a version. */
interface Versioned {
  etag: string;
}

interface Edits<T extends Versioned, C> {
  /** The key of the cached resource. */
  queryKey: QueryKey;
  /** Sends a change with `If-Match`, and returns the changed resource. */
  send: (change: C, etag: string) => Promise<T>;
  /** Names what is saved, for the toast. By default, this is the changed fields, with the new value of a single one. */
  describe?: () => string;
  /** The name of the resource, which the toast adds on a page of several. */
  subject?: string;
  /** Formats both values of each changed field, for the dialog of a conflict and for the toast. */
  explain: (change: C, current: T) => Conflict['fields'];
  /** Finds who changed the resource last, for the dialog of a conflict. */
  findLastChange?: (change: C) => Promise<Conflict['by']>;
  /** Whether a toast offers to undo the change; true by default. Set it to false when the page does not know the old values. */
  canUndo?: boolean;
  /** Called with each new state, also the optimistic one, so that lists with the same resource can show it. */
  onChange?: (resource: T) => void;
}

/**
 * Returns the function that saves an edit of a cached resource. It shows the change at once, and sends it with the version of
 * `seen`, the resource as the person saw it. The cache may already have a later version that is not on the screen yet. After the save,
 * a toast offers to undo the change. After a 412, it sends the change again when only other fields have changed; otherwise a
 * dialog shows both values and asks. After any other refusal, it restores the old values and throws, so that the field can
 * keep the typed text and show the reason.
 */
export function useEdits<T extends Versioned, C extends Partial<T>>(edits: Edits<T, C>) {
  return createEdits(useQueryClient(), edits);
}

/** Does as `useEdits`, outside of a component: for a resource that is known only at the edit, such as a row of a list. */
export function createEdits<T extends Versioned, C extends Partial<T>>(
  queries: QueryClient,
  edits: Edits<T, C>,
): (change: C, seen: T) => Promise<void> {
  const read = (): T => {
    const resource = queries.getQueryData<T>(edits.queryKey);
    if (resource === undefined) throw new Error('An edit needs a resource that is loaded.');
    return resource;
  };

  function show(resource: Partial<T>): T {
    // An answer may lack members that the cache has, such as the provenance.
    const whole = { ...read(), ...resource };
    queries.setQueryData(edits.queryKey, whole);
    edits.onChange?.(whole);
    return whole;
  }

  async function save(change: C, seen: T, { isUndo = false } = {}): Promise<void> {
    const names = Object.keys(change) as (keyof T)[];
    const shown = pick(read(), names);
    const filters = { queryKey: edits.queryKey, exact: true };
    const stop = await showEarly(queries, filters, () => void show(change));
    let saved: T;
    try {
      saved = show(await edits.send(change, seen.etag).finally(stop));
    } catch (error) {
      const current = readCurrent<T>(error);
      if (current === undefined) {
        show(shown);
        // This save has cancelled the refetch that a change of somebody else caused, and the resource may be gone.
        void queries.invalidateQueries(filters);
        throw error;
      }
      const isTouched = names.some((name) => !isSame(current[name], seen[name]));
      if (!isTouched || !isStored(current))
        return resolveConflict({ ...seen, ...current }, isTouched, error);
      saved = show(current);
    }
    const before = pick(seen, names) as C;
    const text = describeSave(change, isUndo);
    if (isUndo || edits.canUndo === false) showToast({ text });
    else showToast({ text, onUndo: () => void undo(before, saved) });

    /** Whether the service has the new values: it may have stored them and its answer was lost. */
    function isStored(current: T): boolean {
      const isMine = names.every((name) => isSame(current[name], change[name]));
      // A page that does not know the old values does not compare the new ones, either.
      return isMine && edits.canUndo !== false;
    }

    /** Continues after a 412: asks which value to keep when the same field was changed, then sends the change again. */
    async function resolveConflict(
      current: T,
      isTouched: boolean,
      refusal: unknown,
    ): Promise<void> {
      if (isTouched) {
        show(current);
        // Read what the answer lacks: this save has cancelled the refetch that the other change caused.
        void queries.invalidateQueries(filters);
        const by = await edits.findLastChange?.(change).catch(() => undefined);
        const fields = edits.explain(change, current);
        const answer = await askAboutConflict({ fields, by, isUndo });
        if (answer === 'back' && !isUndo) throw refusal;
        if (answer !== 'mine') return;
      }
      await save(change, current, { isUndo });
    }
  }

  function describeSave(change: C, isUndo: boolean): string {
    const fields = edits.explain(change, read());
    const labels = fields.map(({ label }) => label).join(', ');
    const { subject } = edits;
    const what = edits.describe?.() ?? (subject === undefined ? labels : texts.of(labels, subject));
    const [field, ...others] = fields;
    const isText = Object.values(change).every((value) => typeof value !== 'object' || !value);
    if (edits.describe !== undefined || field === undefined || others.length > 0 || !isText)
      return isUndo ? texts.undone(what) : texts.saved(what);
    if (field.mine === '') return texts.emptied(what);
    return (isUndo ? texts.again : texts.changedTo)(what, shorten(field.mine));
  }

  async function undo(before: C, saved: T): Promise<void> {
    await save(before, saved, { isUndo: true }).catch((error: unknown) => {
      const text = `${edits.subject ?? texts.undo}: ${describeProblem(error)}`;
      showToast({ text, look: 'error' });
    });
  }

  return save;
}

/** Reads the current resource from a 412; undefined for any other error. */
export function readCurrent<T>(error: unknown): T | undefined {
  const isStale = error instanceof ProblemError && error.code === 'precondition_failed';
  return isStale ? (error.problem.current as T | undefined) : undefined;
}

const SHOWN_MAX_CHARACTERS = 60;
const shorten = (text: string): string =>
  text.length > SHOWN_MAX_CHARACTERS ? `${text.slice(0, SHOWN_MAX_CHARACTERS)}…` : text;

const isSame = (a: unknown, b: unknown): boolean =>
  JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

function pick<T extends object>(from: T, names: (keyof T)[]): Partial<T> {
  return Object.fromEntries(names.map((name) => [name, from[name] ?? null])) as Partial<T>;
}
