import { Type } from 'typebox';
import {
  answerNoContent,
  answerPage,
  answerCreated,
  answerRead,
  answerResource,
  describeListQuery,
  IDEMPOTENCY_KEY_FIELD,
  IF_NONE_MATCH_FIELD,
  problemResponses,
  RATE_LIMIT_FIELDS,
  WITH_BODY,
  type ProblemCode,
} from '../../platform/http/index.ts';
import { createUploadReport } from '../files/report.ts';
import { FILE_LIST, UploadQuery, type ContactFile } from './schemas.ts';
import { UPLOAD_TYPES } from './upload.ts';

const tags = ['Contact files'];
const ID = '0196a24b-34ec-7db6-924f-03249bebad2a';

const EXAMPLE: ContactFile = {
  id: ID,
  name: 'expo-2026.csv',
  bytes: 48_213,
  rows: 412,
  format: 'csv',
  status: 'ready',
  problem: null,
  columns: [
    { header: 'Work email', samples: ['mereana.pou@example.com'], field: 'email' },
    { header: 'Fax', samples: [], field: null },
  ],
  run: null,
  undo: null,
  createdAt: '2026-11-25T03:04:05.678Z',
  actor: { type: 'user', id: '0196a24b-34ed-7302-a3ea-5b2c46f5e0c4', name: 'Hana Parata' },
  etag: '"2"',
};
const CHECKING: ContactFile = {
  ...EXAMPLE,
  rows: null,
  format: null,
  status: 'checking',
  columns: [],
  etag: '"1"',
};
const run = {
  dryRun: false,
  options: { mapping: { 'Work email': 'email' as const }, set: { tags: ['Expo 2026'] } },
  rowsRead: 0,
  created: 0,
  merged: 0,
  refused: 0,
  reasons: [],
  remarks: [],
  startedAt: null,
  endedAt: null,
};
const QUEUED: ContactFile = { ...EXAMPLE, status: 'queued', run, etag: '"3"' };
const RUN = {
  ...run,
  rowsRead: 200,
  created: 180,
  merged: 18,
  refused: 2,
  startedAt: '2026-11-25T03:05:00.000Z',
};

const params = Type.Object({
  fileId: Type.String({ description: 'The id of a contact file.', examples: [ID] }),
});

const EXAMPLE_BODIES: Record<string, string> = {
  'text/csv': 'Name,Work email\nMereana Pou,mereana.pou@example.com\n',
  'text/tab-separated-values': 'Name\tWork email\nMereana Pou\tmereana.pou@example.com\n',
  'application/x-ndjson': '{"name":"Mereana Pou","email":"mereana.pou@example.com"}\n',
};

export const uploadDocument = {
  operationId: 'uploadContactFile',
  tags,
  summary: 'Upload a file of contacts',
  description:
    'The body is the file, up to 64 MiB. Its `Content-Type` is one of those below, with the charset unless that is UTF-8. ' +
    'The service then counts the rows and recognizes the columns: the status `checking` becomes `ready`, or `refused` ' +
    'with a `problem`.',
  consumes: UPLOAD_TYPES,
  querystring: UploadQuery,
  body: {
    content: Object.fromEntries(
      UPLOAD_TYPES.map((type) => [
        type,
        { schema: { description: 'The file.', examples: [EXAMPLE_BODIES[type]] } },
      ]),
    ),
  },
  response: {
    ...answerCreated('The file was stored.', 'ContactFile', CHECKING),
    ...problemResponses(['limit_reached', 'body_too_large', 'unsupported_media_type'], {
      parameter: 'name',
      detail: 'name must have at most 1000 characters.',
    }),
  },
};

export const listDocument = {
  operationId: 'listContactFiles',
  tags,
  summary: 'List the files of contacts',
  description: 'The newest first.',
  querystring: describeListQuery(FILE_LIST),
  response: {
    ...answerPage('A page of the files.', 'ContactFileList', [EXAMPLE]),
    ...problemResponses(['cursor_invalid'], {
      parameter: 'status',
      detail: 'status must be ready.',
    }),
  },
};

