import { api } from '../api.ts';
import type { Selection } from '../parts/grid/index.ts';
import { isTouched, toChange, toUndo, type BulkAction, type Remembered } from './bulk-actions.ts';
import {
  readLatestChange,
  readVersions,
  Stopped,
  walkSelection,
  type Progress,
} from './bulk-walk.ts';
import { setUndo, type BulkUndo } from './bulk-undo.ts';
import type { FilterQuery } from './query.ts';

const SLICE = 1_000;

export interface BulkSteps {
  /** The person who changes the contacts. */
  userId: string;
  /** The undo of an earlier attempt of the same dialog, which failed between two slices. */
  earlier: { current: BulkUndo | undefined };
  onRead: Progress;
  onChange: (done: number, total: number) => void;
}

export interface BulkResult {
  changed: number;
  total: number;
  isStopped: boolean;
}

/**
 * Runs a bulk change: reads the selected contacts and keeps their values, then changes them in slices. Stop ends the run
 * between two slices. An undo can restore every changed contact, also those of an earlier attempt at the same change.
 */
export async function runBulk(
  action: BulkAction,
  selection: Selection,
  query: FilterQuery & { sort: string },
  { userId, earlier, onRead, onChange }: BulkSteps,
): Promise<BulkResult> {
  const isSame = JSON.stringify(earlier.current?.action) === JSON.stringify(action);
  const before = isSame ? earlier.current : undefined;
  const since = before?.since ?? (await readLatestChange());
  const found = await walkSelection(selection, query, onRead);
  const touched = found.filter((contact) => isTouched(action, contact));
  const done: Remembered[] = [...(before?.contacts ?? [])];
  const total = done.length + touched.length;
  try {
    for (let from = 0; from < touched.length; from += SLICE) {
      onChange(done.length, total);
      const slice = touched.slice(from, from + SLICE);
      const ids = slice.map(({ id }) => id);
      await api.POST('/contacts/bulk', { body: { ids, ...toChange(action) } });
      done.push(...slice);
      earlier.current = { action, contacts: [...done], since };
      setUndo(userId, earlier.current);
    }
  } catch (error) {
    if (!(error instanceof Stopped) || done.length === 0) throw error;
    return { changed: done.length, total, isStopped: true };
  }
  return { changed: done.length, total, isStopped: false };
}

/**
 * Undoes a bulk change, except for contacts that somebody has changed since. When the person stops it, or a request fails, the
 * other contacts can still be undone.
 */
export async function undoBulk(
  { action, contacts, since }: BulkUndo,
  { userId, onRead, onChange }: BulkSteps,
): Promise<{ undone: number; kept: number; isStopped: boolean }> {
  const versions = await readVersions(
    contacts.map(({ id }) => id),
    since,
    onRead,
  );
  const untouched = contacts.filter(({ id, etag }) => versions.get(id) === nextVersion(etag));
  const left = new Map(untouched.map((contact) => [contact.id, contact]));
  const kept = contacts.length - untouched.length;
  try {
    for (const { change, ids } of await toUndo(action, untouched))
      for (let from = 0; from < ids.length; from += SLICE) {
        onChange(untouched.length - left.size, untouched.length);
        const slice = ids.slice(from, from + SLICE);
        await api.POST('/contacts/bulk', { body: { ids: slice, ...change } });
        for (const id of slice) left.delete(id);
        setUndo(userId, { action, contacts: [...left.values()], since });
      }
  } catch (error) {
    const undone = untouched.length - left.size;
    if (!(error instanceof Stopped) || undone === 0) throw error;
    return { undone, kept, isStopped: true };
  }
  setUndo(userId, undefined);
  return { undone: untouched.length, kept, isStopped: false };
}

/** Returns the ETag after one more change. The version in it counts the changes of the contact. */
const nextVersion = (etag: string): string => `"${Number(etag.replaceAll('"', '')) + 1}"`;
