import sql from 'sql-template-tag';
import { query, type Queryable } from '../../platform/database/index.ts';
import type { LinkKind } from './rules.ts';

interface NewLink {
  id: string;
  kind: LinkKind;
  userId: string | null;
  removeSecondStep: boolean;
  tokenSha256: Buffer;
  createdAt: Date;
  expiresAt: Date;
}

/** Inserts a link. The older links of the person, or those that start the account, become invalid. */
export async function replaceLinks(
  tx: Queryable,
  accountId: string,
  { id, kind, userId, removeSecondStep, tokenSha256, createdAt, expiresAt }: NewLink,
): Promise<void> {
  await query(
    tx,
    'sign_in_links_void',
    sql`delete from sign_in_links
      where account_id = ${accountId} and (kind = 'start') = (${kind} = 'start')
        and user_id is not distinct from ${userId}`,
  );
  await query(
    tx,
    'sign_in_link_insert',
    sql`insert into sign_in_links (account_id, id, kind, user_id, remove_second_step, token_sha256,
        created_at, expires_at)
      values (${accountId}, ${id}, ${kind}, ${userId}, ${removeSecondStep}, ${tokenSha256},
        ${createdAt}, ${expiresAt})`,
  );
}

/** A valid link. */
export interface UsableLink {
  id: string;
  kind: LinkKind;
  userId: string | null;
  removeSecondStep: boolean;
  expiresAt: Date;
  /** Null for a link that makes an owner. */
  email: string | null;
  name: string | null;
}

/**
 * Finds the link of a token, unless it has expired, its person is not active, or it would make a first owner when there is one.
 */
export async function findUsableLink(
  db: Queryable,
  accountId: string,
  tokenSha256: Buffer,
  now: Date,
): Promise<UsableLink | undefined> {
  const [row] = await query<UsableLink>(
    db,
    'sign_in_link_find',
    sql`select links.id, links.kind, links.user_id as "userId",
        links.remove_second_step as "removeSecondStep", links.expires_at as "expiresAt",
        users.email, users.name
      from sign_in_links links
        left join users on users.account_id = links.account_id and users.id = links.user_id
      where links.account_id = ${accountId} and links.token_sha256 = ${tokenSha256}
        and links.expires_at > ${now}
        and (users.active or links.user_id is null and not exists (
          select from users owners
          where owners.account_id = ${accountId} and owners.role = 'owner' and owners.active
            and owners.password is not null))`,
  );
  return row;
}

/** Makes the links of a person invalid. */
export async function voidLinks(tx: Queryable, accountId: string, userId: string): Promise<void> {
  await query(
    tx,
    'sign_in_links_of_person_void',
    sql`delete from sign_in_links where account_id = ${accountId} and user_id = ${userId}`,
  );
}

/** Deletes a link. Returns false when another request has used it. */
export async function deleteLink(tx: Queryable, accountId: string, id: string): Promise<boolean> {
  const rows = await query(
    tx,
    'sign_in_link_use',
    sql`delete from sign_in_links where account_id = ${accountId} and id = ${id} returning id`,
  );
  return rows.length > 0;
}
