import { Type, type Static } from 'typebox';
import type { Actor } from '../../access/index.ts';
import { DATE_ORDERS } from '../files/dates.ts';
import { FIELDS, type FileField } from '../files/columns/field-names.ts';
import { orNull, timeOrNull } from '../../platform/fields/index.ts';
import { describePage } from '../../platform/http/index.ts';

const STATUSES = [
  'checking',
  'ready',
  'refused',
  'queued',
  'running',
  'stopping',
  'stopped',
  'completed',
  'failed',
  'undoing',
  'undone',
] as const;
export type Status = (typeof STATUSES)[number];

export const NAME_MAX_LENGTH = 200;
export const FORMATS = ['csv', 'tsv', 'ndjson'] as const;
const NAME_ORDERS = ['last-first'] as const;
const SET_TAGS_MAX = 50;
/** The most reasons that a file shows. */
export const REASONS_MAX = 20;
const MAPPING_MAX = 1_000;

const count = (description: string) => Type.Integer({ description, examples: [0] });

const Column = Type.Object({
  header: Type.String({ description: 'The header, as the file has it.' }),
  samples: Type.Array(Type.String(), {
    description: 'Up to three values of the column. They are removed when the run has ended.',
  }),
  field: Type.Unsafe<FileField | null>({
    type: ['string', 'null'],
    enum: [...FIELDS, null],
    description: 'The field that the header names; null: the column is not imported.',
  }),
});
export type Column = Static<typeof Column>;

const Reason = Type.Object(
  {
    code: Type.String({ examples: ['invalid_request'] }),
    detail: Type.String(),
    count: count('How many rows were refused for this reason.'),
  },
  { additionalProperties: false },
);
export type Reason = Static<typeof Reason>;

const Remark = Type.Object(
  {
    detail: Type.String({ examples: ['stage "Lead" is not one of New, Contacted, Lost.'] }),
    count: count('How many rows have the value.'),
  },
  { additionalProperties: false },
);
export type Remark = Static<typeof Remark>;

/** The options of an import that decide what it does with a row. */
const RUN_OPTIONS = {
  mapping: Type.Optional(
    Type.Record(
      Type.String(),
      Type.Unsafe<FileField | null>({ type: ['string', 'null'], enum: [...FIELDS, null] }),
      {
        maxProperties: MAPPING_MAX,
        description:
          'The fields of columns, by their headers; null leaves a column out. Other columns keep the field that was detected.',
      },
    ),
  ),
  set: Type.Optional(
    Type.Object(
      {
        source: Type.Optional(
          Type.String({ description: 'The source of all rows, in place of their own.' }),
        ),
        tags: Type.Optional(
          Type.Array(Type.String(), {
            maxItems: SET_TAGS_MAX,
            description: 'Labels that all rows get, in addition to their own.',
          }),
        ),
        projectId: Type.Optional(
          Type.String({ description: 'A live project for all rows, in place of their own.' }),
        ),
        assignedAccountUserId: Type.Optional(
          Type.String({ description: 'An active person for all rows, in place of their own.' }),
        ),
      },
      { additionalProperties: false, description: 'Values that all rows get.' },
    ),
  ),
  dateOrder: Type.Optional(
    Type.Enum([...DATE_ORDERS], {
      type: 'string',
      description: 'The order of day, month and year in all dates, when the file does not show it.',
    }),
  ),
  nameOrder: Type.Optional(
    Type.Enum([...NAME_ORDERS], {
      type: 'string',
      description:
        'Says that full names begin with the last name, when the header does not show it.',
    }),
  ),
};

