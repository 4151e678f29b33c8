import { Type, type Static } from 'typebox';
import { anyOf, nullable, time, timeLimit } from '../../platform/fields/index.ts';
import { describePage } from '../../platform/http/index.ts';
import { RECORDED_TYPES, TEXT_MAX_LENGTH } from '../schemas.ts';

const ACTIVITY_TYPES = [...RECORDED_TYPES, 'enquiry'] as const;
export type ActivityType = (typeof ACTIVITY_TYPES)[number];

const ofContact = {
  type: anyOf(Type.Enum([...ACTIVITY_TYPES], { type: 'string' }), 'The type of the activity.'),
  actor: anyOf(Type.String(), 'The id of the person or the key that made it.'),
};

/** The filter of the activities of one contact. */
export const ContactActivityFilter = Type.Object(ofContact, { additionalProperties: false });

/** The filter of all activities. */
export const ActivityFilter = Type.Object(
  {
    ...ofContact,
    contact: anyOf(Type.String(), 'The id of a contact.'),
    project: anyOf(Type.String(), 'The id of a project to which the contact is linked.'),
    updated_since: timeLimit(
      'Only activities that were made or edited later. To miss none, follow the events: an activity can become visible after one with a later time.',
    ),
  },
  { additionalProperties: false },
);
export type ActivityFilter = Static<typeof ActivityFilter>;

export const ACTIVITY_SORTS = ['-occurredAt'] as const;

export const Activity = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    contactId: Type.String({ format: 'uuid' }),
    type: Type.Enum([...ACTIVITY_TYPES], { type: 'string' }),
    body: Type.String(),
    outcome: nullable('string', 'How it ended, such as `No answer`.'),
    values: Type.Unsafe<Record<string, string> | null>({
      type: ['object', 'null'],
      description: 'For an enquiry: the values of the lead that differ from those of the contact.',
    }),
    occurredAt: time('When it happened.'),
    actor: Type.Ref('Actor#'),
    createdAt: time('When it was written down.'),
    editedAt: nullable('string', 'When it was edited last.', { format: 'date-time' }),
    etag: Type.String({ description: 'The version, as in the header `ETag`.' }),
  },
  { $id: 'Activity', description: 'Something that happened with a contact.' },
);

const ActivityList = describePage('Activity', 'A page of activities, the newest first.');

/** In bytes of UTF-8. */
export const ACTIVITY_BODY_MAX_SIZE = 64 * 1024;

const body = Type.String({
  description: 'What happened, in at most 64 KiB of UTF-8. Only a note needs one.',
  examples: ['Wants to see lot 12 on Saturday.'],
});
const occurredAt = Type.String({
  format: 'date-time',
  description: 'When it happened: from 1900 on, not in the future. Without it: now.',
  examples: ['2026-03-31T21:15:09.204Z'],
});
const outcome = nullable('string', 'How it ended, such as `No answer`.', {
  maxLength: TEXT_MAX_LENGTH,
});

export const NewActivity = Type.Object(
  {
    type: Type.Enum([...RECORDED_TYPES]),
    body: Type.Optional(body),
    occurredAt: Type.Optional(occurredAt),
    outcome,
  },
  {
    $id: 'NewActivity',
    additionalProperties: false,
    description: 'Something that happened with a contact.',
    examples: [{ type: 'call', body: 'Wants to see lot 12 on Saturday.', outcome: 'Reached' }],
  },
);
export type NewActivity = Static<typeof NewActivity>;

export const ActivityChanges = Type.Object(
  {
    type: Type.Optional(Type.Enum([...RECORDED_TYPES])),
    body: Type.Optional(body),
    occurredAt: Type.Optional(occurredAt),
    outcome,
  },
  {
    $id: 'ActivityChanges',
    additionalProperties: false,
    description: 'The fields to change.',
    examples: [{ outcome: 'No answer' }],
  },
);
export type ActivityChanges = Static<typeof ActivityChanges>;

export const ACTIVITY_SCHEMAS = [Activity, ActivityList, NewActivity, ActivityChanges];
