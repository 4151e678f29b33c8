import { requirePictures } from '../../media/index.ts';
import { isForeignKeyViolation, type Queryable } from '../../platform/database/index.ts';
import { Problem, requireMatch, type IfMatch } from '../../platform/http/index.ts';
import type { IdempotencyClaim } from '../../platform/idempotency/index.ts';
import { isUuid, newId } from '../../platform/text/index.ts';
import { listWrittenKeys } from '../pictures.ts';
import type { ProjectChange } from '../rules.ts';
import type { ShownProject } from '../list/present.ts';
import { requireProject } from '../list/service.ts';
import type { Project } from '../schemas.ts';
import { editStock, type StockEditor } from '../stock-edit.ts';
import { readProjects, type ProjectWithUnits } from '../store.ts';
import { writeStock } from '../write.ts';
import { planChanges, planPublication, readRelated } from './rules.ts';
import type { NewProject, ProjectChanges } from './schemas.ts';
import { countLinkedContacts, findIdOfSlug, findProjectIds, findRelating } from './store.ts';

/** The project that a request edits, and the versions of it that the request accepts. */
interface Target {
  id: string;
  ifMatch: IfMatch;
}

const readerOf = ({ principal: { accountId }, imageBases }: StockEditor) => ({
  accountId,
  imageBases,
});

/** Creates a draft, at most once for an Idempotency-Key. */
export async function createProject(
  editor: StockEditor,
  claim: IdempotencyClaim | null,
  fields: NewProject,
): Promise<{ resource: ShownProject; isRepeat: boolean }> {
  const id = newId();
  const related = readRelated(id, fields.relatedProjectIds);
  const create = async (tx: Queryable) => {
    const change = planChanges(id, undefined, { ...fields, related });
    if (change === null) throw new Error('a new project changes nothing');
    await writeProject(tx, editor, change);
    return requireProject(tx, readerOf(editor), id);
  };
  const { result, isRepeat } = await editStock(editor, create, { claim, status: 201 });
  return { resource: result, isRepeat };
}

/** Changes fields of a project. */
export async function changeProject(
  editor: StockEditor,
  target: Target,
  changes: ProjectChanges,
): Promise<ShownProject> {
  const related = readRelated(target.id.toLowerCase(), changes.relatedProjectIds);
  return editProject(editor, target, (before) =>
    planChanges(before.project.id, before, { ...changes, related }),
  );
}

/** Makes a project live, a draft or archived. It changes nothing when the project is so already. */
export function changePublication(
  editor: StockEditor,
  target: Target,
  publication: Project['publication'],
): Promise<ShownProject> {
  return editProject(editor, target, ({ project }) => planPublication(project, publication));
}

async function editProject(
  editor: StockEditor,
  target: Target,
  plan: (before: ProjectWithUnits) => ProjectChange | null,
): Promise<ShownProject> {
  const { result } = await editStock(editor, async (tx) => {
    const { current, before } = await openProject(tx, editor, target);
    const change = plan(before);
    if (change === null) return current;
    await writeProject(tx, editor, change);
    return requireProject(tx, readerOf(editor), before.project.id);
  });
  return result;
}

/** Reads the project that a request edits. Throws when the project does not exist, or has another version. */
async function openProject(tx: Queryable, editor: StockEditor, { id, ifMatch }: Target) {
  const current = await requireProject(tx, readerOf(editor), id);
  requireMatch(ifMatch, current);
  const [before] = await readProjects(tx, editor.principal.accountId, [id]);
  if (before === undefined) throw new Error('the project is gone');
  return { current, before };
}

async function writeProject(
  tx: Queryable,
  { principal: { accountId }, author }: StockEditor,
  change: ProjectChange,
): Promise<void> {
  const { row, related } = change;
  await requireProjects(tx, accountId, related?.after ?? []);
  // `writeStock` checks them as well, but a 422 must come before the 409 of the slug.
  await requirePictures(tx, accountId, listWrittenKeys({ projects: [change] }));
  const owner = await findIdOfSlug(tx, accountId, row.slug);
  if (owner !== undefined && owner !== row.id)
    throw new Problem(
      'slug_taken',
      'Another project of the account has this slug. Choose another.',
      { errors: [{ pointer: '/slug', detail: 'slug belongs to another project of the account.' }] },
    );
  await writeStock(tx, accountId, { projects: [change] }, { author, now: new Date() });
}

/** Throws when one of the related projects is not in the account. */
async function requireProjects(tx: Queryable, accountId: string, ids: string[]): Promise<void> {
  const known = await findProjectIds(tx, accountId, ids.filter(isUuid));
  const errors = ids.flatMap((id, index) => {
    if (known.has(id)) return [];
    const pointer = `/relatedProjectIds/${index}`;
    return [
      { pointer, detail: `${pointer.slice(1)} must be the id of a project of this account.` },
    ];
  });
  if (errors.length === 0) return;
  throw new Problem('project_not_available', 'A related project must be one of this account.', {
    errors,
  });
}

/**
 * Deletes a draft with its units, and removes it from the related projects of others. Throws when the project is not a draft, or a
 * contact is linked to it.
 */
export async function deleteProject(editor: StockEditor, target: Target): Promise<void> {
  const run = () =>
    editStock(editor, async (tx) => {
      await deleteWithin(tx, editor, target);
      return {};
    });
  await run().catch((error: unknown) => {
    // Another transaction linked a contact. The second attempt finds the link.
    if (isForeignKeyViolation(error)) return run();
    throw error;
  });
}

async function deleteWithin(tx: Queryable, editor: StockEditor, target: Target): Promise<void> {
  const { principal, author } = editor;
  const { accountId } = principal;
  const { project, units } = (await openProject(tx, editor, target)).before;
  if (project.publication !== 'draft')
    throw new Problem(
      'invalid_transition',
      'Only a draft can be deleted. Unpublish the project first, or archive it.',
    );
  const contacts = await countLinkedContacts(tx, accountId, project.id);
  if (contacts > 0)
    throw new Problem(
      'in_use',
      'Contacts are linked to the project. Archive it, or remove the links first.',
      { references: { contacts } },
    );
  const relating = await readProjects(tx, accountId, await findRelating(tx, accountId, project.id));
  const projects = relating.map(({ project: row, relatedIds: before }) => {
    const after = before.filter((id) => id !== project.id);
    return { stored: row, row, related: { before, after } };
  });
  const changes = { projects, removedUnits: units, removedProjects: [project] };
  await writeStock(tx, accountId, changes, { author, now: new Date() });
}
