import { Type, type Static } from 'typebox';
import { SCOPES, type Access, type Actor, type RateLimits, type Scope } from '../access/index.ts';
import {
  NOT_BLANK,
  nullable,
  nullableDateOrInstant,
  time,
  timeOrNull,
} from '../platform/fields/index.ts';
import { describePage } from '../platform/http/index.ts';

const ACCESSES = ['read', 'read-write'] as const;
const LIMIT_MAX = 1_000_000_000;

const perMinute = (what: string) =>
  Type.Optional(
    Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 1,
      maximum: LIMIT_MAX,
      description: `How many ${what} the key may make in a minute; null: as many as the operator allows.`,
    }),
  );
const rateLimits = {
  reads: perMinute('reads'),
  imports: perMinute('imports'),
  writes: perMinute('other writes'),
};

const Previous = Type.Object({
  lastFour: nullable('string', 'The last four characters of the text before the rotation.'),
  validUntil: time('When the old text stops working.'),
});

const keyFields = {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  scopes: Type.Array(Type.Enum([...SCOPES], { type: 'string' }), {
    description: 'What the key may do.',
  }),
  access: Type.Unsafe<Access | null>({
    enum: [...ACCESSES, null],
    description: '`read` is `stock:read`; `read-write` is `stock:read leads:import`.',
  }),
  start: Type.String({ description: 'The first 12 characters of its text.' }),
  lastFour: nullable(
    'string',
    'The last four characters of its text; null for a key of an older release.',
  ),
  createdAt: time('When the key was made.'),
  createdBy: Type.Unsafe<Actor>(Type.Ref('Actor#')),
  lastUsedAt: timeOrNull('When the key was last used, to the minute. It makes no new version.'),
  expiresAt: timeOrNull('When the key stops working by itself.'),
  revokedAt: timeOrNull('When the key was revoked.'),
  rateLimits: Type.Unsafe<RateLimits>(
    Type.Object(rateLimits, {
      description: 'The limits of the key. A higher one than the operator allows has no effect.',
    }),
  ),
  previous: Type.Unsafe<Static<typeof Previous> | null>({
    anyOf: [Previous, { type: 'null' }],
    description: 'The text before the last rotation.',
  }),
  etag: Type.String({ description: 'The version of the key.' }),
};

const Key = Type.Object(keyFields, { $id: 'Key', description: 'An API key.' });
export type Key = Static<typeof Key>;

const ShownKey = Type.Object(
  {
    ...keyFields,
    key: Type.String({ description: 'The text of the key. It is shown once, and stored nowhere.' }),
  },
  { $id: 'KeyWithText', description: 'An API key with its text.' },
);
export type ShownKey = Static<typeof ShownKey>;

const KeyPage = describePage('Key', "A page of the account's API keys.");

const name = Type.String({ pattern: NOT_BLANK, maxLength: 1_000 });
const expiresAt = Type.Optional(
  nullableDateOrInstant(
    'When the key stops working; a date is the start of that day in UTC. Null: never.',
  ),
);
const RateLimitChanges = Type.Unsafe<Partial<RateLimits> | null>({
  type: ['object', 'null'],
  properties: rateLimits,
  additionalProperties: false,
  description: 'A limit that is left out stays; null: no limit of its own.',
});

const NewKey = Type.Object(
  {
    name,
    scopes: Type.Optional(
      Type.Unsafe<Scope[]>(
        Type.Array(Type.Enum([...SCOPES], { type: 'string' }), { minItems: 1, uniqueItems: true }),
      ),
    ),
    access: Type.Optional(Type.Enum([...ACCESSES], { type: 'string' })),
    expiresAt,
    rateLimits: Type.Optional(RateLimitChanges),
  },
  {
    $id: 'NewKey',
    description: 'An API key to make, with either `scopes` or `access`.',
    additionalProperties: false,
    examples: [{ name: 'website', access: 'read', rateLimits: { reads: 600 } }],
  },
);
export type NewKey = Static<typeof NewKey>;

const KeyChanges = Type.Object(
  {
    name: Type.Optional(name),
    expiresAt,
    rateLimits: Type.Optional(RateLimitChanges),
  },
  {
    $id: 'KeyChanges',
    description: 'The fields of an API key to change.',
    additionalProperties: false,
    examples: [{ name: 'old website', expiresAt: '2027-01-31T00:00:00.000Z' }],
  },
);
export type KeyChanges = Static<typeof KeyChanges>;

const WEEK_S = 604_800;

const Rotation = Type.Object(
  {
    overlapSeconds: Type.Integer({
      minimum: 0,
      maximum: WEEK_S,
      description: 'How many seconds the old text still works.',
    }),
  },
  {
    $id: 'KeyRotation',
    description: 'How to rotate an API key.',
    additionalProperties: false,
    examples: [{ overlapSeconds: 3_600 }],
  },
);
export type Rotation = Static<typeof Rotation>;

const KeySearch = Type.Object(
  { key: Type.String({ maxLength: 1_000, description: 'The text of a key.' }) },
  {
    $id: 'KeySearch',
    description: 'The key to find.',
    additionalProperties: false,
    examples: [{ key: 'offplan_…' }],
  },
);

/** The filter of the list of keys. */
export const KeyFilter = Type.Object(
  {
    lastFour: Type.Optional(
      Type.String({
        description:
          'The last four characters of the text, or of the text before the last rotation.',
      }),
    ),
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Each word begins a word of the name.',
      }),
    ),
    revoked: Type.Optional(Type.Boolean({ description: 'Whether the key is revoked.' })),
  },
  { additionalProperties: false },
);
export type KeyFilter = Static<typeof KeyFilter>;

export const KEY_LIST = { filter: KeyFilter, sorts: ['-createdAt', 'createdAt', 'name'] } as const;

export const KEY_SCHEMAS = [Key, ShownKey, KeyPage, NewKey, KeyChanges, Rotation, KeySearch];
