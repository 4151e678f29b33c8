import sql, { type Sql } from 'sql-template-tag';
import { query, type Queryable } from '../platform/database/index.ts';
import { listFields } from './rules.ts';
import { readNoun, type Author, type FieldValues, type NewEvent } from './types.ts';

/** The events that one author causes, in order. */
export interface AuthoredEvents {
  author: Author;
  /** The time of these events, by default that of the write. A load of past data sets it. */
  at?: Date;
  events: NewEvent[];
}

/**
 * Appends events and the changes in them. It runs in the transaction of the writes that the events report. The caller must have
 * raised the sequence of the account by the number of all events of the transaction. When the caller appends them in several
 * calls, `laterCount` is how many events the later calls append. It sends its statements before its first await.
 */
export async function appendEvents(
  tx: Queryable,
  accountId: string,
  authored: AuthoredEvents[],
  { at, laterCount = 0 }: { at: Date; laterCount?: number },
): Promise<void> {
  const known = [...new Set(authored.map(({ author }) => author))];
  const authors = JSON.stringify(
    known.map(({ actor, requestId }, index) => ({ index, ...actor, requestId })),
  );
  const indexes = new Map(known.map((author, index) => [author, index]));
  const events: object[] = [];
  const changes: object[] = [];
  // The sequence of an event is that of the account minus the number of events after it.
  let later = laterCount + authored.reduce((sum, each) => sum + each.events.length, 0);
  for (const { author: by, at: own, events: listed } of authored) {
    const author = indexes.get(by);
    for (const { change, type, subject, data } of listed) {
      later -= 1;
      events.push({ later, author, at: own, type, subject, data });
      if (change !== undefined && listFields(change).length > 0) {
        const noun = readNoun(type);
        const changed = change.subject ?? subject;
        changes.push({ later, author, at: own, noun, subject: changed, ...describeChange(change) });
      }
    }
  }
  if (events.length === 0) return;
  await Promise.all([
    query(
      tx,
      'events_append',
      sql`insert into events (account_id, sequence, at, actor_type, actor_id, request_id, type, subject, data)
        select account.account_id, account.sequence - r.later, coalesce(r.at, ${at}), a.type, a.id, a."requestId", r.type, r.subject, r.data
        from account_revisions account
        cross join json_to_recordset(${JSON.stringify(events)}::json)
          as r(later integer, author integer, at timestamptz(3), type text, subject uuid, data json)
        ${joinAuthors(authors)}
        where account.account_id = ${accountId}`,
    ),
    changes.length > 0 &&
      query(
        tx,
        'changes_append',
        sql`insert into changes (account_id, sequence, at, actor_type, actor_id, request_id, subject_type, subject,
            import_id, before, after)
          select account.account_id, account.sequence - r.later, coalesce(r.at, ${at}), a.type, a.id, a."requestId",
            r.noun, r.subject, r."importId", r.before, r.after
          from account_revisions account
          cross join json_to_recordset(${JSON.stringify(changes)}::json)
            as r(later integer, author integer, at timestamptz(3), noun text, subject uuid, "importId" uuid,
              before json, after json)
          ${joinAuthors(authors)}
          where account.account_id = ${accountId}`,
      ),
  ]);
}

/** Erases all changes of contacts. */
export async function eraseChanges(
  tx: Queryable,
  accountId: string,
  subjects: string[],
): Promise<void> {
  await query(
    tx,
    'changes_erase',
    sql`delete from changes where account_id = ${accountId} and subject = any(${subjects}::uuid[])`,
  );
}

/** Moves all changes of contacts to another one. */
export async function moveChanges(
  tx: Queryable,
  accountId: string,
  { from, to }: { from: string[]; to: string },
): Promise<void> {
  await query(
    tx,
    'changes_move',
    sql`update changes set subject = ${to}
      where account_id = ${accountId} and subject = any(${from}::uuid[])`,
  );
}

/** Makes the JSON of a change without empty members, such as `before` of a new row. */
function describeChange({ before, after, importId }: FieldValues & { importId?: string | null }) {
  const isFilled = (values: object) => Object.keys(values).length > 0;
  return {
    ...(importId != null && { importId }),
    ...(isFilled(before) && { before }),
    ...(isFilled(after) && { after }),
  };
}

/** Joins the columns of the actor and the request to events, so that a statement sends them once for each author. */
function joinAuthors(authors: string): Sql {
  return sql`join json_to_recordset(${authors}::json) as a(index integer, type text, id uuid, "requestId" text)
    on a.index = r.author`;
}
