import type { Queryable } from '../platform/database/index.ts';
import type { ContactPlan } from './contact-changes.ts';
import type { FaultList } from './faults.ts';
import type { LoadPlan } from './plan-load.ts';
import { findLaterRevisions, findOrganizationRevision, type StampedTable } from './store.ts';

/** A row that a load would change, and the entry that changes it. */
interface WrittenRow {
  id: string;
  pointer: string;
  /** The name of the row in a fault. For a contact or a user it is the id, since faults have no personal data. */
  name: string;
}

/** Reports the rows that the load would change, although they have changed after the export of the file. */
export async function reportStaleRows(
  tx: Queryable,
  { account: { accountId }, organization, users, stock }: LoadPlan,
  contacts: ContactPlan,
  revision: string,
  faults: FaultList,
): Promise<void> {
  if (organization.change === 'updated') {
    const changedAt = await findOrganizationRevision(tx, accountId, revision);
    if (changedAt !== undefined)
      faults.reportStale('/account/organization', `was changed at ${changedAt}.`);
  }

  async function report(table: StampedTable, rows: WrittenRow[], clause: string): Promise<void> {
    const ids = rows.map(({ id }) => id);
    const changedAt = await findLaterRevisions(tx, accountId, table, ids, revision);
    for (const { id, pointer, name } of rows)
      if (changedAt.has(id))
        faults.reportStale(pointer, `${name} ${clause} at ${changedAt.get(id)}.`);
  }

  const wasChanged = 'was changed';
  await report('users', users.filter(isUpdated).map(toWrittenRow('user')), wasChanged);
  const projects = stock.projects.filter(({ ownChange }) => ownChange === 'updated');
  await report('projects', projects.map(toWrittenRow('project')), wasChanged);
  await report('units', stock.units.filter(isUpdated).map(toWrittenRow('unit')), wasChanged);
  const pointerOf = new Map(stock.projects.map(({ row, pointer }) => [row.id, pointer]));
  const removed = stock.removedUnits.map(({ id, name, projectId }) => ({
    id,
    pointer: `${pointerOf.get(projectId)}/units`,
    name: `leaves out the unit "${name}", which`,
  }));
  await report('units', removed, 'was added or changed');
  await report('contacts', contacts.updated.map(toWrittenRow('contact')), wasChanged);
}

const isUpdated = ({ change }: { change: string }): boolean => change === 'updated';

function toWrittenRow(noun: string) {
  return ({ pointer, row }: { pointer: string; row: { id: string } }): WrittenRow => {
    return { id: row.id, pointer, name: `${noun} ${row.id}` };
  };
}
