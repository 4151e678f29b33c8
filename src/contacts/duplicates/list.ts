import sql, { empty } from 'sql-template-tag';
import type { FastifySchema } from 'fastify';
import { Type } from 'typebox';
import { queryOnce, type Queryable } from '../../platform/database/index.ts';
import {
  COUNT_MAX,
  cursorInvalid,
  describeListQuery,
  problemResponses,
  RATE_LIMIT_FIELDS,
  type ListQuery,
} from '../../platform/http/index.ts';
import { isStorable } from '../../platform/text/index.ts';
import { isVisible, type Reader } from '../list/conditions.ts';
import { CONTACT_EXAMPLE } from '../list/document.ts';
import { selectContacts, type ReadContact } from '../list/store.ts';

export const DUPLICATE_LIST = {
  filter: Type.Object({}, { additionalProperties: false }),
  sorts: ['email'],
} as const;

const DuplicateEmail = Type.Object(
  {
    email: Type.String({ description: 'The form in which emails are compared.' }),
    contacts: Type.Array(Type.Ref('Contact#')),
  },
  { $id: 'DuplicateEmail', description: 'An email, and the contacts that have it.' },
);

const DuplicateEmailList = Type.Object(
  { data: Type.Array(Type.Ref('DuplicateEmail#')), pagination: Type.Ref('Pagination#') },
  { $id: 'DuplicateEmailList', description: 'A page of emails that several contacts have.' },
);

export const DUPLICATE_SCHEMAS = [DuplicateEmail, DuplicateEmailList];

export const duplicatesDocument: FastifySchema = {
  operationId: 'listDuplicates',
  summary: 'List duplicates',
  description:
    'The emails that several contacts have, archived ones too, in their order. A lead with such an email is refused until ' +
    'the contacts are merged.',
  tags: ['Contacts'],
  querystring: describeListQuery(DUPLICATE_LIST),
  response: {
    200: {
      description: 'A page of emails.',
      headers: RATE_LIMIT_FIELDS,
      content: {
        'application/json': {
          schema: Type.Ref('DuplicateEmailList#'),
          example: {
            data: [{ email: CONTACT_EXAMPLE.email, contacts: [CONTACT_EXAMPLE, CONTACT_EXAMPLE] }],
            pagination: { limit: 20, nextCursor: null, hasNextPage: false },
          },
        },
      },
    },
    ...problemResponses(['cursor_invalid'], {
      parameter: 'limit',
      detail: 'limit must be a whole number of at least 1, written in digits only.',
    }),
  },
};

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
  if (typeof value !== 'string' || !isStorable(value)) throw cursorInvalid();
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
