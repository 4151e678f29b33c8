import { isSelected, type Selection } from '../parts/grid/index.ts';
import type { Contact } from '../api.ts';
import { remember, type Remembered } from './bulk-actions.ts';
import type { FilterQuery } from './query.ts';
import { PAGE_SIZE, readContact, readContacts } from './rows.ts';

/** Up to this many contacts are read one by one. More are found by walking the list. */
const FEW = 30;

/** Ends a walk or a bulk change when the person presses Stop. */
export class Stopped extends Error {}

export interface Progress {
  /** Called with the number of contacts that are done. Throws `Stopped` when the person has pressed Stop. */
  report: (done: number) => void;
}

/** Reads the current values of the selected contacts. A small selection is read by id, a larger one by walking the list. */
export async function walkSelection(
  selection: Selection,
  query: FilterQuery & { sort: string },
  { report }: Progress,
): Promise<Remembered[]> {
  if (!selection.all && selection.ids.size <= FEW)
    return await readEach([...selection.ids], report);
  const found: Remembered[] = [];
  for await (const contact of walkList(query)) {
    if (isSelected(selection, contact.id)) found.push(remember(contact));
    if (found.length % PAGE_SIZE === 0) report(found.length);
    if (!selection.all && found.length === selection.ids.size) return found;
  }
  if (selection.all) return found;
  // The missing contacts no longer match the filter. The person selected them, so change them as well.
  const known = new Set(found.map(({ id }) => id));
  const missing = [...selection.ids].filter((id) => !known.has(id));
  return [...found, ...(await readEach(missing, report))];
}

/** Reads the current ETags of contacts. When there are many, it leaves out those without a change after `since`. */
export async function readVersions(
  ids: readonly string[],
  since: string,
  { report }: Progress,
): Promise<Map<string, string>> {
  const wanted = new Set(ids);
  const versions = new Map<string, string>();
  if (ids.length <= FEW) {
    for (const { id, etag } of await readEach(ids, report)) versions.set(id, etag);
    return versions;
  }
  for await (const { id, etag } of walkList({
    updated_since: since,
    archived: 'any',
    sort: 'updatedAt',
  })) {
    if (wanted.has(id)) versions.set(id, etag);
    if (versions.size % PAGE_SIZE === 0) report(versions.size);
    if (versions.size === wanted.size) break;
  }
  return versions;
}

/** Reads the time of the latest change of any contact. Every further change has a later time. */
export async function readLatestChange(): Promise<string> {
  const { data } = await readContacts({ sort: '-updatedAt', archived: 'any', limit: 1 });
  return data[0]?.updatedAt ?? new Date(0).toISOString();
}

async function* walkList(query: FilterQuery & { sort: string }): AsyncGenerator<Contact> {
  let cursor: string | null | undefined;
  do {
    const page = await readContacts({ ...query, limit: PAGE_SIZE, ...(cursor && { cursor }) });
    yield* page.data;
    cursor = page.pagination.nextCursor;
  } while (cursor !== null);
}

async function readEach(
  ids: readonly string[],
  report: (done: number) => void,
): Promise<Remembered[]> {
  const found: Remembered[] = [];
  for (const id of ids) {
    const contact = await readContact(id);
    if (contact) found.push(remember(contact));
    report(found.length);
  }
  return found;
}
