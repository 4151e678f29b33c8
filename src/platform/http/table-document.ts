import { Type, type TObject } from 'typebox';
import type { FastifySchema } from 'fastify';
import { describeSelection } from './list-document.ts';
import { problemResponses, RATE_LIMIT_FIELDS } from './openapi.ts';
import type { ProblemCode } from './problems.ts';
import { chooseFormat, FORMAT_NAMES, type Columns } from './table-formats.ts';

const TEXTS = {
  csv: 'A column for each member of a row in the list, with a byte order mark.',
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

/** Describes the route of an export, which takes the filter and the sorts of a list. */
export function describeExport<Row extends object>(
  { filter, sorts }: { filter: TObject; sorts: readonly [string, ...string[]] },
  example: Row,
  columns: Columns<Row>,
  codes: ProblemCode[] = [],
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
      ...problemResponses(codes, {
        parameter: 'format',
        detail: 'format must be csv or ndjson.',
      }),
    },
  };
}
