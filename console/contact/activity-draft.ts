import type { Activity } from '../api.ts';
import { fromWallTime } from '../parts/time/wall-time.ts';

export type WrittenType = Exclude<Activity['type'], 'enquiry'>;
export const WRITTEN_TYPES: readonly WrittenType[] = [
  'note',
  'call',
  'email',
  'text',
  'meeting',
  'viewing',
];

/** An activity that a person is typing. `when` is a time in the account's time zone; empty means now. */
export interface ActivityDraft {
  type: WrittenType;
  body: string;
  when: string;
  outcome: string;
}

/** Converts a draft to the body of a request. */
export const toActivity = ({ type, body, when, outcome }: ActivityDraft) => ({
  type,
  body: body.trim(),
  outcome: outcome.trim() === '' || type === 'note' ? null : outcome.trim(),
  ...(when !== '' && { occurredAt: fromWallTime(when).toISOString() }),
});
