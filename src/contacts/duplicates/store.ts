import sql, { empty } from 'sql-template-tag';
import { queryOnce, type Queryable } from '../../platform/database/index.ts';
import { COUNT_MAX, cursorInvalid, type ListQuery } from '../../platform/http/index.ts';
import { isVisible, type Reader } from '../list/conditions.ts';
import { selectContacts, type ReadContact } from '../list/store.ts';

/** An email that several contacts have, and these contacts. */
export interface DuplicateGroup {
  email: string;
  contacts: ReadContact[];
}

/** Lists emails that several contacts have: one more than the limit if there are as many. */
export async function listDuplicateEmails(
  lists: Queryable,
  reader: Reader,
  { limit, after, isCounted }: ListQuery<unknown>,
): Promise<{ rows: DuplicateGroup[]; count?: number | undefined }> {
  const { accountId } = reader;
  const value = after?.value ?? '';
  if (typeof value !== 'string') throw cursorInvalid();
  const repeated = (isAfter = empty) => sql`select email_key from contacts
    where ${isVisible(reader)} ${isAfter} group by email_key having count(*) > 1`;
  const found = await queryOnce<ReadContact & { emailKey: string }>(
    lists,
    'duplicates_list_page',
    sql`with page as materialized (
        ${repeated(sql`and email_key > ${value}`)} order by email_key limit ${limit + 1}
      )
      select ${selectContacts(accountId, { withLinks: false })}
      from page join contacts on contacts.account_id = ${accountId} and contacts.email_key = page.email_key
      where ${isVisible(reader)}
      order by contacts.email_key, contacts.id`,
  );
  const groups = Map.groupBy(found, ({ emailKey }) => emailKey);
  const rows = [...groups].map(([email, contacts]) => ({ email, contacts }));
  if (!isCounted) return { rows };
  const [counted] = await queryOnce<{ count: number }>(
    lists,
    'duplicates_count',
    sql`select count(*)::int as count from (${repeated()} limit ${COUNT_MAX + 1}) found`,
  );
  return { rows, count: counted?.count };
}
