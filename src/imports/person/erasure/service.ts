import {
  deleteEmailLocks,
  eraseContact,
  joinName,
  lockEmails,
  requireErasable,
  type Editor,
  type Target,
} from '../../../contacts/index.ts';
import { findFormerValues } from '../../../events/index.ts';
import {
  retryOnConflict,
  runInTransaction,
  type Queryable,
} from '../../../platform/database/index.ts';
import { dropAnswers } from '../../../platform/idempotency/index.ts';
import { eraseFromViews } from '../../../views/index.ts';
import { eraseResponses, lockOutcomes } from '../../../webhooks/index.ts';
import { eraseFromFileNames, eraseFromFiles, searchFiles } from '../../contact-files/erase.ts';
import { removeRemarks } from '../../contact-files/store.ts';
import { recountRefusedBytes } from '../../log/refused-bytes.ts';
import { listNamedRuns } from '../../log/run-store.ts';
import { findEmails, findRefusedOf, type Emails } from '../find-imports.ts';
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
      const former = await findFormerNamesAndPhones(tx, accountId, ids);
      await lockOutcomes(tx, accountId);
      await eraseContact(tx, accountId, ids, { author, now });
      await deleteEmailLocks(tx, accountId, ownEmails);
      const imported = await emptyRecords(tx, accountId, [...accepted, ...refused], now);
      await recountRefusedBytes(tx, accountId);
      const deleted = await eraseFromFiles(tx, accountId, ownEmails, searched);
      await removeRemarks(tx, accountId, imported);
      const { name, firstName, lastName, phone, mobilePhone } = contact;
      const person = {
        emails: [contact.email, ...ownEmails],
        names: [name, joinName(firstName, lastName), ...former.names],
        phones: [phone, mobilePhone, ...former.phones],
      };
      const renamed = await eraseFromFileNames(tx, accountId, person, runs);
      // The answer to a start has samples, remarks and the name of the file.
      await dropAnswers(tx, accountId, [...ids, ...imported, ...deleted, ...renamed]);
      await eraseResponses(tx, accountId, ids);
      await eraseFromViews(tx, accountId, person);
    }),
  );
}

/** Finds the names and phones that a person had. */
async function findFormerNamesAndPhones(
  tx: Queryable,
  accountId: string,
  ids: string[],
): Promise<{ names: string[]; phones: string[] }> {
  const find = async (field: string) =>
    (await findFormerValues(tx, accountId, ids, field)).map(({ value }) => value);
  return {
    names: await find('name'),
    phones: [...(await find('phone')), ...(await find('mobilePhone'))],
  };
}

/** Lists the emails of a person that no other contact has. */
function listOwnEmails({ emailKey, leftAt }: Emails): string[] {
  return [emailKey, ...[...leftAt.keys()].filter((key) => leftAt.get(key) === null)];
}
