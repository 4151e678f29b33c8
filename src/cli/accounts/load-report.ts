import { formatCount } from '../../platform/text/index.ts';
import type { LoadOptions, LoadReport, RowChange } from '../../portability/index.ts';

const VALUE_MAX_LENGTH = 60;

/** Describes a load to the operator. A dry run names the changes, a load only the units that it removed and added. */
export function describeLoad(report: LoadReport, { dryRun = false }: LoadOptions): string[] {
  const { account, slug, organization, changes: _, ...parts } = report;
  return [
    describeAccount(slug, account, dryRun),
    `  organization: ${organization}`,
    ...Object.entries(parts).map(([part, counts]) => `  ${part}: ${describeCounts(counts)}`),
    ...(dryRun ? describeChanges(report) : describeUnits(report)),
    ...(dryRun ? ['Nothing was changed.'] : []),
  ];
}

function describeAccount(slug: string, account: LoadReport['account'], dryRun: boolean): string {
  const done = account === 'created' ? 'created' : 'brought up to date';
  return `Account "${slug}" ${dryRun ? 'would be ' : ''}${done}.`;
}

function describeCounts(counts: Record<string, number>): string {
  const changes = Object.entries(counts).filter(([, count]) => count > 0);
  return changes.map(([change, count]) => `${count} ${change}`).join(', ') || 'nothing new';
}

/** Names the units that a load removed. Names those that it added too, since a name that comes back is a new unit. */
function describeUnits({ account, changes, units }: LoadReport): string[] {
  const removed = selectChanges(changes, 'unit', 'removed');
  const created = account === 'created' ? [] : selectChanges(changes, 'unit', 'created');
  const removedNames = new Set(removed.map(({ name }) => name));
  const lines = [
    ...removed.map((change) => `Removed ${nameRow(change)}.`),
    ...created.map(
      (change) =>
        `Created ${nameRow(change)}${removedNames.has(change.name) ? ', in place of the removed one' : ''}.`,
    ),
  ];
  const hidden = units.created - created.length;
  return account === 'created' || hidden === 0
    ? lines
    : [...lines, `Created ${formatCount(hidden)} more units.`];
}

const PARTS = { user: 'users', project: 'projects', unit: 'units', contact: 'contacts' } as const;

/** Describes what a load would do: row by row for the rows in the report, and as a count for the others. */
function describeChanges(report: LoadReport): string[] {
  const { changes } = report;
  const organization = selectChanges(changes, 'organization', 'updated').map(describeUpdate);
  const rows = Object.entries(PARTS).flatMap(([noun, part]) => {
    const created = selectChanges(changes, noun, 'created');
    const updated = selectChanges(changes, noun, 'updated');
    const removed = selectChanges(changes, noun, 'removed');
    return [
      ...removed.map((change) => `Would remove ${nameRow(change)}.`),
      ...created.map((change) => `Would create ${nameRow(change)}.`),
      ...countHidden(report[part].created - created.length, `Would create`, part),
      ...updated.filter(hasDetails).map(describeUpdate),
      ...countHidden(report[part].updated - updated.length, `Would change`, part),
    ];
  });
  return [...organization, ...rows];
}

function countHidden(count: number, verb: string, part: string): string[] {
  return count > 0 ? [`${verb} ${formatCount(count)} more ${part}.`] : [];
}

function selectChanges(
  changes: RowChange[],
  noun: string,
  change: RowChange['change'],
): RowChange[] {
  return changes.filter((each) => each.noun === noun && each.change === change);
}

// A project also counts as updated when only its units change. The units have lines of their own.
const hasDetails = ({ fields, added }: RowChange) => fields.length + added.length > 0;

const nameRow = ({ noun, name }: RowChange): string => `${noun} ${quote(name)}`;

function describeUpdate(change: RowChange): string {
  const fields = change.fields.map(
    ({ field, from, to }) => `${field} ${showValue(from)} to ${showValue(to)}`,
  );
  return `Would change ${nameRow(change)}: ${[...fields, ...change.added].join('; ')}.`;
}

function showValue(value: unknown): string {
  return value === null ? 'empty' : quote(value);
}

/** Formats a value as JSON on one line, and cuts a long one. */
function quote(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > VALUE_MAX_LENGTH ? `${text.slice(0, VALUE_MAX_LENGTH)}…` : text;
}
