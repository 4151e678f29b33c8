import type { Pool } from '../../src/platform/database/index.ts';
import { assertConforms } from './document.ts';
import { run } from './sql.ts';

/** An event as it is stored. */
export interface StoredEvent {
  sequence: number;
  type: string;
  subject: string;
  actor: string;
  requestId: string | null;
  data: Record<string, unknown>;
}

/** Reads all events of an account in their order, and checks each against the schema of its type. */
export async function readEvents(db: Pool, accountId: string): Promise<StoredEvent[]> {
  const { rows } = await run(
    db,
    `select sequence::int, type, subject, concat_ws(' ', actor_type, actor_id) as actor, data,
        request_id as "requestId"
      from events where account_id = $1 order by sequence`,
    [accountId],
  );
  const events = rows as StoredEvent[];
  for (const event of events) assertHasTypedData(event);
  return events;
}

const UUID = '0198c0de-0000-7000-8000-000000000001';

function assertHasTypedData({ type, sequence, subject, requestId, data }: StoredEvent): void {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  assertConforms(`${words.join('')}Event`, {
    id: UUID,
    type,
    sequence,
    timestamp: '2026-03-04T05:06:07.089Z',
    actor: { type: 'system', id: null },
    requestId,
    data: { id: subject, ...data },
  });
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
