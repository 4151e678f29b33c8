import { recordEvents, tickStockClock } from '../accounts/index.ts';
import type { Author, NewEvent } from '../events/index.ts';
import { requirePictures } from '../media/index.ts';
import type { Queryable } from '../platform/database/index.ts';
import { readCreationTime } from '../platform/text/index.ts';
import {
  listProjectDeletion,
  listProjectEvents,
  listUnitDeletion,
  listUnitEvents,
} from './events.ts';
import { listWrittenKeys } from './pictures.ts';
import type { ProjectChange, RowChange } from './rules.ts';
import type { Project, Unit } from './schemas.ts';
import {
  deleteProjects,
  deleteUnits,
  recordRemovals,
  replaceRelatedProjects,
  touchProjects,
  writeProjects,
  writeUnits,
} from './store.ts';

/** The changes of an account's stock. A missing list is empty. */
export interface StockChanges {
  projects?: ProjectChange[];
  units?: RowChange<Unit>[];
  removedUnits?: Unit[];
  /** Projects that are deleted. PostgreSQL deletes their units and their places among related projects. */
  removedProjects?: Project[];
}

/** Lists the events of changes of stock. */
export function listStockEvents({
  projects = [],
  units = [],
  removedUnits = [],
  removedProjects = [],
}: StockChanges): NewEvent[] {
  return [
    ...projects.flatMap(({ stored, row, related }) => listProjectEvents(stored, row, related)),
    ...removedUnits.flatMap(listUnitDeletion),
    ...units.flatMap(({ stored, row }) => listUnitEvents(stored, row)),
    ...removedProjects.flatMap(listProjectDeletion),
  ];
}

/**
 * Writes projects and units; no other function does. For each project that changes, or whose units change, it ticks the stock
 * clock once and raises the version, because the stock endpoints show both. The caller must have locked the account before it
 * read the rows, and must have raised the revision. After COMMIT, it must clear the cache of the stock clock.
 */
export async function writeStockRows(
  tx: Queryable,
  accountId: string,
  { projects = [], units = [], removedUnits = [], removedProjects = [] }: StockChanges,
  now: Date,
): Promise<void> {
  const ownIds = new Set(projects.map(({ row }) => row.id));
  const removedIds = new Set(removedProjects.map(({ id }) => id));
  const unitsOf = [...units.map(({ row }) => row), ...removedUnits];
  const touchedIds = [...new Set(unitsOf.map(({ projectId }) => projectId))].filter(
    (id) => !ownIds.has(id) && !removedIds.has(id),
  );
  const changedIds = [...ownIds, ...touchedIds];
  if (changedIds.length + removedIds.size === 0) return;
  const times = await tickStockClock(tx, accountId, changedIds.length, now);
  const timeOf = new Map(changedIds.map((id, index) => [id, times[index] ?? new Date(NaN)]));
  const addTimes = <Row extends { id: string }>(row: Row, projectId: string) => {
    const updatedAt = timeOf.get(projectId) ?? new Date(NaN);
    return { ...row, createdAt: readCreationTime(row.id, now), updatedAt };
  };
  const timedProjects = projects.map(({ row, ...change }) => {
    return { ...change, row: addTimes(row, row.id) };
  });
  await writeProjects(
    tx,
    accountId,
    timedProjects.map(({ row }) => row),
  );
  await recordRemovals(tx, accountId, timedProjects);
  await touchProjects(
    tx,
    accountId,
    touchedIds.map((id) => addTimes({ id }, id)),
  );
  await replaceRelatedProjects(
    tx,
    accountId,
    projects.flatMap(({ row: { id }, related }) =>
      related === null ? [] : { id, relatedIds: related.after },
    ),
  );
  await deleteUnits(tx, accountId, removedUnits);
  await writeUnits(
    tx,
    accountId,
    units.map(({ row }) => addTimes(row, row.projectId)),
  );
  await deleteProjects(tx, accountId, [...removedIds]);
}

/**
 * Writes one author's changes of stock, with their events. Throws a 422 when they refer to a picture that the account does not
 * have. See `writeStockRows`.
 */
export async function writeStock(
  tx: Queryable,
  accountId: string,
  changes: StockChanges,
  { author, now }: { author: Author; now: Date },
): Promise<void> {
  await requirePictures(tx, accountId, listWrittenKeys(changes));
  const events = listStockEvents(changes);
  await recordEvents(tx, accountId, [{ author, events }], { now });
  await writeStockRows(tx, accountId, changes, now);
}
