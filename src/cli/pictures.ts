import { findAccountBySlug, listAccounts } from '../accounts/index.ts';
import type { Config } from '../platform/config/index.ts';
import type { Pools } from '../platform/database/index.ts';
import { openDatabase } from './database.ts';
import { explainError } from './explain.ts';
import { formatAmount, say } from './output.ts';

/**
 * Reports the image keys of an account whose URLs do not work: keys of uploaded pictures that the service does not have and,
 * without MEDIA_BASE_URL, keys of pictures outside the service, except those of the demo.
 */
export async function reportPictures(
  { mediaDir, mediaBaseUrl, publicUrl }: Config,
  { lists }: Pools,
  accountId: string,
  slug: string,
): Promise<void> {
  // Import the file itself: the index of the room would load the web server.
  const { listUnservedKeys } = await import('../media/uses.ts');
  const { stored, others } = await listUnservedKeys(lists, mediaDir, accountId);
  report(
    stored,
    `copy the pictures of the account into ${mediaDir}, or send them to POST /media and use their new keys.`,
  );
  if (mediaBaseUrl === `${publicUrl}/media`)
    report(others, 'set MEDIA_BASE_URL to the storage or CDN that has the pictures.');

  function report(keys: string[], advice: string): void {
    const [first] = keys;
    if (first === undefined) return;
    const count = formatAmount(keys.length, 'image key');
    say(`Account "${slug}" has ${count} that nothing serves, such as "${first}": ${advice}`);
  }
}

/** Does as `reportPictures` for all accounts. It reports nothing when the database does not answer. */
export async function reportAllPictures(config: Config): Promise<void> {
  await using resources = new AsyncDisposableStack();
  try {
    const { pools, prepare, close } = await openDatabase(config);
    resources.defer(close);
    await prepare();
    for (const { slug } of await listAccounts(pools.lists)) {
      const accountId = await findAccountBySlug(pools.lists, slug);
      if (accountId !== undefined) await reportPictures(config, pools, accountId, slug);
    }
  } catch (error) {
    for (const line of explainError(error)) say(`The pictures were not checked: ${line}`);
  }
}
