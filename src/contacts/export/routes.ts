import type { FastifyReply, FastifyRequest } from 'fastify';
import { getPrincipal, type SendDownload } from '../../access/index.ts';
import type { Queryable } from '../../platform/database/index.ts';
import {
  createSelectionReader,
  SKIP_VALIDATION,
  type RawQuery,
  type Server,
} from '../../platform/http/index.ts';
import { ACTIVITY_LIST } from '../activities/document.ts';
import { presentActivity } from '../activities/present.ts';
import { CONTACT_LIST } from '../list/document.ts';
import { presentContact } from '../list/present.ts';
import { ACTIVITY_COLUMNS, CONTACT_COLUMNS } from './columns.ts';
import { activityExportDocument, contactExportDocument } from './document.ts';
import { chooseFormat, FORMAT_NAMES, type Columns, type FormatName } from './formats.ts';
import { readActivities, readContacts } from './store.ts';

const config = { scope: 'contacts:export', quota: 'exports' } as const;

const FORMAT = {
  format: {
    values: new RegExp(`^(${FORMAT_NAMES.join('|')})$`),
    rule: `must be ${FORMAT_NAMES.join(' or ')}.`,
  },
};

/** Adds the routes that export contacts and activities. */
export function exportRoutes(app: Server, sendDownload: SendDownload): void {
  const readContactQuery = createSelectionReader(CONTACT_LIST, FORMAT);
  const contacts = { config, schema: contactExportDocument, ...SKIP_VALIDATION };
  app.get('/exports/contacts', contacts, (request, reply) => {
    const { further, ...selection } = readContactQuery(request.query as RawQuery);
    const reader = getPrincipal(request);
    return sendRows(request, reply, {
      name: 'contacts',
      format: further.format,
      columns: CONTACT_COLUMNS,
      read: (tx) => readContacts(tx, reader, selection),
      present: presentContact,
    });
  });

  const readActivityQuery = createSelectionReader(ACTIVITY_LIST, FORMAT);
  const activities = { config, schema: activityExportDocument, ...SKIP_VALIDATION };
  app.get('/exports/activities', activities, (request, reply) => {
    const { further, ...selection } = readActivityQuery(request.query as RawQuery);
    const reader = getPrincipal(request);
    return sendRows(request, reply, {
      name: 'activities',
      format: further.format,
      columns: ACTIVITY_COLUMNS,
      read: (tx) => readActivities(tx, reader, selection),
      present: presentActivity,
    });
  });

  /** Sends rows as a file. */
  function sendRows<Stored, Row extends object>(
    request: FastifyRequest,
    reply: FastifyReply,
    { name, format = 'csv', columns, read, present }: Rows<Stored, Row>,
  ): Promise<FastifyReply> {
    const extension = format as FormatName;
    const { contentType, formatHead, formatRow, formatEnd } = chooseFormat(extension, columns);
    const fileName = `${name}-${new Date().toISOString().slice(0, 10)}.${extension}`;
    return sendDownload(request, reply, {
      fileName,
      contentType,
      read: async function* produce(tx) {
        let count = 0;
        // The head goes with the first rows: while they cannot be read, the answer can still be a problem.
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
}

interface Rows<Stored, Row> {
  name: string;
  format: string | undefined;
  columns: Columns<Row>;
  read: (tx: Queryable) => AsyncIterable<Stored[]>;
  present: (stored: Stored) => Row;
}
