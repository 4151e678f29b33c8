import { duplicatesList, type DuplicateEmail } from '../contacts/index.ts';
import { findAccount } from './account.ts';
import { table, type Command } from './command.ts';
import { withDatabase } from './database.ts';
import { onOneLine, print, say } from './output.ts';

export const contactsDuplicates: Command = {
  usage: 'contacts duplicates ACCOUNT [--json]',
  summary: 'Lists the emails that more than one contact has, with these contacts.',
  options: { json: { type: 'boolean', help: 'Prints one JSON array.' } },
  async run({ words: [slug = ''], flags, config }) {
    const duplicates = await withDatabase(config, async ({ lists: db }) =>
      duplicatesList(db, await findAccount(db, slug)),
    );
    if (flags['json']) return print(`${JSON.stringify(duplicates, null, 2)}\n`);
    if (duplicates.length === 0)
      return say(`No email of account "${slug}" has more than one contact.`);
    await print(table([COLUMNS, ...duplicates.flatMap(rowsOf)]));
    say(
      `To merge those with one email: offplan contacts merge ${slug} KEEP_ID DUPLICATE_ID... [--dry-run]`,
    );
  },
};

const COLUMNS = ['EMAIL', 'CONTACT ID', 'NAME', 'STAGE', 'IMPORTED', 'ARCHIVED'];

function rowsOf({ email, contacts }: DuplicateEmail): string[][] {
  const time = (date: Date | null): string => date?.toISOString() ?? '-';
  return contacts.map(({ id, name, stage, importedAt, archivedAt }) => [
    email,
    id,
    onOneLine(name ?? '') || '-',
    stage ?? '-',
    time(importedAt),
    time(archivedAt),
  ]);
}
