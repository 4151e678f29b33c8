import { Type, type Static } from 'typebox';
import { nullable, timeLimit, timeOrNull } from '../../platform/fields/index.ts';
import { describePage, PROBLEMS } from '../../platform/http/index.ts';
import type { ContactImportResult } from '../schemas.ts';

const OUTCOMES = ['created', 'merged', 'refused'];
/** The codes of problems: an import can have any of them. */
const CODES = Object.keys(PROBLEMS);
const CHANNELS = ['single', 'batch', 'file'];

const listOf = (values: string[], description: string) =>
  Type.Optional(Type.Array(Type.Enum(values, { type: 'string' }), { type: 'array', description }));

/** The filter of the import log. */
export const ImportFilter = Type.Object(
  {
    outcome: listOf(OUTCOMES, 'What the import did.'),
    open: Type.Optional(
      Type.Boolean({
        description: 'Whether the import is open: it was refused, and is not settled.',
      }),
    ),
    channel: listOf(CHANNELS, 'How the import came in.'),
    code: listOf(CODES, 'The `code` of the problem that refused it.'),
    file: Type.Optional(Type.Array(Type.String(), { description: 'The `fileId`.' })),
    receivedAfter: timeLimit('Only imports that were received later.'),
    receivedBefore: timeLimit('Only imports that were received earlier.'),
  },
  { additionalProperties: false },
);
export type ImportFilter = Static<typeof ImportFilter>;

export const IMPORT_LIST = { filter: ImportFilter, sorts: ['-receivedAt'] } as const;

const nullableProblem = Type.Unsafe<object | null>({
  type: ['object', 'null'],
  description:
    'The problem that refused the import, as its sender got it; null when it was accepted.',
});

const IMPORT_FIELDS = {
  id: Type.String({ format: 'uuid' }),
  receivedAt: Type.String({ format: 'date-time' }),
  channel: Type.Enum(CHANNELS, { type: 'string' }),
  actor: Type.Ref('Actor#'),
  requestId: nullable('string', 'The `X-Request-Id` of its answer; null for a file.'),
  position: nullable('number', 'The index in its batch, from 0.'),
  fileId: nullable('string', 'The contact file whose row it is; null for a request.', {
    format: 'uuid',
  }),
  row: nullable('number', 'The line in that file, from 1; null for a request.'),
  outcome: Type.Enum(OUTCOMES, { type: 'string' }),
  contactId: nullable('string', 'The contact that it created or filled.', { format: 'uuid' }),
  problem: nullableProblem,
  ignoredFields: Type.Array(Type.String(), {
    description: 'The names of the members that are not fields, at most 20.',
  }),
  settledAt: nullable('string', 'When the refused import was settled.', { format: 'date-time' }),
  settlement: Type.Unsafe<string | null>({
    enum: ['retried', 'replaced', 'dismissed', null],
    description:
      'How it was settled: a retry was accepted, a later file had the same row, or somebody dismissed it.',
  }),
  undoneAt: timeOrNull('When the undo of its file erased the contact that it created.'),
};

export const ImportItem = Type.Object(IMPORT_FIELDS, {
  $id: 'Import',
  description: 'An import in the log.',
});
export type ImportItem = Static<typeof ImportItem>;

const Dismissal = Type.Object(
  { reason: nullable('string', 'Null when none was given.'), actor: Type.Ref('Actor#') },
  { additionalProperties: false },
);

const ImportDetail = Type.Object(
  {
    ...IMPORT_FIELDS,
    dismissal: Type.Unsafe<object | null>({
      anyOf: [Dismissal, { type: 'null' }],
      description: 'Who dismissed the refused import, and why; null when nobody did.',
    }),
    payload: nullable('string', 'The text as it was received; null when it is not kept.'),
    lead: Type.Optional(
      Type.Unsafe<object | null>({
        type: ['object', 'null'],
        description:
          'The received lead as a body of `POST /contacts`, to be corrected for a retry. The lead of a row of a file also has the values that the start set for all rows. Null when the log does not keep the payload, or cannot read it. The data of a person lack this member.',
      }),
    ),
    result: Type.Unsafe<ContactImportResult | null>({
      anyOf: [{ $ref: 'ContactImportResult#' }, { type: 'null' }],
      description: 'The result of the import, or of its retry.',
    }),
  },
  { $id: 'ImportDetail', description: 'An import in the log, with what was received.' },
);

const ImportList = describePage('Import', 'A page of the import log, the newest first.');

const RetryBody = Type.Object(
  {
    payload: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description:
            'The lead to import in place of the received one, as a body of `POST /contacts`. The log keeps the received one.',
        },
      ),
    ),
  },
  {
    $id: 'ImportRetry',
    description: 'How to retry an import.',
    additionalProperties: false,
    examples: [{ payload: { email: 'mereana.pou@example.com', source: 'Website' } }],
  },
);
export type RetryBody = Static<typeof RetryBody>;

const DismissBody = Type.Object(
  {
    reason: Type.Optional(
      Type.String({ maxLength: 1_000, description: 'The reason, which the log keeps.' }),
    ),
  },
  {
    $id: 'ImportDismissal',
    description: 'Why an import is dismissed.',
    additionalProperties: false,
    examples: [{ reason: 'A test of our website.' }],
  },
);
export type DismissBody = Static<typeof DismissBody>;

export const BULK_MAX_COUNT = 1_000;

/** The conditions that choose the open imports of a bulk action: either `ids` or `open`, and optionally `code` and `file`. */
const BulkBody = Type.Object(
  {
    ids: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        maxItems: BULK_MAX_COUNT,
        description: 'Only these. Send either `ids` or `open`.',
      }),
    ),
    open: Type.Optional(
      Type.Literal(true, {
        description: `All that are open, the ${BULK_MAX_COUNT} oldest in one request.`,
      }),
    ),
    code: Type.Optional(
      Type.Enum(CODES, {
        type: 'string',
        description: 'Only those that were refused with this code.',
      }),
    ),
    file: Type.Optional(Type.String({ description: 'Only rows of this file.' })),
  },
  {
    $id: 'ImportSelection',
    description: 'The open imports that an action is for.',
    additionalProperties: false,
    examples: [{ ids: ['0196a24b-34ec-7db6-924f-03249bebad2a'] }],
  },
);
export type BulkBody = Static<typeof BulkBody>;

const count = Type.Integer({ examples: [1] });

const RetryResult = Type.Object(
  {
    summary: Type.Object({ created: count, merged: count, refused: count }),
    results: Type.Array(
      Type.Object({
        id: Type.String({ format: 'uuid' }),
        outcome: Type.Enum([...OUTCOMES, 'skipped'], {
          description:
            '`skipped`: the log does not keep what was received, or somebody else has settled it meanwhile.',
        }),
        contactId: nullable('string', 'The contact that it created or filled.', { format: 'uuid' }),
        problem: nullableProblem,
      }),
    ),
    more: Type.Boolean({ description: 'Whether more open imports remain.' }),
  },
  { $id: 'RetryResult', description: 'What the retries did.' },
);

const DismissResult = Type.Object(
  {
    summary: Type.Object({ dismissed: count }),
    more: Type.Boolean({ description: 'Whether more open imports remain.' }),
  },
  { $id: 'DismissResult', description: 'How many imports were dismissed.' },
);

export const LOG_SCHEMAS = [
  RetryBody,
  DismissBody,
  BulkBody,
  ImportItem,
  ImportDetail,
  ImportList,
  RetryResult,
  DismissResult,
];
