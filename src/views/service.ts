import type { Principal } from '../access/index.ts';
import { lockAccount } from '../accounts/index.ts';
import {
  createPersonTest,
  mergeTag,
  type Editor,
  type PersonNames,
  type Tag,
} from '../contacts/index.ts';
import { runInTransaction, type Pool, type Queryable } from '../platform/database/index.ts';
import { formatEtag, Problem, requireMatch, type IfMatch } from '../platform/http/index.ts';
import { newId } from '../platform/text/index.ts';
import {
  checkFilter,
  checkName,
  checkSharing,
  erasePerson,
  findNamingTexts,
  isSeen,
  planChanges,
  readName,
  replaceTag,
  type StoredView,
} from './rules.ts';
import type { NewView, View, ViewChanges } from './schemas.ts';
import { countUsableViews, deleteView, listViews, writeView, type NamedView } from './store.ts';

const VIEWS_MAX = 200;

/** Presents a view as the API shows it. */
export function presentView({
  nameKey: _key,
  version,
  ownerName,
  owner,
  ...view
}: NamedView): View {
  return {
    ...view,
    columns: view.columns ?? null,
    owner: { ...owner, name: ownerName ?? '' },
    etag: formatEtag(version),
  };
}

/** Lists the views that the principal sees: their own and shared ones. */
export async function listSeenViews(db: Queryable, principal: Principal): Promise<NamedView[]> {
  const views = await listViews(db, principal.accountId);
  return views.filter((view) => isSeen(view, principal));
}

/** Finds a view that the principal sees, as the API shows it. Throws a 404 for every other one. */
export async function showView(db: Queryable, principal: Principal, id: string): Promise<View> {
  return presentView(findSeen(await listViews(db, principal.accountId), principal, id));
}

/** Saves a view. It belongs to the principal. */
export function createView(
  db: Pool,
  principal: Principal,
  { resource, name, filter = {}, sort = null, columns = null, shared = false }: NewView,
): Promise<View> {
  const { accountId, actor } = principal;
  const id = newId();
  const owner = { type: actor.type, id: actor.id };
  const view: StoredView = {
    id,
    resource,
    ...readName(name),
    filter,
    sort,
    columns,
    shared,
    owner,
  };
  checkFilter(view);
  checkSharing(shared, principal);
  return runInTransaction(db, async (tx) => {
    await lockAccount(tx, accountId);
    checkName(view, await listViews(tx, accountId), principal);
    if ((await countUsableViews(tx, accountId)) >= VIEWS_MAX)
      throw new Problem('limit_reached', `An account has at most ${VIEWS_MAX} views.`);
    await writeView(tx, accountId, view);
    return showView(tx, principal, id);
  });
}

interface Target {
  id: string;
  ifMatch: IfMatch;
}

/** Changes a view. */
export function changeView(
  db: Pool,
  principal: Principal,
  { id, ifMatch }: Target,
  changes: ViewChanges,
): Promise<View> {
  const { accountId } = principal;
  return runInTransaction(db, async (tx) => {
    const { view, views } = await lockView(tx, principal, id);
    checkSharing(view.shared || changes.shared === true, principal);
    requireMatch(ifMatch, presentView(view));
    const after = planChanges(view, changes);
    checkFilter(after);
    // Another view may have the name since: one that was shared later, or that an erasure renamed.
    const isNamedAnew = after.nameKey !== view.nameKey || after.shared !== view.shared;
    if (isNamedAnew) checkName(after, views, principal);
    if (JSON.stringify(after) === JSON.stringify(view)) return presentView(view);
    await writeView(tx, accountId, after);
    return presentView({ ...view, ...after, version: view.version + 1 });
  });
}

/** Deletes a view. */
export async function removeView(
  db: Pool,
  principal: Principal,
  { id, ifMatch }: Target,
): Promise<void> {
  await runInTransaction(db, async (tx) => {
    const { view } = await lockView(tx, principal, id);
    checkSharing(view.shared, principal);
    requireMatch(ifMatch, presentView(view));
    await deleteView(tx, principal.accountId, view.id);
  });
}

/** Merges a tag into another one, also in the filters of all views of the account. */
export async function mergeTagInViews(editor: Editor, id: string, intoId: string): Promise<Tag> {
  const { accountId } = editor.principal;
  const tag = await mergeTag(editor, id, intoId);
  await runInTransaction(editor.db, async (tx) => {
    await lockAccount(tx, accountId);
    for (const view of await listViews(tx, accountId)) {
      const after = replaceTag(view, id.toLowerCase(), tag.id);
      if (after !== null) await writeView(tx, accountId, after);
    }
  });
  return tag;
}

/** Lists the views of an account that name a person, also private ones, with the texts that name the person. */
export async function listViewsNaming(db: Queryable, accountId: string, person: PersonNames) {
  const namesPerson = createPersonTest(person);
  return (await listViews(db, accountId)).flatMap((view) => {
    const texts = findNamingTexts(view, namesPerson);
    return texts === null ? [] : { id: view.id, resource: view.resource, ...texts };
  });
}

/** Removes an erased person from all views of the account. The caller has locked the account. */
export async function eraseFromViews(
  tx: Queryable,
  accountId: string,
  person: PersonNames,
): Promise<void> {
  const namesPerson = createPersonTest(person);
  for (const view of await listViews(tx, accountId)) {
    const erased = erasePerson(view, namesPerson);
    if (erased !== null) await writeView(tx, accountId, erased);
  }
}

/** Locks the account, and finds a view that the principal sees. Throws a 404 for every other one. */
async function lockView(
  tx: Queryable,
  principal: Principal,
  id: string,
): Promise<{ view: NamedView; views: NamedView[] }> {
  await lockAccount(tx, principal.accountId);
  const views = await listViews(tx, principal.accountId);
  return { view: findSeen(views, principal, id), views };
}

function findSeen(views: NamedView[], principal: Principal, id: string): NamedView {
  const view = views.find((each) => each.id === id.toLowerCase() && isSeen(each, principal));
  if (view !== undefined) return view;
  throw new Problem('view_not_found', 'viewId must be the id of a view that you see.');
}
