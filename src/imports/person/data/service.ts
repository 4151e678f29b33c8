import {
  findMergedIds,
  presentActivity,
  readActivities,
  readProvenance,
  requireContact,
  type Reader,
} from '../../../contacts/index.ts';
import { listChanges, readEventsOf, type ChangeItem } from '../../../events/index.ts';
import { splitIntoChunks, type Queryable } from '../../../platform/database/index.ts';
import { toEmailKey } from '../../../platform/text/index.ts';
import { listViewsNaming } from '../../../views/index.ts';
import { listFilesNaming } from '../../contact-files/erase.ts';
import { presentDetail } from '../../log/present.ts';
import { readWholeRecords } from '../../log/list-store.ts';
import { describePerson, listOwnEmails } from '../describe-person.ts';
import { findEmails, findRefusedOf, type Emails } from '../find-imports.ts';
import { findImportsOf } from '../store.ts';

/** Few, since a payload can have a megabyte. */
const IMPORTS_IN_PAGE = 10;
const CHANGES_IN_PAGE = 100;

/**
 * Reads everything that the service stores of a person, as the parts of one JSON text. Erasing the contact removes the same rows.
 * Throws a 404 before the first part when there is no such contact, or the caller may not see it.
 */
export async function* readPersonData(
  tx: Queryable,
  reader: Reader,
  id: string,
): AsyncGenerator<string> {
  const { accountId } = reader;
  const contact = await requireContact(tx, reader, id);
  const provenance = await readProvenance(tx, accountId, contact);
  const mergedIds = await findMergedIds(tx, accountId, contact.id);
  const ids = [contact.id, ...mergedIds];
  yield `{"contact":${JSON.stringify({ ...contact, provenance })},"mergedIds":${JSON.stringify(mergedIds)}`;
  const selection = { filter: { contact: [contact.id] }, sort: '-occurredAt', fingerprint: '' };
  yield* formatMember('activities', readActivities(tx, reader, selection), presentActivity);
  yield* formatMember('changes', readChanges(tx, accountId, contact.id), (change) => change);
  const emails = await findEmails(tx, accountId, { ids, emailKey: toEmailKey(contact.email) });
  const imports = readImports(tx, accountId, ids, emails);
  yield* formatMember('imports', imports, presentDetail);
  yield* formatMember('events', readEventsOf(tx, accountId, ids), (event) => event);
  const person = await describePerson(tx, accountId, ids, contact, emails);
  yield `,"views":${JSON.stringify(await listViewsNaming(tx, accountId, person))}`;
  const files = await listFilesNaming(tx, accountId, person, listOwnEmails(emails));
  yield `,"files":${JSON.stringify(files)}}`;
}

/** Formats a member whose value is a list, page by page. */
async function* formatMember<Row>(
  name: string,
  pages: AsyncIterable<Row[]>,
  present: (row: Row) => object,
): AsyncGenerator<string> {
  yield `,"${name}":[`;
  let separator = '';
  for await (const page of pages) {
    yield separator + page.map((row) => JSON.stringify(present(row))).join(',');
    separator = ',';
  }
  yield ']';
}

async function* readChanges(
  tx: Queryable,
  accountId: string,
  contactId: string,
): AsyncGenerator<ChangeItem[]> {
  const filter = { subject: [contactId] };
  const page = { filter, sort: '-at', limit: CHANGES_IN_PAGE, isCounted: false, fingerprint: '' };
  let last: ChangeItem | undefined;
  for (;;) {
    const after = last === undefined ? null : { value: null, id: last.id };
    const { rows } = await listChanges(tx, accountId, { ...page, after });
    const changes = rows.slice(0, CHANGES_IN_PAGE);
    if (changes.length > 0) yield changes;
    if (rows.length <= CHANGES_IN_PAGE) return;
    last = changes.at(-1);
  }
}

/** Reads the imports that created or filled the contacts, and the refused ones that contain the person's emails. */
async function* readImports(tx: Queryable, accountId: string, ids: string[], emails: Emails) {
  const accepted = await findImportsOf(tx, accountId, ids);
  const refused = await findRefusedOf(tx, accountId, emails);
  const importIds = [...new Set([...accepted, ...refused])].toSorted();
  for (const chunk of splitIntoChunks(importIds, IMPORTS_IN_PAGE))
    yield await readWholeRecords(tx, accountId, chunk);
}
