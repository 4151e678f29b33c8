import sql from 'sql-template-tag';
import { query, type Queryable } from '../../platform/database/index.ts';

/** A person who may sign in. */
export interface Credentials {
  id: string;
  email: string;
  passwordHash: string | null;
  /** Whether the person has signed in from the network since the given time. */
  isKnownNetwork: boolean;
}

/** Finds an active person by the key of their email, or by their id. */
export async function findCredentials(
  db: Queryable,
  accountId: string,
  person: { emailKey: string } | { id: string },
  { network, since }: { network: string; since: Date },
): Promise<Credentials | undefined> {
  const [row] = await query<Credentials>(
    db,
    'id' in person ? 'user_credentials_by_id' : 'user_credentials_by_email',
    sql`select id, email, password as "passwordHash", exists (
          select from known_networks
          where known_networks.account_id = ${accountId} and known_networks.user_id = users.id
            and network = ${network} and known_networks.signed_in_at > ${since}
        ) as "isKnownNetwork"
      from users
      where account_id = ${accountId} and active
        and ${'id' in person ? sql`id = ${person.id}` : sql`email_key = ${person.emailKey}`}`,
  );
  return row;
}

/**
 * Locks a person until the transaction ends. Returns false when they no longer have the password of this hash, or are no longer
 * active. A check of a password takes so long that another request may replace the password meanwhile.
 */
export async function lockCredentials(
  tx: Queryable,
  accountId: string,
  id: string,
  passwordHash: string,
): Promise<boolean> {
  const rows = await query(
    tx,
    'user_credentials_lock',
    sql`select id from users
      where account_id = ${accountId} and id = ${id} and active and password = ${passwordHash} for update`,
  );
  return rows.length > 0;
}

export async function updatePassword(
  tx: Queryable,
  accountId: string,
  id: string,
  passwordHash: string,
): Promise<void> {
  await query(
    tx,
    'user_password_update',
    sql`update users set password = ${passwordHash} where account_id = ${accountId} and id = ${id}`,
  );
}

/** Stores when a person signed in. It raises no revision, since an export does not contain this time. */
export async function markSignedIn(
  tx: Queryable,
  accountId: string,
  id: string,
  now: Date,
): Promise<void> {
  await query(
    tx,
    'user_mark_signed_in',
    sql`update users set signed_in_at = ${now}, version = version + 1
      where account_id = ${accountId} and id = ${id}`,
  );
}

/** Stores the network from which a person has signed in, and deletes their networks that were last used before `since`. */
export async function markNetwork(
  tx: Queryable,
  accountId: string,
  userId: string,
  { network, now, since }: { network: string; now: Date; since: Date },
): Promise<void> {
  await query(
    tx,
    'known_networks_forget',
    sql`delete from known_networks
      where account_id = ${accountId} and user_id = ${userId} and signed_in_at <= ${since}`,
  );
  await query(
    tx,
    'known_network_mark',
    sql`insert into known_networks (account_id, user_id, network, signed_in_at)
      values (${accountId}, ${userId}, ${network}, ${now})
      on conflict (account_id, user_id, network) do update set signed_in_at = excluded.signed_in_at`,
  );
}
