import type { Queryable } from '../../../platform/database/index.ts';
import { isIdField, type IdField } from '../../id-fields.ts';
import { hasAnyId } from '../../store.ts';
import type { Columns } from '../columns/columns.ts';
import type { Survey } from './survey.ts';

const THINGS: Record<IdField, string> = {
  projectId: 'project',
  unitId: 'unit',
  assignedAccountUserId: 'user',
};

/**
 * Leaves out the columns of ids that contain no id of the account: the ids are those of the other system, and would refuse every
 * row. A column that `--map` names stays.
 */
export async function leaveOutForeignIds<Layout extends Columns>(
  db: Queryable,
  accountId: string,
  layout: Layout,
  { ids }: Survey,
): Promise<Layout> {
  const fields = [...layout.fields];
  const ignored = [...layout.ignored];
  for (const [at, column] of ids) {
    const field = fields[at] ?? null;
    if (!isIdField(field) || !column.isFilled) continue;
    if (await hasAnyId(db, accountId, field, [...column.ids])) continue;
    fields[at] = null;
    ignored.push(`${layout.names[at]} (it holds no id of a ${THINGS[field]} of this account)`);
  }
  return { ...layout, fields, ignored };
}