const RunCounts = Type.Object(
  {
    dryRun: Type.Boolean({ description: 'Whether the run stores nothing.' }),
    options: Type.Object(RUN_OPTIONS, {
      additionalProperties: false,
      description: 'The options with which it was started.',
    }),
    rowsRead: count('How many rows the run has read.'),
    created: count('How many rows created a contact.'),
    merged: count('How many rows were merged into an existing contact.'),
    refused: count('How many rows were refused.'),
    reasons: Type.Array(Reason, {
      description: `The ${REASONS_MAX} most frequent reasons why rows were refused, when the run has ended.`,
    }),
    remarks: Type.Array(Remark, {
      description: `The ${REASONS_MAX} most frequent values that the import leaves out or changes. Only a dry run that has ended has them, and the import that followed it with the same options.`,
    }),
    startedAt: timeOrNull('When the run began.'),
    endedAt: timeOrNull('When the run ended.'),
  },
  { additionalProperties: false },
);

const Undo = Type.Object(
  {
    removed: count('How many contacts the undo erased.'),
    kept: count(
      'How many contacts of the run the undo kept, because something else has changed them; counted when it is `undone`.',
    ),
  },
  { additionalProperties: false },
);

export const ContactFile = Type.Object(
  {
    id: Type.String({
      format: 'uuid',
      description: 'The id of the file. It is also the `fileId` of its rows in the import log.',
    }),
    name: Type.String(),
    bytes: Type.Integer({ description: 'The size of the file.' }),
    rows: orNull('integer', 'How many rows the file has; null until they are counted.'),
    format: Type.Unsafe<(typeof FORMATS)[number] | null>({
      enum: [...FORMATS, null],
      description: 'The format of its rows; null until the file is checked.',
    }),
    status: Type.Enum(STATUSES, { type: 'string', description: 'The state of the file.' }),
    problem: Type.Unsafe<object | null>({
      type: ['object', 'null'],
      description:
        'Why the file cannot be imported, or which option the start needs; null when there is no problem.',
    }),
    columns: Type.Array(Column, {
      description:
        'The columns of the file. For NDJSON, these are the members of its first objects.',
    }),
    run: Type.Unsafe<Static<typeof RunCounts> | null>({
      anyOf: [RunCounts, { type: 'null' }],
      description: 'The latest run; null when the file was not started.',
    }),
    undo: Type.Unsafe<Static<typeof Undo> | null>({
      anyOf: [Undo, { type: 'null' }],
      description:
        'What the undo of the import did, when it is `undone` or has `failed`; null when there was none.',
    }),
    createdAt: Type.String({ format: 'date-time' }),
    actor: Type.Unsafe<Actor>({ $ref: 'Actor#' }),
    etag: Type.String({ description: 'The version, as in the header `ETag`.' }),
  },
  { $id: 'ContactFile', description: 'A file of contacts, and the import of its rows.' },
);
export type ContactFile = Static<typeof ContactFile>;

const ContactFileList = describePage('ContactFile', 'A page of the files, the newest first.');

const StartContactFile = Type.Object(
  {
    ...RUN_OPTIONS,
    dryRun: Type.Optional(
      Type.Boolean({ description: 'Whether to count what the rows would do, and store nothing.' }),
    ),
  },
  {
    $id: 'StartContactFile',
    additionalProperties: false,
    description: 'How to import a file.',
    examples: [{ mapping: { 'Work email': 'email', Fax: null }, set: { tags: ['Expo 2026'] } }],
  },
);
export type StartContactFile = Static<typeof StartContactFile>;

const ContactFileFilter = Type.Object(
  {
    status: Type.Optional(
      Type.Array(Type.Enum(STATUSES, { type: 'string' }), {
        type: 'array',
        description: 'The state of the file.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type ContactFileFilter = Static<typeof ContactFileFilter>;

export const FILE_LIST = { filter: ContactFileFilter, sorts: ['-createdAt'] } as const;

export const UploadQuery = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        maxLength: 1_000,
        description: `The name of the file, of which the last ${NAME_MAX_LENGTH} characters are kept.`,
        examples: ['expo-2026.csv'],
      }),
    ),
  },
  { additionalProperties: false },
);

export const FILE_SCHEMAS = [ContactFile, ContactFileList, StartContactFile];
