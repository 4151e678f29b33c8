import { DRAFT_PREFIX, tabStorage } from '../parts/browser/tab-storage.ts';

/** A version that no contact has: the page asks before it replaces a value of the other contact, which the person has not seen. */
const NO_VERSION = '"0"';

/**
 * Moves the drafts of activities and fields of a merged contact to the contact that it was merged into. A draft that is there
 * stays.
 */
export function moveDrafts(fromId: string, toId: string): void {
  for (const name of tabStorage.list()) {
    const moved = name
      .replace(`:activity:${fromId}`, `:activity:${toId}`)
      .replace(`:contact:${fromId}:`, `:contact:${toId}:`);
    if (!name.startsWith(DRAFT_PREFIX) || moved === name || tabStorage.read(moved) !== null)
      continue;
    tabStorage.write(moved, forgetVersion(tabStorage.read(name) ?? ''));
    tabStorage.remove(name);
  }
}

/** The draft of an activity is about the same activity as before, and has no `seen`. */
function forgetVersion(text: string): string {
  const draft = JSON.parse(text) as { seen?: object };
  const { seen } = draft;
  return JSON.stringify(
    seen === undefined ? draft : { ...draft, seen: { ...seen, etag: NO_VERSION } },
  );
}
