import type { Pool } from '../src/platform/database/index.ts';
import { run } from './instances.ts';

/** An event as it is stored. */
export interface StoredEvent {
  sequence: number;
  type: string;
  subject: string;
  actor: string;
  requestId: string | null;
  data: Record<string, unknown>;
}

/** Reads all events of an account in their order. */
export async function readEvents(db: Pool, accountId: string): Promise<StoredEvent[]> {
  const { rows } = await run(
    db,
    `select sequence::int, type, subject, concat_ws(' ', actor_type, actor_id) as actor, data,
        request_id as "requestId"
      from events where account_id = $1 order by sequence`,
    [accountId],
  );
  return rows as StoredEvent[];
}

/** Reads the changes of a subject, the oldest first. */
export async function readChanges(db: Pool, accountId: string, subject: string) {
  const { rows } = await run(
    db,
    `select sequence::int, before, after from changes where account_id = $1 and subject = $2 order by sequence`,
    [accountId, subject],
  );
  return rows as { sequence: number; before: object | null; after: object | null }[];
}
