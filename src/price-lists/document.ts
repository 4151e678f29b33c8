import { Type } from 'typebox';
import {
  answerJson,
  DRY_RUN_QUERY,
  problemResponses,
  RATE_LIMIT_FIELDS,
  WITH_BODY,
} from '../platform/http/index.ts';
import { BYTE_ORDER_MARK } from '../platform/text/index.ts';
import { formatLine } from './cells.ts';
import { COLUMNS } from './columns.ts';

const UNIT_ID = '0195f33f-5d43-7c26-8284-63e7d7d9bfae';
const FILE = 'unitId,status,price\r\n0195f33f-5d43-7c26-8284-63e7d7d9bfae,Reserved,"$865,000"\r\n';

const tags = ['Units'];
const params = Type.Object({
  projectId: Type.String({
    description: 'The id of a project.',
    examples: ['0195f33f-5d43-7c26-8284-63e7d7d9bfad'],
  }),
});

const EXPORTED = [
  UNIT_ID,
  1,
  27,
  '3.07',
  'Apartment',
  'Available',
  3,
  2,
  1,
  1,
  'North-west',
  74.5,
  11,
  null,
  849_000,
  '$849,000',
  'NZD',
];

export const showDocument = {
  operationId: 'getPriceList',
  tags,
  summary: 'Export the price list of a project',
  description:
    'The units of the project in their order, withdrawn ones too, as CSV with a byte order mark. Sent back as it is, it changes ' +
    'nothing.',
  params,
  response: {
    200: {
      description: 'The file.',
      headers: {
        'Content-Disposition': { type: 'string', description: 'The name of the file.' },
        ...RATE_LIMIT_FIELDS,
      },
      content: {
        'text/csv': {
          schema: { type: 'string' },
          example: BYTE_ORDER_MARK + formatLine(COLUMNS) + formatLine(EXPORTED),
        },
      },
    },
    ...problemResponses(['project_not_found']),
  },
};

export const applyDocument = {
  operationId: 'applyPriceList',
  tags,
  summary: 'Change units by a price list',
  description:
    'Columns are found by name or by a usual header such as `Lot`, in any order. A unit is found by `unitId`, or else ' +
    '`lotNumber`, or else `name`. A column that is absent leaves its field as it is; an empty cell empties it. ' +
    'Amounts may have a currency and separators of thousands. All rows are stored, or none. Units that the file does not name ' +
    'stay as they are.',
  consumes: ['text/csv'],
  params,
  querystring: DRY_RUN_QUERY,
  body: Type.String({ description: 'The file, at most 4 MiB.', examples: [FILE] }),
  response: {
    ...answerJson('The result for each row.', 'PriceListResult', {
      summary: { changed: 1, unchanged: 0, refused: 0 },
      results: [
        {
          index: 0,
          row: 2,
          id: UNIT_ID,
          changes: [
            { field: 'status', from: 'Available', to: 'Reserved' },
            { field: 'price', from: 849_000, to: 865_000 },
          ],
          etag: '"2"',
          problem: null,
        },
      ],
      ignoredColumns: [],
    }),
    ...problemResponses(['project_not_found', 'rows_refused', ...WITH_BODY], {
      pointer: '',
      detail: 'The first row must name the columns.',
    }),
  },
};
