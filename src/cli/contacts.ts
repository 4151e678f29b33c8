import {
  listDuplicates,
  mergeContacts,
  MergeError,
  type DuplicateEmail,
  type LostValue,
  type MergeReport,
} from '../contacts/index.ts';
import { CommandError } from './command-error.ts';
import { withAccount } from './database.ts';
import { printJson, printLines, printTable, say, formatTime } from './output.ts';

export async function printDuplicates(slug: string, { json }: { json?: true }): Promise<void> {
  const duplicates = await withAccount(slug, ({ lists }, accountId) =>
    listDuplicates(lists, accountId),
  );
  if (json) return printJson(duplicates);
  if (duplicates.length === 0)
    return say(`No email of account "${slug}" has more than one contact.`);
  await printTable(
    ['EMAIL', 'CONTACT ID', 'NAME', 'STAGE', 'IMPORTED', 'ARCHIVED'],
    duplicates.flatMap(toRows),
  );
  say(
    `To merge those with one email: offplan contacts merge ${slug} KEEP_ID DUPLICATE_ID... [--dry-run]`,
  );
}

function toRows({ email, contacts }: DuplicateEmail): string[][] {
  return contacts.map(({ id, name, stage, importedAt, archivedAt }) => [
    email,
    id,
    name ?? '-',
    stage ?? '-',
    formatTime(importedAt),
    formatTime(archivedAt),
  ]);
}

export async function mergeDuplicates(
  slug: string,
  keepId: string,
  duplicateIds: string[],
  { dryRun = false, json }: { dryRun?: boolean; json?: true },
): Promise<void> {
  const report = await withAccount(slug, ({ lookups }, accountId) =>
    mergeContacts(lookups, accountId, keepId, duplicateIds, { dryRun }),
  ).catch((error: unknown) => {
    throw error instanceof MergeError ? createMergeRefusal(error, slug) : error;
  });
  await (json ? printJson({ dryRun, ...report }) : printLines(describeMerge(report, dryRun)));
}

function createMergeRefusal({ message }: MergeError, slug: string): CommandError {
  return new CommandError(
    `${message}; offplan contacts duplicates ${slug} shows which contacts share an email`,
  );
}

function describeMerge(report: MergeReport, dryRun: boolean): string[] {
  const { contactId, email, filledFields, activated, moved, removedContactIds } = report;
  return [
    `${dryRun ? 'Would keep' : 'Kept'} ${contactId}, ${email}.`,
    `  fields filled: ${filledFields.join(', ') || 'none'}`,
    ...Object.entries(moved).map(([part, count]) => `  ${part} moved: ${count}`),
    `  contacts removed: ${removedContactIds.join(', ')}`,
    ...(activated ? ['  archived: no longer'] : []),
    ...report.leftBehind.map(describeLostValue),
    ...(dryRun ? ['Nothing was changed.'] : []),
  ];
}

// JSON shows a note of several lines on one line, and a number without quotes.
function describeLostValue({ contactId, field, value }: LostValue): string {
  return `Left behind from ${contactId}: ${field} ${JSON.stringify(value)}`;
}
