import { Type, type Static } from 'typebox';
import type { Actor } from '../access/index.ts';
import { EVENT_TYPES, NOUNS } from '../events/index.ts';
import { nullable, orNull, REQUEST_URL, timeOrNull } from '../platform/fields/index.ts';
import { describePage } from '../platform/http/index.ts';

const URL_MAX = 2_000;
export const HEADERS_MAX = 5;
const OVERLAP_MAX_S = 604_800;
const OVERLAP_DEFAULT_S = 86_400;
export const BULK = ['summary', 'each'] as const;
export const STATUSES = ['enabled', 'failing', 'disabled'] as const;
export const DISABLED_REASONS = ['turned_off', 'gone', 'failing'] as const;

/** The values of `types`: all types, all of a noun, or one type. */
export const WANTED_TYPES = ['*', ...NOUNS.map((noun) => `${noun}.*`), ...EVENT_TYPES];

const settings = {
  url: Type.String({
    maxLength: URL_MAX,
    pattern: REQUEST_URL,
    description: 'Where the events are sent: an https URL in the public internet.',
  }),
  types: Type.Array(Type.Enum(WANTED_TYPES, { type: 'string' }), {
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
    description: 'The types of the events, such as `contact.*` or `unit.created`; `*`: all.',
  }),
  description: nullable('string', 'What the webhook is for.', { maxLength: 1_000 }),
  include: Type.Array(Type.Enum(['object'], { type: 'string' }), {
    uniqueItems: true,
    description:
      '`object`: each event has its `object`, the row as the API shows it now, with all that an owner of the account sees.',
  }),
  bulk: Type.Enum([...BULK], {
    type: 'string',
    description:
      '`summary`: of a contact file that was uploaded, only the event of its end is sent; `each`: the events of its rows, too.',
  }),
  ordered: Type.Boolean({
    description:
      'Whether an event is sent only when the one before it was delivered or has failed.',
  }),
};

const fields = {
  id: Type.String({ format: 'uuid' }),
  ...settings,
  description: orNull('string', 'What the webhook is for.'),
  headerNames: Type.Array(Type.String(), {
    description: 'The names of the headers that each request has. Their values are not shown.',
  }),
  status: Type.Enum([...STATUSES], {
    type: 'string',
    description: '`failing`: the latest attempt failed; `disabled`: nothing is sent.',
  }),
  disabledReason: Type.Unsafe<(typeof DISABLED_REASONS)[number] | null>({
    enum: [...DISABLED_REASONS, null],
    description:
      '`turned_off` by somebody, `gone`: the endpoint answered 410, `failing`: no success for 5 days.',
  }),
  createdAt: Type.String({ format: 'date-time' }),
  createdBy: Type.Unsafe<Actor>(Type.Ref('Actor#')),
  lastSuccessAt: timeOrNull('When an event was last delivered. It makes no new version.'),
  failingSince: timeOrNull('The first failure since the last success.'),
  lag: Type.Integer({
    description:
      'How many events of the account are newer than the last one that the webhook has sent or passed by. It makes no new version.',
  }),
  etag: Type.String({ description: 'The version of the webhook.' }),
};

const Webhook = Type.Object(fields, {
  $id: 'Webhook',
  description: 'An endpoint to which events are sent.',
});
export type Webhook = Static<typeof Webhook>;

const ShownWebhook = Type.Object(
  {
    ...fields,
    secret: Type.String({
      description:
        'What deliveries are signed with: `whsec_` and 32 bytes in base64. It is shown once.',
    }),
  },
  { $id: 'WebhookWithSecret', description: 'A webhook with its secret.' },
);
export type ShownWebhook = Static<typeof ShownWebhook>;

const WebhookPage = describePage('Webhook', "A page of the account's webhooks.");

const headerValue = { maxLength: 1_000, type: 'string' };
const headers = (value: object, description: string) =>
  Type.Optional(
    Type.Unsafe<Record<string, string | null> | null>({
      type: ['object', 'null'],
      additionalProperties: value,
      maxProperties: 2 * HEADERS_MAX,
      description,
    }),
  );

const optionalSettings = {
  description: settings.description,
  include: Type.Optional(settings.include),
  bulk: Type.Optional(settings.bulk),
  ordered: Type.Optional(settings.ordered),
};

const NewWebhook = Type.Object(
  {
    url: settings.url,
    types: settings.types,
    ...optionalSettings,
    headers: headers(
      headerValue,
      `Up to ${HEADERS_MAX} headers that each request has. Their values are stored encrypted.`,
    ),
  },
  {
    $id: 'NewWebhook',
    description: 'A webhook to make. It begins with the next event.',
    additionalProperties: false,
    examples: [
      { url: 'https://receiver.example/hooks', types: ['contact.*', 'unit.status_changed'] },
    ],
  },
);
export type NewWebhook = Static<typeof NewWebhook>;

const WebhookChanges = Type.Object(
  {
    url: Type.Optional(settings.url),
    types: Type.Optional(settings.types),
    ...optionalSettings,
    headers: headers(
      { ...headerValue, type: ['string', 'null'] },
      'A header that is left out stays. null removes a header, or all of them.',
    ),
    enabled: Type.Optional(Type.Boolean({ description: 'Whether events are sent.' })),
    resumeFrom: Type.Optional(
      Type.Enum(['head', 'where_it_stopped'], {
        type: 'string',
        description:
          '`where_it_stopped`, the default: the events that were not sent are sent now; `head`: they are left out, and the next event is the first.',
      }),
    ),
  },
  {
    $id: 'WebhookChanges',
    description: 'The fields of a webhook to change.',
    additionalProperties: false,
    examples: [{ enabled: true, resumeFrom: 'head' }],
  },
);
export type WebhookChanges = Static<typeof WebhookChanges>;

const Rotation = Type.Object(
  {
    overlapSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: OVERLAP_MAX_S,
        default: OVERLAP_DEFAULT_S,
        description: `How long both secrets sign; ${OVERLAP_DEFAULT_S} without it.`,
      }),
    ),
  },
  {
    $id: 'WebhookRotation',
    description: 'How to rotate the secret of a webhook.',
    additionalProperties: false,
    examples: [{ overlapSeconds: 3_600 }],
  },
);
export type Rotation = Static<typeof Rotation>;
export const readOverlap = ({ overlapSeconds = OVERLAP_DEFAULT_S }: Rotation): number =>
  overlapSeconds;

const TestResult = Type.Object(
  {
    delivered: Type.Boolean({ description: 'Whether the endpoint answered 2xx.' }),
    httpStatus: orNull('integer', 'Its status; null when it did not answer.'),
    ms: Type.Integer({ description: 'How long it took.' }),
    error: orNull('string', 'Why it was not delivered.'),
  },
  { $id: 'WebhookTest', description: 'The result of a test event.' },
);
export type TestResult = Static<typeof TestResult>;

/** The filter of the list of webhooks. */
const WebhookFilter = Type.Object({}, { additionalProperties: false });

export const WEBHOOK_LIST = { filter: WebhookFilter, sorts: ['-createdAt', 'createdAt'] } as const;

export const WEBHOOK_SCHEMAS = [
  Webhook,
  ShownWebhook,
  WebhookPage,
  NewWebhook,
  WebhookChanges,
  Rotation,
  TestResult,
];
