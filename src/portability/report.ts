import { ORGANIZATION } from '../accounts/index.ts';
import { listFieldChanges, type Change } from '../platform/fields/index.ts';
import { PROJECT, UNIT, type Project } from '../projects/index.ts';
import { USER, type User } from '../users/index.ts';
import type { ContactPlan } from './contact-changes.ts';
import type { LoadPlan } from './plan-load.ts';
import { countChanges, DETAILS_MAX_COUNT, type ChangeCounts, type RowChange } from './plan-rows.ts';

/** How many rows of each kind a load created, updated and left unchanged. */
export interface LoadReport {
  account: 'created' | 'updated';
  slug: string;
  organization: Change;
  users: ChangeCounts;
  projects: ChangeCounts;
  units: ChangeCounts & { removed: number };
  tags: { created: number };
  contacts: ChangeCounts;
  activities: { created: number };
  links: { created: number };
  /** All units that the load removes, and the first rows of each kind that it creates or updates. */
  changes: RowChange[];
}

/** Reports what a load does, or would do. */
export function makeReport(
  slug: string,
  plan: LoadPlan,
  contacts: ContactPlan,
  createdTags: number,
): LoadReport {
  const { account, organization, users, stock } = plan;
  const count = (part: 'activities' | 'links') =>
    contacts.chunks.reduce((sum, chunk) => sum + chunk.changes[part].length, 0);
  return {
    account: account.isNew ? 'created' : 'updated',
    slug,
    organization: organization.change,
    users: countChanges(users),
    projects: countChanges(stock.projects),
    units: { ...countChanges(stock.units), removed: stock.removedUnits.length },
    tags: { created: createdTags },
    contacts: contacts.counts,
    activities: { created: count('activities') },
    links: { created: count('links') },
    changes: [...listStockChanges(plan), ...contacts.details],
  };
}

/** Whether a load has anything to write. */
export function hasChanges({ account, organization, tags, units, ...parts }: LoadReport): boolean {
  const { users, projects, contacts } = parts;
  const rows = [users, projects, units, contacts].map(({ created, updated }) => created + updated);
  return (
    account === 'created' ||
    organization === 'updated' ||
    [tags.created, units.removed, ...rows].some((count) => count > 0)
  );
}

function listStockChanges({ organization, storedOrganization, users, stock }: LoadPlan) {
  const { projects, units, removedUnits, projectsAfter } = stock;
  const slugOf = new Map(projectsAfter.map(({ id, slug }) => [id, slug]));
  const nameUnit = ({ projectId, name }: { projectId: string; name: string }) =>
    `${slugOf.get(projectId)}/${name}`;
  const changes: RowChange[] = [];
  if (organization.change === 'updated' && storedOrganization !== undefined) {
    const fields = listFieldChanges(ORGANIZATION, storedOrganization, organization.row);
    const name = storedOrganization.companyName;
    changes.push({ noun: 'organization', name, change: 'updated', fields, added: [] });
  }
  changes.push(
    ...listRowChanges('user', USER, users, (user: User) => user.email),
    ...listRowChanges(
      'project',
      PROJECT,
      projects,
      ({ slug }: Project) => slug,
      ({ related }) => (related === null ? [] : ['other related projects']),
    ),
    ...removedUnits.map((unit): RowChange => ({
      noun: 'unit',
      name: nameUnit(unit),
      change: 'removed',
      fields: [],
      added: [],
    })),
    ...listRowChanges('unit', UNIT, units, nameUnit, ({ row, stored }) =>
      row.position === stored?.position ? [] : ['another place in the list'],
    ),
  );
  return changes;
}

interface ReportedRow<Row> {
  row: Row;
  stored: Row | undefined;
  change: Change;
}

/** Lists the first rows that a load creates, and the first ones that it updates. */
function listRowChanges<Row extends object, Planned extends ReportedRow<Row> = ReportedRow<Row>>(
  noun: RowChange['noun'],
  kind: Parameters<typeof listFieldChanges>[0],
  planned: Planned[],
  readName: (row: Row) => string,
  describeMore: (planned: Planned) => string[] = () => [],
): RowChange[] {
  const select = (change: Change) =>
    planned.filter((each) => each.change === change).slice(0, DETAILS_MAX_COUNT);
  return [...select('created'), ...select('updated')].map((each): RowChange => {
    const { row, stored, change } = each;
    const fields = stored === undefined ? [] : listFieldChanges(kind, stored, row);
    const added = stored === undefined ? [] : describeMore(each);
    return { noun, name: readName(row), change, fields, added };
  });
}
