import { mergeContacts, MergeError, type LeftBehind, type MergeReport } from '../contacts/index.ts';
import { withAccount } from './account.ts';
import { CommandError } from './command-error.ts';
import { print, printJson } from './output.ts';

export async function mergeDuplicates(
  slug: string,
  keepId: string,
  duplicateIds: string[],
  { dryRun = false, json }: { dryRun?: boolean; json?: true },
): Promise<void> {
  const report = await withAccount(slug, ({ lookups }, accountId) =>
    mergeContacts(lookups, accountId, keepId, duplicateIds, { dryRun }),
  ).catch((error: unknown) => {
    throw error instanceof MergeError ? refusal(error, slug) : error;
  });
  await (json ? printJson({ dryRun, ...report }) : print(describeMerge(report, dryRun)));
}

function refusal({ message }: MergeError, slug: string): CommandError {
  return new CommandError(
    `${message}; offplan contacts duplicates ${slug} shows which contacts share an email`,
  );
}

function describeMerge(report: MergeReport, dryRun: boolean): string {
  const { contactId, email, filledFields, activated, moved, removedContactIds } = report;
  const lines = [
    `${dryRun ? 'Would keep' : 'Kept'} ${contactId}, ${email}.`,
    `  fields filled: ${filledFields.join(', ') || 'none'}`,
    ...Object.entries(moved).map(([part, count]) => `  ${part} moved: ${count}`),
    `  contacts removed: ${removedContactIds.join(', ')}`,
    ...(activated ? ['  archived: no longer'] : []),
    ...report.leftBehind.map(describeLeftBehind),
    ...(dryRun ? ['Nothing was changed.'] : []),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

// JSON puts a note of several lines on one, and shows a number as a number.
function describeLeftBehind({ contactId, field, value }: LeftBehind): string {
  return `Left behind from ${contactId}: ${field} ${JSON.stringify(value)}`;
}
