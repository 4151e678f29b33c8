import { eraseContact, requireErasable, type Editor, type Target } from '../../contacts/index.ts';
import {
  retryOnConflict,
  runInTransaction,
  type Queryable,
} from '../../platform/database/index.ts';
import { dropAnswers } from '../../platform/idempotency/index.ts';
import { parseEmail, toEmailKey } from '../../platform/text/index.ts';
import { recountRefusedBytes } from '../log/refused-bytes.ts';
import { parsePayload } from '../log/retry.ts';
import { emptyRecords, findImportsOf, readRefusedPayloads } from './store.ts';

/**
 * Erases a person, in one transaction: the contact with its activities, tags, links and changes, what the import log keeps of
 * its imports and of refused ones with its email, and the answers that repeats of requests would get. No column of any
 * table then holds the person's email, phones, names or notes.
 */
export async function erasePerson(
  { db, principal, author }: Editor,
  target: Target,
): Promise<void> {
  const { accountId } = principal;
  await retryOnConflict(() =>
    runInTransaction(db, async (tx) => {
      const now = new Date();
      const { ids, emailKey } = await requireErasable(tx, principal, target);
      const accepted = await findImportsOf(tx, accountId, ids);
      const refused = await findRefusedOf(tx, accountId, emailKey);
      await eraseContact(tx, accountId, ids, { author, now });
      await emptyRecords(tx, accountId, [...accepted, ...refused], now);
      await recountRefusedBytes(tx, accountId);
      await dropAnswers(tx, accountId, ids);
    }),
  );
}

/** Finds the refused imports with an email. */
export async function findRefusedOf(
  tx: Queryable,
  accountId: string,
  emailKey: string,
): Promise<string[]> {
  const ids: string[] = [];
  for await (const page of readRefusedPayloads(tx, accountId))
    for (const { id, payload, file } of page)
      if (readEmailKey(parsePayload(payload, file).value) === emailKey) ids.push(id);
  return ids;
}

function readEmailKey(value: unknown): string | null {
  const { email } = { ...(value as { email?: unknown } | null) };
  const parsed = typeof email === 'string' ? parseEmail(email) : null;
  return parsed === null ? null : toEmailKey(parsed);
}
