import sql, { type Sql } from 'sql-template-tag';
import { query, type Queryable } from '../platform/database/index.ts';
import { makeEventId, readEventId } from './ids.ts';
import type { EventFilter } from './query.ts';
import type { EventItem } from './schemas.ts';

/** How many events one statement reads. Perhaps none of them passes the filter. */
const SCAN_MAX_EVENTS = 10_000;

/** An event as the database stores it. Readers get `subject` as `data.id`. */
interface StoredEvent extends Omit<EventItem, 'id' | 'timestamp' | 'data' | 'sequence'> {
  /** A text, because the driver returns a bigint as one. */
  sequence: string;
  at: Date;
  subject: string;
  data: object;
}

const COLUMNS = sql`type, sequence, at, json_build_object('type', actor_type, 'id', actor_id) as actor,
  request_id as "requestId", subject, data`;

/** Builds the condition of the events that none of these requests caused. It keeps the events of contact files. */
export const isNotCausedBy = (requests: string[]): Sql =>
  sql`(request_id is null or request_id <> all(${requests}::text[]) or starts_with(type, 'contact_file.'))`;

/**
 * Reads the numbers before the oldest event and of the latest one. The sequence has no gaps, and a snapshot with one number has all
 * events before it, so a reader that continues after the head misses nothing.
 */
export async function readLogEnds(
  db: Queryable,
  accountId: string,
): Promise<{ oldest: number; head: number }> {
  const [row] = await query<{ oldest: string | null; head: string }>(
    db,
    'events_ends',
    sql`select sequence as head, (
        select sequence - 1 from events where account_id = ${accountId} and sequence > 0 order by sequence limit 1
      ) as oldest
      from account_revisions where account_id = ${accountId}`,
  );
  const head = Number(row?.head ?? 0);
  return { head, oldest: row?.oldest == null ? head : Number(row.oldest) };
}

/**
 * Reads events after a number, which must not be past `head`. `offset 0` makes PostgreSQL look up one contact for each event
 * instead of reading all contacts of the account first.
 */
export async function readEvents(
  db: Queryable,
  accountId: string,
  { after, head, limit }: { after: number; head: number; limit: number },
  { types, subject, seenBy, exceptRequests = [] }: EventFilter,
): Promise<{ events: EventItem[]; sequence: number }> {
  const until = Math.min(after + SCAN_MAX_EVENTS, head);
  const rows = await query<StoredEvent>(
    db,
    'events_read',
    sql`select ${COLUMNS}
      from events
      where account_id = ${accountId} and sequence > ${after} and sequence <= ${until}
        and type = any(${types}::text[])
        and ${isNotCausedBy(exceptRequests)}
        and (${subject}::uuid is null or subject = ${subject} or data ->> 'contactId' = ${subject}::text)
        and (
          ${seenBy}::uuid is null or type !~ '^(contact|activity)[.]'
          or (type = 'contact.assigned' and data ->> 'from' = ${seenBy}::text)
          or exists (
            select from contacts
            where contacts.account_id = ${accountId}
              and contacts.id = coalesce((events.data ->> 'contactId')::uuid, events.subject)
              and (assigned_account_user_id is null or assigned_account_user_id = ${seenBy})
            offset 0
          )
        )
      order by sequence limit ${limit}`,
  );
  const events = rows.map(present);
  const last = events.at(-1);
  return { events, sequence: last && events.length === limit ? last.sequence : until };
}

function present({ at, subject, data, sequence: digits, ...event }: StoredEvent): EventItem {
  const sequence = Number(digits);
  return {
    id: makeEventId({ at, sequence, subject }),
    type: event.type,
    sequence,
    timestamp: at.toISOString(),
    actor: event.actor,
    requestId: event.requestId,
    data: { id: subject, ...data },
  };
}

/** Reads the events with these numbers, as far as the sweep has not deleted them. */
export async function readEventsByNumber(
  db: Queryable,
  accountId: string,
  sequences: number[],
): Promise<EventItem[]> {
  const rows = await query<StoredEvent>(
    db,
    'events_read_by_number',
    sql`select ${COLUMNS}
      from events
      where account_id = ${accountId} and sequence = any(${sequences}::bigint[])
      order by sequence`,
  );
  return rows.map(present);
}

/** Finds the event with this id, if it passes the filter. */
export async function findEvent(
  db: Queryable,
  accountId: string,
  id: string,
  filter: EventFilter,
): Promise<EventItem | undefined> {
  const { sequence } = readEventId(id);
  const { events } = await readEvents(
    db,
    accountId,
    { after: sequence - 1, head: sequence, limit: 1 },
    filter,
  );
  return events.find((event) => event.id === id);
}

/** Reads the events of rows, and of the activities of contacts, page by page, the oldest first. */
export async function* readEventsOf(
  tx: Queryable,
  accountId: string,
  subjects: string[],
): AsyncGenerator<EventItem[]> {
  const { head } = await readLogEnds(tx, accountId);
  for (let after = 0; after < head; after += SCAN_MAX_EVENTS) {
    const rows = await query<StoredEvent>(
      tx,
      'events_read_of',
      sql`select ${COLUMNS}
        from events
        where account_id = ${accountId} and sequence > ${after} and sequence <= ${after + SCAN_MAX_EVENTS}
          and (subject = any(${subjects}::uuid[])
            or type like 'activity.%' and data ->> 'contactId' = any(${subjects}::text[]))
        order by sequence`,
    );
    if (rows.length > 0) yield rows.map(present);
  }
}

/** Deletes up to 500 events that happened before a time, the oldest first. Returns whether there may be more. */
export async function deleteOldEvents(
  db: Queryable,
  accountId: string,
  before: Date,
): Promise<boolean> {
  const deleted = await query(
    db,
    'events_sweep',
    sql`with first as materialized (
        select sequence, at from events where account_id = ${accountId} order by sequence limit 500
      )
      delete from events
      where account_id = ${accountId} and sequence = any(array(
        select sequence from first where sequence <= (select max(sequence) from first where at < ${before})
      ))
      returning true`,
  );
  return deleted.length === 500;
}
