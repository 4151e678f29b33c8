import { DRAFT_PREFIX, tabStorage } from '../parts/tab-storage.ts';

/** Moves the drafts of activities of a merged contact to the contact that it was merged into. A draft that is there stays. */
export function moveDrafts(fromId: string, toId: string): void {
  for (const name of tabStorage.list()) {
    const moved = name.replace(`:activity:${fromId}`, `:activity:${toId}`);
    if (!name.startsWith(DRAFT_PREFIX) || moved === name || tabStorage.read(moved) !== null)
      continue;
    tabStorage.write(moved, tabStorage.read(name) ?? '');
    tabStorage.remove(name);
  }
}
