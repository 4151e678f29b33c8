import { FORMAT_PARAMETER, getPrincipal, sendRows, type SendDownload } from '../../access/index.ts';
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
import { readActivities, readContacts } from './store.ts';

const config = { scope: 'contacts:export', quota: 'exports' } as const;

/** Adds the routes that export contacts and activities. */
export function exportRoutes(app: Server, sendDownload: SendDownload): void {
  const readContactQuery = createSelectionReader(CONTACT_LIST, FORMAT_PARAMETER);
  const contacts = { config, schema: contactExportDocument, ...SKIP_VALIDATION };
  app.get('/exports/contacts', contacts, (request, reply) => {
    const { further, ...selection } = readContactQuery(request.query as RawQuery);
    const reader = getPrincipal(request);
    const withNames = further.format !== 'ndjson';
    return sendRows(sendDownload, request, reply, {
      name: 'contacts',
      format: further.format,
      columns: CONTACT_COLUMNS,
      read: (tx) => readContacts(tx, reader, selection, { withNames }),
      present: ({ assignedTo, interestedIn, ...contact }) => ({
        ...presentContact(contact),
        ...(withNames && { assignedTo, interestedIn }),
      }),
    });
  });

  const readActivityQuery = createSelectionReader(ACTIVITY_LIST, FORMAT_PARAMETER);
  const activities = { config, schema: activityExportDocument, ...SKIP_VALIDATION };
  app.get('/exports/activities', activities, (request, reply) => {
    const { further, ...selection } = readActivityQuery(request.query as RawQuery);
    const reader = getPrincipal(request);
    return sendRows(sendDownload, request, reply, {
      name: 'activities',
      format: further.format,
      columns: ACTIVITY_COLUMNS,
      read: (tx) => readActivities(tx, reader, selection),
      present: presentActivity,
    });
  });
}
