import { Type, type Static } from 'typebox';
import { ROLES } from '../../access/index.ts';
import { NOT_BLANK, object, time } from '../../platform/fields/index.ts';
import { describePage } from '../../platform/http/index.ts';
import { personFields } from '../schemas.ts';

const Person = Type.Object(personFields, { $id: 'User', description: 'A person of the account.' });
export type Person = Static<typeof Person>;

const PersonPage = describePage('User', 'A page of the people of the account.');

const shownLink = {
  url: Type.String({ description: 'Give it to the person alone. It works once.' }),
  expiresAt: time('When the link ends.'),
};
const ShownLink = Type.Object(shownLink, {
  $id: 'PersonLink',
  description: 'A link by which a person chooses a password. It is shown once.',
});
export type ShownLink = Static<typeof ShownLink>;

const InvitedPerson = Type.Object(
  { ...personFields, invitation: Type.Ref('PersonLink#') },
  { $id: 'InvitedUser', description: 'A new person, with their invitation.' },
);

const email = Type.String({
  format: 'idn-email',
  description: 'Unique in the account, without regard to case.',
});
const name = Type.String({ pattern: NOT_BLANK, maxLength: 1_000 });
const role = Type.Enum([...ROLES], { type: 'string', description: 'What the person may do.' });

const NewPerson = Type.Object(
  { email, name, role },
  {
    $id: 'NewUser',
    description: 'A person to add.',
    additionalProperties: false,
    examples: [{ email: 'wiremu@kowhailane.example', name: 'Wiremu Pou', role: 'agent' }],
  },
);
export type NewPerson = Static<typeof NewPerson>;

const PersonChanges = Type.Object(
  { email: Type.Optional(email), name: Type.Optional(name), role: Type.Optional(role) },
  {
    $id: 'UserChanges',
    description: 'The fields of a person to change.',
    additionalProperties: false,
    examples: [{ role: 'manager' }],
  },
);
export type PersonChanges = Static<typeof PersonChanges>;

export const Reset = object(
  {
    removeSecondStep: Type.Optional(
      Type.Boolean({ description: 'Whether the link also turns the second step off.' }),
    ),
  },
  'How to reset the password.',
);

/** The filter of the list of people. */
export const PersonFilter = Type.Object(
  {
    role: Type.Optional(
      Type.Array(Type.Enum([...ROLES], { type: 'string' }), {
        type: 'array',
        description: 'The role.',
      }),
    ),
    active: Type.Optional(Type.Boolean({ description: 'Whether they are active.' })),
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Each word begins a word of the name or the email.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type PersonFilter = Static<typeof PersonFilter>;

export const PERSON_LIST = {
  filter: PersonFilter,
  sorts: ['name', '-name', 'email', '-email', 'createdAt', '-createdAt'],
} as const;

export const PEOPLE_SCHEMAS = [
  Person,
  PersonPage,
  ShownLink,
  InvitedPerson,
  NewPerson,
  PersonChanges,
];
