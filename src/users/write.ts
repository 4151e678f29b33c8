import { recordEvents } from '../accounts/index.ts';
import type { Author } from '../events/index.ts';
import type { Queryable } from '../platform/database/index.ts';
import { listUserEvents } from './events.ts';
import type { User } from './schemas.ts';
import { writeUsers } from './store.ts';

/** Writes a person and their events. Without `stored`, the person is new. */
export async function writePerson(
  tx: Queryable,
  accountId: string,
  { author, stored, row }: { author: Author; stored: User | undefined; row: User },
  now: Date,
): Promise<void> {
  const events = listUserEvents(stored, row);
  await recordEvents(tx, accountId, [{ author, events }], { now });
  await writeUsers(tx, accountId, [row], now);
}