export const showDocument = {
  operationId: 'showContactFile',
  tags,
  summary: 'Show a file of contacts',
  description: 'During the import, `run` counts its rows.',
  params,
  headers: IF_NONE_MATCH_FIELD,
  response: {
    ...answerRead('The file.', 'ContactFile', EXAMPLE),
    ...problemResponses(['contact_file_not_found']),
  },
};

function answerAccepted(description: string, example: ContactFile) {
  const { 200: answer } = answerResource(description, 'ContactFile', example);
  return { 202: answer };
}

const MAPPING_FAULT = { pointer: '/mapping', detail: 'mapping must be an object.' };

export const startDocument = {
  operationId: 'startContactFile',
  tags,
  summary: 'Import a file of contacts',
  description:
    'Queues the import. One file of an account is imported at a time. A dry run imports nothing, and ends in `ready`, with a report.',
  params,
  headers: IDEMPOTENCY_KEY_FIELD,
  body: Type.Ref('StartContactFile#'),
  response: {
    ...answerAccepted('The import is queued.', QUEUED),
    ...problemResponses(
      [
        'contact_file_not_found',
        'file_not_ready',
        'mapping_incomplete',
        'project_not_available',
        'user_not_active',
        'idempotency_key_in_use',
        'idempotency_key_reused',
        ...WITH_BODY,
      ],
      MAPPING_FAULT,
    ),
  },
};

const ACTION_CODES: ProblemCode[] = ['contact_file_not_found', 'invalid_transition', ...WITH_BODY];

export const stopDocument = {
  operationId: 'stopContactFile',
  tags,
  summary: 'Stop the import of a file',
  description:
    'The rows that are imported stay imported. A dry run becomes `ready`, any other run `stopped`.',
  params,
  response: {
    ...answerAccepted('The import stops.', { ...EXAMPLE, status: 'stopping', run: RUN }),
    ...problemResponses(ACTION_CODES),
  },
};

export const continueDocument = {
  operationId: 'continueContactFile',
  tags,
  summary: 'Continue the import of a file',
  description: 'Queues the rows that are not done: no row is imported twice.',
  params,
  response: {
    ...answerAccepted('The other rows are queued.', { ...EXAMPLE, status: 'queued', run: RUN }),
    ...problemResponses(ACTION_CODES),
  },
};

export const undoDocument = {
  operationId: 'undoContactFile',
  tags,
  summary: 'Undo the import of a file',
  description:
    'Erases the contacts that the run created and that nothing else has touched. The import log stays.',
  params,
  response: {
    ...answerAccepted('The undo is queued.', { ...EXAMPLE, status: 'undoing', run: RUN }),
    ...problemResponses(ACTION_CODES),
  },
};

const { header, formatRow } = createUploadReport(',', ['Work email', 'Fax']);
const REPORT =
  header +
  formatRow({
    line: 14,
    code: 'invalid_request',
    reason: 'email must be an email address, such as name@example.com.',
    text: 'mereana.pou at example.com,',
  });

export const reportDocument = {
  operationId: 'reportContactFile',
  tags,
  summary: 'Get the rows that the latest run of a file refused',
  description:
    'The rows as they were sent, with the delimiter of the file, after `offplan_row` (the line in the file), `offplan_code` and ' +
    '`offplan_reason`. Cells that a spreadsheet would take for formulas are made texts. Correct the rows and upload the report: ' +
    'the new import settles them. Rows are kept as long as the import log, and those of a dry run until the next run.',
  params,
  response: {
    200: {
      description: 'The report, with a byte order mark.',
      headers: {
        'Content-Disposition': { type: 'string', description: 'The name of the report.' },
        ...RATE_LIMIT_FIELDS,
      },
      content: { 'text/csv': { schema: { type: 'string' }, example: REPORT } },
    },
    ...problemResponses(['contact_file_not_found']),
  },
};

export const deleteDocument = {
  operationId: 'deleteContactFile',
  tags,
  summary: 'Delete a file of contacts',
  description:
    'Its contacts and the import log stay. Stop the import of a file before you delete it.',
  params,
  response: {
    ...answerNoContent('The file is gone.'),
    ...problemResponses(ACTION_CODES),
  },
};
