import type { ValidateFunction } from 'ajv';
import type { Principal } from '../access/index.ts';
import { parseLabel } from '../contacts/index.ts';
import { createValidator, findFaults } from '../platform/fields/index.ts';
import { invalidRequest, Problem } from '../platform/http/index.ts';
import {
  LISTS,
  NAME_MAX_LENGTH,
  type NewView,
  type ViewChanges,
  type ViewResource,
} from './schemas.ts';

/** A view as it is stored. */
export interface StoredView {
  id: string;
  resource: ViewResource;
  name: string;
  nameKey: string;
  filter: Record<string, unknown>;
  sort: string | null;
  columns: NewView['columns'] | null;
  shared: boolean;
  owner: { type: Principal['actor']['type']; id: string };
}

type Viewer = Pick<Principal, 'actor' | 'can'>;

const isOwn = ({ owner }: Pick<StoredView, 'owner'>, { actor }: Viewer): boolean =>
  owner.type === actor.type && owner.id === actor.id;

/** Returns whether the viewer sees a view: it is their own or a shared one. */
export function isSeen(view: Pick<StoredView, 'owner' | 'shared'>, viewer: Viewer): boolean {
  return view.shared || isOwn(view, viewer);
}

/** Throws when a viewer without the right to write settings makes or changes a shared view. */
export function checkSharing(isShared: boolean, { can }: Viewer): void {
  if (!isShared || can('settings:write')) return;
  throw new Problem('insufficient_access', 'A shared view needs the scope settings:write.', {
    requiredScope: 'settings:write',
  });
}

/** Reads the name of a view. */
export function readName(text: string): Pick<StoredView, 'name' | 'nameKey'> {
  const parsed = parseLabel(text);
  if (parsed !== null) return { name: parsed.label, nameKey: parsed.key };
  const detail = `name must be a name of 1 to ${NAME_MAX_LENGTH} characters.`;
  throw invalidRequest([{ pointer: '/name', detail }]);
}

/** Throws when the viewer sees another view of the same list with this name. */
export function checkName(view: StoredView, others: StoredView[], viewer: Viewer): void {
  const isTaken = others.some(
    (each) =>
      each.id !== view.id &&
      each.resource === view.resource &&
      each.nameKey === view.nameKey &&
      isSeen(each, viewer),
  );
  if (isTaken) throw new Problem('name_taken', 'Another view of this list has this name.');
}

/** Changes a view by a merge patch. */
export function planChanges(
  view: StoredView,
  { name, filter, shared = view.shared, ...changes }: ViewChanges,
): StoredView {
  return {
    ...view,
    ...(name !== undefined && readName(name)),
    ...(filter !== undefined && {
      filter: patchObject(view.filter, filter ?? {}, filter === null),
    }),
    sort: changes.sort === undefined ? view.sort : changes.sort,
    columns: changes.columns === undefined ? view.columns : changes.columns,
    shared,
  };
}

/** Applies a merge patch (RFC 7396) to an object without nested objects. */
function patchObject(
  stored: Record<string, unknown>,
  patch: Record<string, unknown>,
  isEmptied: boolean,
): Record<string, unknown> {
  const entries = new Map([...Object.entries(isEmptied ? {} : stored), ...Object.entries(patch)]);
  return Object.fromEntries([...entries].filter(([, value]) => value !== null));
}

const FILTER_MAX_CHARACTERS = 16 * 1024;
const validators = new Map<ViewResource, ValidateFunction>();

/** Throws unless the list accepts the filter and the order. */
export function checkFilter({
  resource,
  filter,
  sort,
}: Pick<StoredView, 'resource' | 'filter' | 'sort'>): void {
  const sorts: readonly string[] = LISTS[resource].sorts;
  if (sort !== null && !sorts.includes(sort))
    throw invalidRequest([{ pointer: '/sort', detail: `sort must be ${sorts.join(' or ')}.` }]);
  const validate = validators.get(resource) ?? createValidator().compile(LISTS[resource].filter);
  validators.set(resource, validate);
  if (!validate(filter))
    throw invalidRequest(
      findFaults(validate.errors).map(({ pointer, detail }) => ({
        pointer: `/filter${pointer}`,
        detail: `filter${pointer} ${detail}`,
      })),
    );
  if (JSON.stringify(filter).length <= FILTER_MAX_CHARACTERS) return;
  const detail = `filter must have at most ${FILTER_MAX_CHARACTERS} characters.`;
  throw invalidRequest([{ pointer: '/filter', detail }]);
}

/** Replaces a tag by another one in the filter of a view. Returns null when the filter does not name it. */
export function replaceTag(view: StoredView, id: string, intoId: string): StoredView | null {
  const { tag } = view.filter;
  if (!Array.isArray(tag)) return null;
  const replaced = tag.map((each) => (String(each).toLowerCase() === id ? intoId : each));
  const isNamed = replaced.some((each, index) => each !== tag[index]);
  return isNamed ? { ...view, filter: { ...view.filter, tag: [...new Set(replaced)] } } : null;
}

const ERASED_NAME = 'Erased';

/** The name and the search of a view, as far as they name a person; null for one that does not. */
type NamingTexts = Record<'name' | 'q', string | null>;

/** Finds the texts of a view that name a person. Returns null when the view does not name them. */
export function findNamingTexts(
  { name, filter: { q } }: StoredView,
  namesPerson: (text: string) => boolean,
): NamingTexts | null {
  const texts = {
    name: namesPerson(name) ? name : null,
    q: typeof q === 'string' && namesPerson(q) ? q : null,
  };
  return texts.name === null && texts.q === null ? null : texts;
}

/** Removes an erased person from the name and the search of a view. Returns null when the view does not name them. */
export function erasePerson(
  view: StoredView,
  namesPerson: (text: string) => boolean,
): StoredView | null {
  const found = findNamingTexts(view, namesPerson);
  if (found === null) return null;
  const { q: _q, ...filter } = view.filter;
  return {
    ...view,
    ...(found.q !== null && { filter }),
    ...(found.name !== null && readName(ERASED_NAME)),
  };
}
