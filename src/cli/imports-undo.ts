import { undoRun, type UndoReport } from '../imports/index.ts';
import { isUuid } from '../platform/text/index.ts';
import { CommandError } from './command-error.ts';
import { withAccount } from './database.ts';
import { formatCount, printJson, printLines } from './output.ts';

/** Runs `offplan imports undo`: removes the contacts that an import of a file created. */
export async function undoImport(
  slug: string,
  run: string,
  { dryRun = false, json }: { dryRun?: boolean; json?: true },
): Promise<void> {
  const report = await withAccount(slug, async ({ lookups }, accountId) =>
    isUuid(run) ? undoRun(lookups, accountId, run, { dryRun, now: () => new Date() }) : undefined,
  );
  if (report === undefined)
    throw new CommandError(
      `the log of account "${slug}" has no run ${run}; offplan imports list ${slug} shows those it has`,
    );
  await (json ? printJson({ dryRun, ...report }) : printLines(describeUndo(report, dryRun)));
}

function describeUndo({ removed, gone, merged, remaining }: UndoReport, dryRun: boolean): string[] {
  return [
    `${dryRun ? 'Would remove' : 'Removed'} ${formatContacts(removed)} that the run created; ${formatCount(remaining.length)} remain.`,
    ...remaining.map(
      ({ contactId, email, reason }) => `  remains: ${contactId}  ${email}  ${reason}`,
    ),
    ...(gone > 0 ? [`  gone before: ${formatContacts(gone)}`] : []),
    ...(merged > 0
      ? [`  not the run's: ${formatContacts(merged)} that it found keep what it filled in`]
      : []),
    ...(dryRun ? ['Nothing was changed.'] : []),
  ];
}

function formatContacts(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'contact' : 'contacts'}`;
}
