import sql from 'sql-template-tag';
import { insertRows, query, type Queryable } from '../platform/database/index.ts';
import { listFields } from './rules.ts';
import { readNoun, type Author, type NewEvent } from './types.ts';

/** The events that one author causes, in order. */
export interface AuthoredEvents {
  author: Author;
  /** The time of these events, by default that of the write. A load of past data sets it. */
  at?: Date;
  events: NewEvent[];
}

/** Counts the events, which take as many numbers of the account's sequence. */
export function countEvents(authored: AuthoredEvents[]): number {
  return authored.reduce((sum, { events }) => sum + events.length, 0);
}

interface AppendOptions {
  at: Date;
  /** The sequence of the account, which the caller has raised by the number of all events of the transaction. */
  sequence: number;
  /** How many events of the transaction later calls append. */
  laterCount?: number;
}

/**
 * Appends events and the changes in them. It runs in the transaction of the writes that the events report. It sends its statements
 * before its first await.
 */
export async function appendEvents(
  tx: Queryable,
  accountId: string,
  authored: AuthoredEvents[],
  { at, sequence: last, laterCount = 0 }: AppendOptions,
): Promise<void> {
  const events: unknown[][] = [];
  const changes: unknown[][] = [];
  let sequence = last - laterCount - countEvents(authored);
  for (const { author, at: own = at, events: listed } of authored) {
    const { actor, requestId } = author;
    for (const { change, type, subject, data } of listed) {
      sequence += 1;
      const common = [sequence, own, actor.type, actor.id, requestId];
      events.push([...common, type, subject, JSON.stringify(data)]);
      if (change !== undefined && listFields(change).length > 0) {
        const { importId = null, before, after } = change;
        const changed = [readNoun(type), change.subject ?? subject, importId];
        changes.push([...common, ...changed, toJson(before), toJson(after)]);
      }
    }
  }
  await Promise.all([
    insertRows(tx, accountId, EVENTS, events),
    insertRows(tx, accountId, CHANGES, changes),
  ]);
}

const COMMON_COLUMNS = ['sequence', 'at', 'actor_type', 'actor_id', 'request_id'];
const EVENTS = {
  name: 'events_append',
  table: 'events',
  columns: [...COMMON_COLUMNS, 'type', 'subject', 'data'],
};
const CHANGES = {
  name: 'changes_append',
  table: 'changes',
  columns: [...COMMON_COLUMNS, 'subject_type', 'subject', 'import_id', 'before', 'after'],
};

/** Makes the JSON of fields; null when there are none, such as `before` of a new row. */
function toJson(fields: object): string | null {
  return Object.keys(fields).length > 0 ? JSON.stringify(fields) : null;
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
