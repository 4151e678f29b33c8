import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Queryable } from '../platform/database/index.ts';
import {
  chooseFormat,
  FORMAT_NAMES,
  type Columns,
  type FormatName,
} from '../platform/http/index.ts';
import type { SendDownload } from './downloads.ts';

/** The parameter of an export that names its format. */
export const FORMAT_PARAMETER = {
  format: {
    values: new RegExp(`^(${FORMAT_NAMES.join('|')})$`),
    rule: `must be ${FORMAT_NAMES.join(' or ')}.`,
  },
};

/** The rows of an export, and how they are written. */
interface ExportedRows<Stored, Row extends object> {
  /** The name of the file, without the day and the extension. */
  name: string;
  format: string | undefined;
  columns: Columns<Row>;
  read: (tx: Queryable) => AsyncIterable<Stored[]>;
  present: (stored: Stored) => Row;
}

/** Sends rows as a file. */
export function sendRows<Stored, Row extends object>(
  sendDownload: SendDownload,
  request: FastifyRequest,
  reply: FastifyReply,
  { name, format = 'csv', columns, read, present }: ExportedRows<Stored, Row>,
): Promise<FastifyReply> {
  const extension = format as FormatName;
  const { contentType, formatHead, formatRow, formatEnd } = chooseFormat(extension, columns);
  return sendDownload(request, reply, {
    nameFile: (today) => `${name}-${today}.${extension}`,
    contentType,
    read: async function* produce(tx) {
      let count = 0;
      // Send the head together with the first rows: if these cannot be read, the answer can still be a problem.
      let head = formatHead();
      for await (const rows of read(tx)) {
        count += rows.length;
        yield head + rows.map((row) => formatRow(present(row))).join('');
        head = '';
      }
      yield head + formatEnd(count);
    },
  });
}
