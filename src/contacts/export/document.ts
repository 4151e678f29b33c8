import { Type, type TObject } from 'typebox';
import type { FastifySchema } from 'fastify';
import {
  describeSelection,
  problemResponses,
  RATE_LIMIT_FIELDS,
} from '../../platform/http/index.ts';
import { ACTIVITY_EXAMPLE, ACTIVITY_LIST } from '../activities/document.ts';
import { CONTACT_EXAMPLE, CONTACT_LIST } from '../list/document.ts';
import { ACTIVITY_COLUMNS, CONTACT_COLUMNS } from './columns.ts';
import { chooseFormat, FORMAT_NAMES, type Columns } from './formats.ts';

const TEXTS = {
  csv: 'A column for each member of a row in the list, with a byte order mark. `tags` has labels, joined by `, `.',
  ndjson: 'Each line is a row as in the list. The last line is `{ "rows": n }`.',
};

function describeFiles<Row extends object>(example: Row, columns: Columns<Row>) {
  const described = FORMAT_NAMES.map((name) => {
    const { contentType, formatHead, formatRow, formatEnd } = chooseFormat(name, columns);
    const type = contentType.split(';')[0] ?? '';
    const file = formatHead() + formatRow(example) + formatEnd(1);
    return [type, { schema: { type: 'string', description: TEXTS[name] }, example: file }];
  });
  return Object.fromEntries(described) as Record<string, object>;
}

function describeExport<Row extends object>(
  { filter, sorts }: { filter: TObject; sorts: readonly [string, ...string[]] },
  example: Row,
  columns: Columns<Row>,
): Pick<FastifySchema, 'querystring' | 'response'> & { tags: string[] } {
  return {
    tags: ['Exports'],
    querystring: Type.Object({
      format: Type.Optional(
        Type.Enum([...FORMAT_NAMES], { description: '`csv` without it.', examples: ['csv'] }),
      ),
      ...describeSelection({ filter, sorts }).properties,
    }),
    response: {
      200: {
        description: 'The file. A connection that breaks off means that it is not whole.',
        headers: {
          'Content-Disposition': { type: 'string', description: 'The name of the file.' },
          ...RATE_LIMIT_FIELDS,
        },
        content: describeFiles(example, columns),
      },
      ...problemResponses(['confirmation_required'], {
        parameter: 'format',
        detail: 'format must be csv or ndjson.',
      }),
    },
  };
}

export const contactExportDocument: FastifySchema = {
  operationId: 'exportContacts',
  summary: 'Export contacts',
  description:
    'All contacts that match the filters of `GET /contacts`, as they are at one moment. Two exports of an account run at once.',
  ...describeExport(CONTACT_LIST, CONTACT_EXAMPLE, CONTACT_COLUMNS),
};

export const activityExportDocument: FastifySchema = {
  operationId: 'exportActivities',
  summary: 'Export activities',
  description:
    'All activities that match the filters of `GET /activities`, the newest first, as they are at one moment.',
  ...describeExport(ACTIVITY_LIST, ACTIVITY_EXAMPLE, ACTIVITY_COLUMNS),
};
