import { raiseRevision } from '../../accounts/index.ts';
import {
  appendEvents,
  readLogEnds,
  SYSTEM,
  type Author,
  type NewEvent,
} from '../../events/index.ts';
import type { Queryable } from '../../platform/database/index.ts';

type RunEvent = Extract<NewEvent, { type: `contact_file.${string}` }>;
type Counts<Type> = Type extends RunEvent
  ? { type: Type['type']; subject: string; data: Omit<Type['data'], keyof EventRange> }
  : never;
interface EventRange {
  firstSequence: number;
  lastSequence: number;
}

/** Finds the number that the next event of the account will have. */
export async function findNextSequence(db: Queryable, accountId: string): Promise<number> {
  return (await readLogEnds(db, accountId)).head + 1;
}

/**
 * Appends the event of the end of a run, or of its undo. The numbers of the run's events go from `firstSequence` to the one
 * before this event.
 */
export async function recordRunEnd(
  tx: Queryable,
  accountId: string,
  { type, subject, data: counts }: Counts<RunEvent>,
  { firstSequence, now, author = SYSTEM }: { firstSequence: number; now: Date; author?: Author },
): Promise<void> {
  const { sequence } = await raiseRevision(tx, accountId, now, { rows: 0, events: 1 });
  const data = { ...counts, firstSequence, lastSequence: sequence - 1 };
  const event = { type, subject, data } as RunEvent;
  await appendEvents(tx, accountId, [{ author, events: [event] }], { at: now, sequence });
}
