import { Type, type Static, type TSchema } from 'typebox';
import { nullable } from '../../platform/fields/index.ts';
import { ContactFields, TAG_MAX_LENGTH, TAGS_MAX_COUNT, TEXT_MAX_LENGTH } from '../schemas.ts';

const {
  importedAt: _importedAt,
  createdAt: _createdAt,
  archivedAt: _archivedAt,
  notes,
  budget,
  ...texts
} = ContactFields;

/** The fields with a common limit of length. Only the body limits the notes, and the budget has a limit of its own. */
const limited = Object.fromEntries(
  Object.entries<TSchema>(texts).map(([name, schema]) => [
    name,
    Type.Optional({ ...schema, maxLength: TEXT_MAX_LENGTH }),
  ]),
) as unknown as typeof texts;

export const ContactChanges = Type.Object(
  {
    ...limited,
    notes,
    budget,
    // Accept any text: an id that is not a UUID is an unknown id, not a malformed body.
    assignedAccountUserId: Type.Optional(
      nullable('string', 'An active person, or null for nobody.'),
    ),
  },
  {
    $id: 'ContactChanges',
    additionalProperties: false,
    description:
      'The fields to change. null, and a text that shows nothing, empties a field; the email is never empty.',
    examples: [{ stage: 'Qualified', budget: null }],
  },
);
export type ContactChanges = Static<typeof ContactChanges>;

const label = Type.String({ maxLength: TEXT_MAX_LENGTH });

export const TagChanges = Type.Object(
  {
    add: Type.Optional(
      Type.Array(label, {
        maxItems: TAGS_MAX_COUNT,
        description: `Labels of at most ${TAG_MAX_LENGTH} characters. A tag that the account lacks is created.`,
      }),
    ),
    remove: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: TAGS_MAX_COUNT,
        description: 'Ids of tags. One that the contact does not have counts as removed.',
      }),
    ),
  },
  {
    $id: 'TagChanges',
    additionalProperties: false,
    description: 'The tags that a contact gets and loses.',
    examples: [{ add: ['First home'], remove: [] }],
  },
);
export type TagChanges = Static<typeof TagChanges>;

export const NewLink = Type.Object(
  {
    projectId: Type.String({
      description: 'A project of the account that is not archived. It may be a draft.',
    }),
    unitId: nullable('string', 'A unit of that project that is not withdrawn.'),
  },
  {
    $id: 'NewLink',
    additionalProperties: false,
    description: 'The project, or the unit of it, to link a contact to.',
    examples: [{ projectId: '0195f33f-5d43-7c26-8284-63e7d7d9bfad' }],
  },
);
export type NewLink = Static<typeof NewLink>;

export const EDIT_SCHEMAS = [ContactChanges, TagChanges, NewLink];
