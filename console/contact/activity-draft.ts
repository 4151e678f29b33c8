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

/** Converts a draft to the body of a request. The form of a note shows neither the time nor the outcome that was typed for a call. */
export const toActivity = ({ type, body, when, outcome }: ActivityDraft) => ({
  type,
  body: body.trim(),
  outcome: outcome.trim() === '' || type === 'note' ? null : outcome.trim(),
  ...(when !== '' && type !== 'note' && { occurredAt: fromWallTime(when).toISOString() }),
});
