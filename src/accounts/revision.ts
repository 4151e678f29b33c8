import sql, { type Sql } from 'sql-template-tag';
import { appendEvents, countEvents, type AuthoredEvents } from '../events/index.ts';
import { addMilliseconds, query, type Queryable } from '../platform/database/index.ts';

/** The revision and the sequence of an account. */
interface Numbers {
  revision: Date;
  sequence: number;
}

/** The numbers of an account that the transaction has locked. */
export type Locked = Numbers;

/** The numbers of an account after a writer has raised them. */
export type Raised = Numbers;

/** How far a writer raises the numbers of an account. */
interface Rise {
  /**
   * The least number of milliseconds by which the revision rises: the number of written contacts, because each gets a revision of
   * its own; 1 for rows of other kinds; 0 for a change that no account file contains.
   */
  rows?: number;
  /** The number of events that the writer appends. */
  events?: number;
}

/**
 * Raises the revision of an account (the time of the last change of its rows) and its sequence (the number of its last event).
 * A writer calls it after its last lock, right before its writes. It locks the row of the revision, so that the writers of one
 * account run one after another from there to COMMIT: both numbers increase in commit order, and the sequence has no gaps. An
 * account file contains a change of a row if the row's revision is not after the file's.
 *
 * Throws when the account was deleted: some writes take the account's id from its row, so they would silently write nothing.
 */
export async function raiseRevision(
  tx: Queryable,
  accountId: string,
  now: Date,
  { rows = 1, events = 0 }: Rise = {},
): Promise<Raised> {
  const [raised] = await query<{ revision: Date; sequence: string }>(
    tx,
    'revision_raise',
    sql`update account_revisions
      set sequence = sequence + ${events}, revision = case when ${rows} = 0 then revision
        else greatest(${now}, ${addMilliseconds(sql`revision`, rows)}) end
      where account_id = ${accountId} returning revision, sequence`,
  );
  return readNumbers(accountId, raised);
}

/**
 * Locks the revision of an account, as `raiseRevision` does, when it is not known yet how far it will rise. Until COMMIT, no other
 * import, edit or load of the account inserts a tag, adds one to a contact, or assigns a contact.
 */
export async function lockRevision(tx: Queryable, accountId: string): Promise<Locked> {
  const [locked] = await query<{ revision: Date; sequence: string }>(
    tx,
    'revision_lock',
    sql`select revision, sequence from account_revisions where account_id = ${accountId}
      for no key update`,
  );
  return readNumbers(accountId, locked);
}

/** Calculates what `raiseRevision` would return, without storing it. */
export function calculateRaised(
  { revision, sequence }: Locked,
  now: Date,
  { rows = 1, events = 0 }: Rise,
): Raised {
  const risen = new Date(Math.max(now.getTime(), revision.getTime() + rows));
  return { revision: rows === 0 ? revision : risen, sequence: sequence + events };
}

/** Stores the raised numbers of a locked account. It sends its statement before its first await. */
export async function storeRaised(
  tx: Queryable,
  accountId: string,
  { revision, sequence }: Raised,
): Promise<void> {
  await query(
    tx,
    'revision_store',
    sql`update account_revisions set revision = ${revision}, sequence = ${sequence}
      where account_id = ${accountId}`,
  );
}

function readNumbers(
  accountId: string,
  row: { revision: Date; sequence: string } | undefined,
): Numbers {
  if (row === undefined) throw new Error(`no account ${accountId}`);
  return { revision: row.revision, sequence: Number(row.sequence) };
}

/**
 * Raises the revision of an account, and appends the events of one or several authors. A writer that has all its events at once
 * calls it instead of `raiseRevision`.
 */
export async function recordEvents(
  tx: Queryable,
  accountId: string,
  authored: AuthoredEvents[],
  { now, rows = 1 }: { now: Date; rows?: number },
): Promise<Raised> {
  const raised = await raiseRevision(tx, accountId, now, { rows, events: countEvents(authored) });
  await appendEvents(tx, accountId, authored, { ...raised, at: now });
  return raised;
}

/** Builds the SQL of the revision of an account, for the rows that a statement writes. */
export function selectRevision(accountId: string): Sql {
  return sql`(select revision from account_revisions where account_id = ${accountId})`;
}

/**
 * Builds the SQL of the revision of a contact. `laterCount` is how many contacts the transaction writes after it. Each
 * contact gets a revision one millisecond later than the one before; the last one gets that of the account.
 */
export function selectRevisionOfContact(accountId: string, laterCount: Sql): Sql {
  return addMilliseconds(selectRevision(accountId), sql`-(${laterCount})`);
}

/**
 * Gives a new account its first revision: that of the export which creates it, or the time of its creation. `sequence` is
 * the number of the events of its creation.
 */
export async function startRevision(
  tx: Queryable,
  accountId: string,
  revision: Date,
  sequence: number,
): Promise<Raised> {
  await query(
    tx,
    'revision_start',
    sql`insert into account_revisions (account_id, revision, sequence)
      values (${accountId}, ${revision}, ${sequence})`,
  );
  return { revision, sequence };
}

/** Reads the revision of an account. */
export async function readRevision(tx: Queryable, accountId: string): Promise<string> {
  const [row] = await query<{ revision: Date }>(
    tx,
    'revision_read',
    sql`select revision from account_revisions where account_id = ${accountId}`,
  );
  if (row === undefined) throw new Error(`no account ${accountId}`);
  return row.revision.toISOString();
}
