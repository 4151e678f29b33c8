import { Type, type Static } from 'typebox';
import { ROLES, SCOPES, type Role } from '../access/index.ts';
import {
  email,
  flag,
  id,
  name,
  NOT_BLANK,
  object,
  oneOf,
  schemaOrNull,
  time,
  type StoredRow,
} from '../platform/fields/index.ts';

/** The fields of a user that can be written, in the order of an export. */
export const UserFields = {
  email: email('Unique in the account, without regard to case. Required when the user is created.'),
  name: name('Required when the user is created.'),
  role: oneOf(ROLES, 'What the person may do; `agent` by default.'),
  active: flag('Whether contacts can be assigned to the user by an import; true by default.'),
};

export type User = StoredRow<typeof UserFields> & { id: string };

const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** The fields of a person, as the API shows them. */
export const personFields = {
  id: id('The id of the person.'),
  email: Type.String({ description: 'Unique in the account, without regard to case.' }),
  name: Type.String(),
  role: Type.Enum([...ROLES], { description: 'What the person may do.' }),
  active: Type.Boolean({ description: 'Whether the person can sign in and get contacts.' }),
  secondStep: Type.Boolean({ description: 'Whether the person also needs a code to sign in.' }),
  signedInAt: schemaOrNull<string>(time('When the person last signed in.')),
  invitedUntil: schemaOrNull<string>(
    time(
      'When the latest invitation ends, or ended; null when it was used, or another link has replaced it.',
    ),
  ),
  createdAt: time('When the person was added.'),
  updatedAt: time('When the person was last changed.'),
  etag: Type.String({ description: 'The version of the person.' }),
};

const OwnPerson = Type.Object({
  ...personFields,
  theme: Type.Enum([...THEMES], { description: 'The colours of the console.' }),
});
export type OwnPerson = Static<typeof OwnPerson>;

const OwnSession = Type.Object({
  id: id('The id of the session.'),
  createdAt: time('When the person signed in.'),
  confirmedAt: schemaOrNull<string>(
    time('When the person last proved who they are; null in a demo, where it does not matter.'),
  ),
  expiresAt: time('When the session ends, unless it is used again before.'),
  needsSecondStep: Type.Boolean({
    description: 'Whether the person must turn their second step on before anything else.',
  }),
});

const perMinute = Type.Unsafe<number | null>({ type: ['integer', 'null'] });

/** The answer to GET /me: the caller, and what they may do. */
export const Me = Type.Object(
  {
    actor: Type.Object(
      {
        type: Type.Enum(['user', 'key']),
        id: id('The id of the person or the key.'),
        name: Type.String(),
      },
      { description: 'The caller: a person who is signed in, or an API key.' },
    ),
    account: Type.Object({
      id: id('The id of the account.'),
      slug: Type.String(),
      displayName: Type.String(),
      timeZone: Type.String({ description: 'The IANA time zone of its days.' }),
      defaultCurrency: schemaOrNull<string>(
        Type.String({ description: 'The ISO 4217 code of its currency.' }),
      ),
    }),
    user: schemaOrNull<OwnPerson>(OwnPerson),
    role: Type.Unsafe<Role | null>({ type: ['string', 'null'], enum: [...ROLES, null] }),
    scopes: Type.Array(Type.Enum([...SCOPES]), { description: 'What the caller may do.' }),
    contacts: Type.Enum(['all', 'own'], {
      description:
        'Whether the caller sees all contacts, or only their own and those assigned to nobody.',
    }),
    rateLimits: Type.Object(
      { reads: perMinute, imports: perMinute, writes: perMinute, exports: perMinute },
      {
        description:
          'How many requests of each kind the caller may make in a minute; null without a limit.',
      },
    ),
    session: schemaOrNull<Static<typeof OwnSession>>(OwnSession),
  },
  { $id: 'Me', description: 'The caller, and what they may do.' },
);
export type Me = Static<typeof Me>;

const password = Type.String({
  maxLength: 1_000,
  description: '12 to 200 characters, and not one of the most common passwords.',
});

const code = Type.String({
  maxLength: 100,
  description: 'The code of the app, or a recovery code, of a person who has a second step.',
});

/** The body of POST /me/second-step/confirm. */
export const SecondStepCode = object({ code }, 'A code of the app.');

/** The body of POST /sign-in. */
export const SignIn = object(
  {
    account: Type.String({ maxLength: 100, description: 'The slug of the account.' }),
    email: Type.String({ maxLength: 1_000 }),
    password: Type.String({ maxLength: 1_000 }),
    code: Type.Optional(code),
  },
  'The person who signs in.',
);

/** The body of PATCH /me. */
export const OwnChanges = object(
  {
    name: Type.Optional(Type.String({ pattern: NOT_BLANK, maxLength: 1_000 })),
    theme: Type.Optional(Type.Enum([...THEMES], { type: 'string' })),
  },
  'The fields that a person changes of themselves.',
);

/** The body of POST /me/password. */
export const PasswordChange = object(
  { current: Type.String({ maxLength: 1_000 }), password },
  'The current password, and the new one.',
);

/** The body of POST /me/confirm. */
export const Confirmation = object(
  { password: Type.String({ maxLength: 1_000 }), code: Type.Optional(code) },
  'The password, and a code when the person has a second step.',
);

/** The sessions of the person who asks. */
export const SessionList = Type.Object({
  data: Type.Array(
    Type.Object({
      id: id('The id of the session.'),
      createdAt: time('When the person signed in.'),
      seenAt: time('When the session was last used, to the minute.'),
      userAgent: schemaOrNull<string>(
        Type.String({ description: 'The browser, as it calls itself.' }),
      ),
      address: Type.String({ description: 'The address from which the person signed in.' }),
      current: Type.Boolean({ description: 'Whether it is the session of this request.' }),
    }),
  ),
  pagination: Type.Object({
    limit: Type.Integer(),
    nextCursor: Type.Null(),
    hasNextPage: Type.Boolean(),
  }),
});

/** The body of POST /links/open. */
export const LinkToken = object(
  { token: Type.String({ maxLength: 1_000, description: 'The part of the link after `#`.' }) },
  'A link.',
);

/** The answer to POST /links/open. */
export const OpenedLink = Type.Object({
  kind: Type.Enum(['start', 'invite', 'reset'], {
    description:
      '`start` makes the first owner of the account; the others let a person choose a password.',
  }),
  account: Type.Object({ slug: Type.String(), displayName: Type.String() }),
  email: schemaOrNull<string>(
    Type.String({ description: 'Null when the link makes the first owner.' }),
  ),
  name: schemaOrNull<string>(Type.String()),
  expiresAt: time('When the link ends.'),
});

/** The body of POST /links/accept. */
export const LinkAcceptance = object(
  {
    token: Type.String({ maxLength: 1_000, description: 'The part of the link after `#`.' }),
    password: Type.Optional(password),
    email: Type.Optional(
      Type.String({ format: 'idn-email', description: 'The email of the first owner.' }),
    ),
    name: Type.Optional(
      Type.String({
        pattern: NOT_BLANK,
        maxLength: 1_000,
        description:
          'The name of the first owner. With an invitation, the name that the person wants; without it, theirs stays.',
      }),
    ),
  },
  'A link, and the password that the person has chosen.',
);
