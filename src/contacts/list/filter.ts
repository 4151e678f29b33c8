import { Type, type Static, type TSchema } from 'typebox';
import { anyOf, NONE, timeLimit } from '../../platform/fields/index.ts';
import { BUYER_TYPES, SOURCES, STAGES } from '../schemas.ts';

const anyOrNone = (items: TSchema, description: string) =>
  anyOf(items, `${description} \`${NONE}\`: no value.`);
const enumsOf = (values: readonly string[], description: string) =>
  anyOrNone(Type.Enum([...values, NONE], { type: 'string' }), description);
const idsOf = (description: string) => anyOrNone(Type.String(), description);

/**
 * The filter of contacts. Lists take it as query parameters; bulk changes, views and exports as JSON. A contact
 * must match all given members, and for a list, any of its values.
 */
export const ContactFilter = Type.Object(
  {
    q: Type.Optional(
      Type.String({
        minLength: 2,
        maxLength: 200,
        description:
          'Each word begins a word of the name, the email or the company, or the digits of a phone, with or without the leading 0 or the country code.',
      }),
    ),
    contact: anyOf(Type.String(), 'The id of a contact.'),
    stage: enumsOf(STAGES, 'How far the contact has come.'),
    source: enumsOf(SOURCES, 'Where the contact comes from.'),
    buyerType: enumsOf(BUYER_TYPES, 'What kind of buyer the contact is.'),
    tag: idsOf('The id of a tag.'),
    assignedTo: idsOf('The id of a person.'),
    project: idsOf('The id of a project to which the contact is linked.'),
    unit: idsOf('The id of a unit to which the contact is linked.'),
    archived: Type.Optional(
      Type.Unsafe<boolean | 'any'>({
        type: ['boolean', 'string'],
        enum: [false, true, 'any'],
        default: false,
        description:
          '`false`, the default: only active contacts. `true`: only archived ones. `any`: both.',
      }),
    ),
    hasPhone: Type.Optional(Type.Boolean({ description: 'Whether the contact has a phone.' })),
    createdAfter: timeLimit('Only contacts that were created later.'),
    createdBefore: timeLimit('Only contacts that were created earlier.'),
    lastActivityAfter: timeLimit('Only contacts whose last activity was later.'),
    lastActivityBefore: timeLimit('Only contacts whose last activity was earlier.'),
    updated_since: timeLimit('Only contacts that changed later.'),
  },
  { additionalProperties: false, $id: 'ContactFilter', description: 'A filter of contacts.' },
);
export type ContactFilter = Static<typeof ContactFilter>;
