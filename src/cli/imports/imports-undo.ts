import { undoEndedRun, type RemainingContact, type UndoReport } from '../../imports/index.ts';
import { formatCount } from '../../platform/text/index.ts';
import { CommandError } from '../command-error.ts';
import { withAccount } from '../database.ts';
import { explainProblem } from '../explain-problem.ts';
import { formatAmount, printJson, printLines } from '../output.ts';

/** Runs `offplan imports undo`: removes the contacts that an import of a file created. */
export async function undoImport(
  slug: string,
  run: string,
  { dryRun = false, json }: { dryRun?: boolean; json?: true },
): Promise<void> {
  const remaining: RemainingContact[] = [];
  const undo = {
    dryRun,
    now: () => new Date(),
    onRemaining: (some: RemainingContact[]) => void remaining.push(...some),
  };
  const report = await withAccount(
    slug,
    ({ lookups }, accountId) => undoEndedRun(lookups, accountId, run, undo).catch(explainProblem),
    {
      describeStop: () =>
        dryRun
          ? undefined
          : 'Stopped; some of the contacts may be removed. Undo the run again for the others.',
    },
  );
  if (report === undefined)
    throw new CommandError(
      `the log of account "${slug}" has no run ${run}; offplan imports list ${slug} shows those it has`,
    );
  const { kept: _kept, ...counts } = report;
  await (json
    ? printJson({ dryRun, ...counts, remaining })
    : printLines(describeUndo(report, remaining, dryRun)));
}

function describeUndo(
  { removed, gone, merged, kept }: UndoReport,
  remaining: RemainingContact[],
  dryRun: boolean,
): string[] {
  return [
    `${dryRun ? 'Would remove' : 'Removed'} ${formatAmount(removed, 'contact')} that the run created; ${formatCount(kept)} remain.`,
    ...remaining.map(
      ({ contactId, email, reason }) => `  remains: ${contactId}  ${email}  ${reason}`,
    ),
    ...(gone > 0 ? [`  gone before: ${formatAmount(gone, 'contact')}`] : []),
    ...(merged > 0
      ? [`  not the run's: ${formatAmount(merged, 'contact')} that it found keep what it filled in`]
      : []),
    ...(dryRun ? ['Nothing was changed.'] : []),
  ];
}
