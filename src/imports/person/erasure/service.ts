import {
  deleteEmailLocks,
  eraseContact,
  lockEmails,
  requireErasable,
  type Editor,
  type Target,
} from '../../../contacts/index.ts';
import { retryOnConflict, runInTransaction } from '../../../platform/database/index.ts';
import { dropAnswers } from '../../../platform/idempotency/index.ts';
import { eraseFromViews } from '../../../views/index.ts';
import { eraseResponses, lockOutcomes } from '../../../webhooks/index.ts';
import { eraseFromFileNames, eraseFromFiles, searchFiles } from '../../contact-files/erase.ts';
import { removeRemarks } from '../../contact-files/store.ts';
import { recountRefusedBytes } from '../../log/refused-bytes.ts';
import { listNamedRuns } from '../../log/run-store.ts';
import { describePerson, listOwnEmails } from '../describe-person.ts';
import { findEmails, findRefusedOf } from '../find-imports.ts';
import { findImportsOf } from '../store.ts';
import { emptyRecords } from './store.ts';

/**
 * Erases a person in one transaction. It deletes the contact with its activities, tags, links and changes, the stored answers to
 * repeats of requests, and the answers of webhooks. It empties the log's records of the person's imports, and of refused ones
 * with their emails. It refuses uploaded files with these emails, and clears the names of files and the searches of saved views
 * that name the person. No column then contains the person's email or its hash, phones, names or notes.
 */
export async function erasePerson(
  { db, principal, author }: Editor,
  target: Target,
): Promise<void> {
  const { accountId } = principal;
  await retryOnConflict(() =>
    runInTransaction(db, async (tx) => {
      const now = new Date();
      const { ids, contact } = await requireErasable(tx, principal, target);
      const accepted = await findImportsOf(tx, accountId, ids);
      const emails = await findEmails(tx, accountId, { ids, emailKey: contact.emailKey });
      const refused = await findRefusedOf(tx, accountId, emails);
      const ownEmails = listOwnEmails(emails);
      await lockEmails(tx, accountId, ownEmails);
      // Search before the next statements, whose locks make leads wait.
      const searched = await searchFiles(tx, accountId, ownEmails);
      const runs = await listNamedRuns(tx, accountId);
      const person = await describePerson(tx, accountId, ids, contact, emails);
      await lockOutcomes(tx, accountId);
      await eraseContact(tx, accountId, ids, { author, now });
      await deleteEmailLocks(tx, accountId, ownEmails);
      const imported = await emptyRecords(tx, accountId, [...accepted, ...refused], now);
      await recountRefusedBytes(tx, accountId);
      const deleted = await eraseFromFiles(tx, accountId, ownEmails, searched);
      await removeRemarks(tx, accountId, imported);
      const renamed = await eraseFromFileNames(tx, accountId, person, runs);
      // The answer to a start has samples, remarks and the name of the file.
      await dropAnswers(tx, accountId, [...ids, ...imported, ...deleted, ...renamed]);
      await eraseResponses(tx, accountId, ids);
      await eraseFromViews(tx, accountId, person);
    }),
  );
}
