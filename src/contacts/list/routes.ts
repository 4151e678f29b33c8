import { Type } from 'typebox';
import { getPrincipal } from '../../access/index.ts';
import { contactChangesDocument, readChangePage, ROW_CHANGE_LIST } from '../../events/index.ts';
import type { Pool } from '../../platform/database/index.ts';
import {
  cutLongPage,
  createListReader,
  createQueryReader,
  presentList,
  sendResource,
  SKIP_VALIDATION,
  type RawQuery,
  type Server,
} from '../../platform/http/index.ts';
import type { GetPool } from '../../platform/queue/index.ts';
import { listActivities } from '../activities/list-store.ts';
import { presentActivity } from '../activities/present.ts';
import type { Reader } from './conditions.ts';
import { CONTACT_LIST, listDocument, showDocument } from './document.ts';
import { ContactFilter } from './filter.ts';
import { presentContact } from './present.ts';
import { readProvenance } from './provenance.ts';
import { LIST_SCHEMAS } from './schemas.ts';
import { requireContact, type ShownContact } from './service.ts';
import { listContacts, type ReadContact } from './store.ts';

const config = { scope: 'contacts:read' } as const;
const INCLUDED_ACTIVITIES = 20;

/** Adds the routes that read contacts and their changes. */
export function listRoutes(app: Server, { db, getLists }: { db: Pool; getLists: GetPool }): void {
  for (const schema of [ContactFilter, ...LIST_SCHEMAS]) app.addSchema(schema);

  const readListQuery = createListReader(CONTACT_LIST, {
    include: { values: /^links$/, rule: 'must be links.' },
  });
  const list = { config, schema: listDocument, ...SKIP_VALIDATION };
  app.get('/contacts', list, async (request) => {
    const query = readListQuery(request.query as RawQuery);
    const withLinks = query.include !== undefined;
    const reader = getPrincipal(request);
    const found = await listContacts(getLists(reader.accountId), reader, query, { withLinks });
    return presentList(query, found, placeOf, presentContact);
  });

  /** Reads the members that a request includes. They can change without a new version of the contact. */
  async function readIncluded(reader: Reader, contact: ShownContact, names: string[]) {
    const activities = names.includes('activities')
      ? await listActivities(getLists(reader.accountId), reader, {
          filter: { contact: [contact.id] },
          limit: INCLUDED_ACTIVITIES,
          after: null,
          isCounted: false,
        })
      : undefined;
    return {
      ...(activities && {
        activities: cutLongPage(activities.rows.slice(0, INCLUDED_ACTIVITIES).map(presentActivity)),
      }),
      ...(names.includes('provenance') && {
        provenance: await readProvenance(db, reader.accountId, contact),
      }),
    };
  }

  const readShowQuery = createQueryReader(
    Type.Object({ include: Type.Optional(Type.Array(Type.Enum(['activities', 'provenance']))) }),
  );
  const show = { config, schema: showDocument, ...SKIP_VALIDATION };
  app.get('/contacts/:contactId', show, async (request, reply) => {
    const { include } = readShowQuery(request.query as RawQuery);
    const principal = getPrincipal(request);
    const { contactId } = request.params as { contactId: string };
    const contact = await requireContact(db, principal, contactId);
    if (include === undefined) return sendResource(request, reply, contact);
    return reply
      .header('etag', contact.etag)
      .send({ ...contact, ...(await readIncluded(principal, contact, include)) });
  });

  const readChangeQuery = createListReader(ROW_CHANGE_LIST);
  const changes = { config, schema: contactChangesDocument, ...SKIP_VALIDATION };
  app.get('/contacts/:contactId/changes', changes, async (request) => {
    const query = readChangeQuery(request.query as RawQuery);
    const principal = getPrincipal(request);
    const { contactId } = request.params as { contactId: string };
    const { id } = await requireContact(db, principal, contactId);
    const filter = { ...query.filter, subject: [id] };
    return readChangePage(db, principal.accountId, { ...query, filter });
  });
}

function placeOf({ id, sortValue }: ReadContact) {
  return { id, value: sortValue instanceof Date ? sortValue.toISOString() : sortValue };
}
