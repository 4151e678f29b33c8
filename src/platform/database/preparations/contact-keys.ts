import sql from 'sql-template-tag';
import { formatSearchText, isBlank, toSortKey } from '../../text/index.ts';
import { isCreatedMeanwhile, isMissingExtension, SchemaError } from '../errors.ts';
import { fillRows } from './row-pages.ts';
import type { Pool } from '../pool.ts';
import { query, type Queryable } from '../query.ts';

/** The columns that the keys of a contact are derived from. */
interface SourceRow {
  id: string;
  email: string;
  name: string | null;
  first: string | null;
  last: string | null;
  company: string | null;
  phones: (string | null)[];
}

/**
 * Creates the extension pg_trgm, and fills the columns by which lists sort and search contacts. Throws a SchemaError when the
 * extension cannot be created.
 */
export async function prepareContactLists(pool: Pool): Promise<void> {
  await createExtension(pool);
  await fillRows<SourceRow>(pool, 'contacts', {
    select: ({ accountId, afterId, limit }) =>
      sql`select id, email, name, first_name as first, last_name as last, company_name as company,
          array[phone_primary, phone_mobile] as phones
        from contacts
        where account_id = ${accountId} and id > ${afterId} order by id limit ${limit}`,
    update(accountId, contacts) {
      const rows = contacts.map(({ id, email, name, first, last, company, phones }) => ({
        id,
        name: toSortKey(name),
        search: formatSearchText({ texts: [name, first, last, email, company], phones }),
        phone: phones.some((phone) => !isBlank(phone)),
      }));
      return sql`update contacts set name_key = r.name, search_text = r.search, has_phone = r.phone
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, name text, search text, phone boolean)
        where contacts.account_id = ${accountId} and contacts.id = r.id
          and contacts.search_text is distinct from r.search`;
    },
  });
}

async function createExtension(db: Queryable): Promise<void> {
  await query(db, '', sql`create extension if not exists pg_trgm`).catch(explainExtension);
}

function explainExtension(error: unknown): void {
  if (isCreatedMeanwhile(error)) return;
  if (isMissingExtension(error))
    throw new SchemaError(
      'The search needs the extension pg_trgm, which comes with PostgreSQL (the package postgresql-contrib). ' +
        'Let an administrator run `create extension pg_trgm` in this database, and migrate again.',
      { cause: error },
    );
  throw error;
}
