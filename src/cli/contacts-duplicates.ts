import { listDuplicates, type DuplicateEmail } from '../contacts/index.ts';
import { withAccount } from './account.ts';
import { onOneLine, printJson, printTable, say, timeText } from './output.ts';

export async function printDuplicates(slug: string, { json }: { json?: true }): Promise<void> {
  const duplicates = await withAccount(slug, ({ lists }, accountId) =>
    listDuplicates(lists, accountId),
  );
  if (json) return printJson(duplicates);
  if (duplicates.length === 0)
    return say(`No email of account "${slug}" has more than one contact.`);
  await printTable(
    ['EMAIL', 'CONTACT ID', 'NAME', 'STAGE', 'IMPORTED', 'ARCHIVED'],
    duplicates.flatMap(rowsOf),
  );
  say(
    `To merge those with one email: offplan contacts merge ${slug} KEEP_ID DUPLICATE_ID... [--dry-run]`,
  );
}

function rowsOf({ email, contacts }: DuplicateEmail): string[][] {
  return contacts.map(({ id, name, stage, importedAt, archivedAt }) => [
    email,
    id,
    onOneLine(name ?? '') || '-',
    stage ?? '-',
    timeText(importedAt),
    timeText(archivedAt),
  ]);
}
