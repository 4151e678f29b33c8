import type { Principal } from '../../access/index.ts';
import { isForeignKeyViolation, type Queryable } from '../../platform/database/index.ts';
import { Problem, requireMatch, type IfMatch } from '../../platform/http/index.ts';
import type { IdempotencyClaim } from '../../platform/idempotency/index.ts';
import { isUuid, newId, type ImageBases } from '../../platform/text/index.ts';
import { requireProject } from '../list/service.ts';
import { editStock, type StockEditor } from '../stock-edit.ts';
import { writeStock } from '../write.ts';
import { presentUnit, type ShownUnit } from './present.ts';
import {
  requireHoldableUnit,
  requireHoldableChange,
  planNewUnits,
  planOrder,
  planUnitChanges,
  unitNotFound,
} from './rules.ts';
import type { NewUnit, UnitChanges } from './schemas.ts';
import {
  countLinks,
  findLastPosition,
  findUnits,
  findUnitsOfProject,
  type ReadUnit,
} from './store.ts';

/** The unit that a request changes, and the versions of it that the request accepts. */
interface Target {
  id: string;
  ifMatch: IfMatch;
}

/** Finds a unit. Throws a 404 when the account has none with this id. */
export async function requireUnit(db: Queryable, accountId: string, id: string): Promise<ReadUnit> {
  const [unit] = isUuid(id) ? await findUnits(db, accountId, [id]) : [];
  if (unit === undefined) throw unitNotFound();
  return unit;
}

/** Creates the function that reads units for their events, as the API shows them, by their ids. */
export function createUnitReader(imageBases: ImageBases) {
  return async function readUnitObjects(
    db: Queryable,
    { accountId }: Pick<Principal, 'accountId'>,
    ids: string[],
  ): Promise<Map<string, ShownUnit>> {
    const found = await findUnits(db, accountId, ids);
    return new Map(found.map((unit) => [unit.id, presentUnit(imageBases, unit)]));
  };
}

/** Changes a unit. The caller may write projects, or may hold units. */
export async function changeUnit(
  editor: StockEditor,
  { id, ifMatch }: Target,
  changes: UnitChanges,
): Promise<ShownUnit> {
  const { principal, author, imageBases } = editor;
  const { accountId } = principal;
  const mayWrite = principal.can('projects:write');
  if (!mayWrite) requireHoldableChange(changes);
  const { result } = await editStock(editor, async (tx) => {
    const stored = await requireUnit(tx, accountId, id);
    const current = presentUnit(imageBases, stored);
    requireMatch(ifMatch, current);
    if (!mayWrite) requireHoldableUnit(stored);
    const { row, change } = planUnitChanges(stored, changes);
    if (change === 'unchanged') return current;
    await writeStock(tx, accountId, { units: [{ stored, row }] }, { author, now: new Date() });
    return presentUnit(imageBases, await requireUnit(tx, accountId, id));
  });
  return result;
}

/** Deletes a unit. Throws a 409 when contacts are linked to it. */
export async function deleteUnit(editor: StockEditor, { id, ifMatch }: Target): Promise<void> {
  const { principal, author, imageBases } = editor;
  const { accountId } = principal;
  const remove = () =>
    editStock(editor, async (tx) => {
      const stored = await requireUnit(tx, accountId, id);
      requireMatch(ifMatch, presentUnit(imageBases, stored));
      const contacts = await countLinks(tx, accountId, stored);
      if (contacts > 0) throw unitInUse(contacts);
      await writeStock(tx, accountId, { removedUnits: [stored] }, { author, now: new Date() });
      return {};
    });
  await remove().catch((error: unknown) => {
    // Another transaction linked a contact meanwhile. The second attempt finds the link.
    if (isForeignKeyViolation(error)) return remove();
    throw error;
  });
}

function unitInUse(contacts: number): Problem {
  const detail =
    'Contacts are linked to the unit. Set its status to Withdrawn in place of deleting it: then it is not shown.';
  return new Problem('in_use', detail, { references: { contacts } });
}

interface Creation {
  projectId: string;
  claim: IdempotencyClaim | null;
  isList: boolean;
}

/** Creates units of a project, all or none, after the existing ones. */
export async function createUnits(
  editor: StockEditor,
  { projectId, claim, isList }: Creation,
  entries: NewUnit[],
): Promise<{ units: ShownUnit[]; isRepeat: boolean }> {
  const { principal, author, imageBases } = editor;
  const { accountId } = principal;
  const create = async (tx: Queryable) => {
    const project = await requireProject(tx, { accountId, imageBases }, projectId);
    const lastPosition = await findLastPosition(tx, accountId, project.id);
    const rows = planNewUnits(entries, { projectId: project.id, lastPosition, newId });
    const units = rows.map((row, index) => ({
      stored: undefined,
      row,
      pointer: isList ? `/units/${index}` : '',
    }));
    await writeStock(tx, accountId, { units }, { author, now: new Date() });
    const ids = rows.map(({ id }) => id);
    const made = await findUnits(tx, accountId, ids);
    const sorted = made.toSorted((a, b) => a.position - b.position);
    return { units: sorted.map((unit) => presentUnit(imageBases, unit)) };
  };
  const { result, isRepeat } = await editStock(editor, create, { claim, status: 201 });
  return { ...result, isRepeat };
}

/** Puts the units of a project in another order. */
export async function orderUnits(
  editor: StockEditor,
  { id: projectId, ifMatch }: Target,
  unitIds: string[],
): Promise<void> {
  const { principal, author, imageBases } = editor;
  const { accountId } = principal;
  await editStock(editor, async (tx) => {
    const project = await requireProject(tx, { accountId, imageBases }, projectId);
    requireMatch(ifMatch, project);
    const stored = await findUnitsOfProject(tx, accountId, project.id);
    const units = planOrder(stored, unitIds);
    if (units === null) throw notTheSameUnits();
    if (units.length > 0) await writeStock(tx, accountId, { units }, { author, now: new Date() });
    return {};
  });
}

function notTheSameUnits(): Problem {
  const detail =
    'unitIds must have the id of each unit of the project once, withdrawn ones too. Read the units again.';
  return new Problem('not_the_same_units', detail);
}
