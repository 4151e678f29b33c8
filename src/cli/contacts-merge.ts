import { mergeContacts, MergeError, type LeftBehind, type MergeReport } from '../contacts/index.ts';
import { findAccount } from './account.ts';
import { CommandError, type Command } from './command.ts';
import { withDatabase } from './database.ts';
import { print } from './output.ts';

export const contactsMerge: Command = {
  usage: 'contacts merge ACCOUNT KEEP_ID DUPLICATE_ID... [--dry-run] [--json]',
  summary: 'Merges contacts with one email into the one to keep; all of it or nothing.',
  options: {
    'dry-run': { type: 'boolean', help: 'Tells what would happen, and changes nothing.' },
    json: { type: 'boolean', help: 'Prints one JSON object.' },
  },
  async run({ words: [slug = '', keepId = '', ...duplicateIds], flags, config }) {
    const dryRun = flags['dry-run'] === true;
    const report = await withDatabase(config, async ({ lookups: db }) => {
      const accountId = await findAccount(db, slug);
      return mergeContacts(db, accountId, keepId, duplicateIds, { dryRun });
    }).catch((error: unknown) => {
      throw error instanceof MergeError ? refusal(error, slug) : error;
    });
    const text = flags['json']
      ? `${JSON.stringify({ dryRun, ...report }, null, 2)}\n`
      : describe(report, dryRun);
    await print(text);
  },
};

function refusal({ message }: MergeError, slug: string): CommandError {
  return new CommandError(
    `${message}; offplan contacts duplicates ${slug} shows which contacts share an email`,
  );
}

function describe(report: MergeReport, dryRun: boolean): string {
  const { contactId, email, filledFields, activated, moved, removedContactIds } = report;
  const lines = [
    `${dryRun ? 'Would keep' : 'Kept'} ${contactId}, ${email}.`,
    `  fields filled: ${filledFields.join(', ') || 'none'}`,
    ...Object.entries(moved).map(([what, count]) => `  ${what} moved: ${count}`),
    `  contacts removed: ${removedContactIds.join(', ')}`,
    ...(activated ? ['  archived: no longer'] : []),
    ...report.leftBehind.map(describeLeftBehind),
    ...(dryRun ? ['Nothing was changed.'] : []),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

// As JSON, so that a note of many lines is one, and a number is not a text.
function describeLeftBehind({ contactId, field, value }: LeftBehind): string {
  return `Left behind from ${contactId}: ${field} ${JSON.stringify(value)}`;
}
