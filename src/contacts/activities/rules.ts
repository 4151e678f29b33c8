import type { Principal } from '../../access/index.ts';
import { Problem, type FieldFault } from '../../platform/http/index.ts';
import { isBlank, parseInstant } from '../../platform/text/index.ts';
import { CLOCK_SKEW_MAX_MS } from '../schemas.ts';
import { ACTIVITY_BODY_MAX_SIZE, type ActivityChanges, type ActivityType } from './schemas.ts';

/** An activity as it is read, with the name of its author. */
export interface ReadActivity {
  id: string;
  contactId: string;
  type: ActivityType;
  body: string;
  outcome: string | null;
  values: Record<string, string> | null;
  occurredAt: Date;
  actorType: string | null;
  actorId: string | null;
  actorName: string | null;
  createdAt: Date | null;
  editedAt: Date | null;
  version: number;
}

/** The fields of an activity that people write. */
export type ActivityFields = Pick<ReadActivity, 'type' | 'body' | 'outcome' | 'occurredAt'>;

/** A year that is typed with two digits is one of the first century. Files have the same limit. */
const EARLIEST = new Date('1900-01-01T00:00:00.000Z');

/** Finds the faults in the fields of a new or changed activity that the schema does not find. */
export function findActivityFaults(
  { type, body, occurredAt }: ActivityFields,
  now: Date,
): FieldFault[] {
  const faults: FieldFault[] = [];
  const add = (field: string, rule: string) =>
    faults.push({ pointer: `/${field}`, detail: `${field} ${rule}` });
  if (type === 'note' && isBlank(body))
    add('body', 'of a note must be a string that is not blank.');
  if (Buffer.byteLength(body) > ACTIVITY_BODY_MAX_SIZE)
    add('body', 'must have at most 64 KiB in UTF-8.');
  if (occurredAt.getTime() > now.getTime() + CLOCK_SKEW_MAX_MS)
    add('occurredAt', 'must not be in the future: activities tell what has happened.');
  if (occurredAt < EARLIEST) add('occurredAt', 'must not be before the year 1900.');
  return faults;
}

/** Applies changes to the fields of an activity, or of a new one. */
export function applyChanges(
  before: ActivityFields,
  { type, body, outcome, occurredAt }: ActivityChanges,
): ActivityFields {
  return {
    type: type ?? before.type,
    body: body ?? before.body,
    outcome: outcome === undefined ? before.outcome : isBlank(outcome) ? null : outcome,
    occurredAt:
      occurredAt === undefined ? before.occurredAt : new Date(parseInstant(occurredAt) ?? 0),
  };
}

/** Whether two activities have equal fields. A change that leaves them equal writes nothing. */
export function isSameActivity(a: ActivityFields, b: ActivityFields): boolean {
  return (
    a.type === b.type &&
    a.body === b.body &&
    a.outcome === b.outcome &&
    a.occurredAt.getTime() === b.occurredAt.getTime()
  );
}

/** Throws when an agent wants to change an activity of somebody else. */
export function requireAuthor({ role, actor }: Principal, { actorId }: ReadActivity): void {
  if (role !== 'agent' || actorId === actor.id) return;
  throw new Problem(
    'insufficient_access',
    'An agent can change and delete their own activities only.',
    { requiredScope: 'contacts:manage' },
  );
}
