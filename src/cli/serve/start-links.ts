import { runInTransaction, type Pool } from '../../platform/database/index.ts';
import { createLink, formatLink, listAccountsWithoutOwner } from '../../users/index.ts';
import { isStdoutTerminal, printLines } from '../output.ts';

/** The most accounts with a line of their own. The others are only counted. */
const SHOWN_MAX_COUNT = 5;

/**
 * Prints how the first owner of each account can sign in, as long as no owner has a password. On a terminal, it prints a link; a log
 * must not contain one, so elsewhere it prints the command. It skips the account `demoSlug`, whose owner has another link.
 */
export async function showStartLinks(
  db: Pool,
  publicUrl: string,
  demoSlug: string | undefined,
): Promise<void> {
  const accounts = (await listAccountsWithoutOwner(db)).filter(({ slug }) => slug !== demoSlug);
  if (accounts.length === 0) return;
  if (!isStdoutTerminal() || accounts.length > SHOWN_MAX_COUNT)
    return printLines([describeAccounts(accounts.map(({ slug }) => slug))]);
  for (const { accountId, slug } of accounts) {
    const { token } = await runInTransaction(db, (tx) => createLink(tx, accountId, 'start', null));
    await printLines([
      `Nobody can sign in to ${slug} yet. This link makes its first owner; it works once, within an hour:`,
      `  ${formatLink(publicUrl, slug, 'start', token)}`,
    ]);
  }
}

function describeAccounts([slug = '', ...others]: string[]): string {
  const more = others.length === 0 ? '' : ` (nor to ${others.length} more)`;
  return `Nobody can sign in to ${slug}${more} yet: offplan users invite ${slug} EMAIL --role owner prints a link.`;
}
