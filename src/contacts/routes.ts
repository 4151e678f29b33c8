import { Type } from 'typebox';
import { getPrincipal, type SendDownload } from '../access/index.ts';
import { ROW_CHANGE_LIST, contactChangesDocument, readChangePage } from '../events/index.ts';
import type { Pool } from '../platform/database/index.ts';
import {
  createListReader,
  createQueryReader,
  presentList,
  sendResource,
  SKIP_VALIDATION,
  type RawQuery,
  type Server,
} from '../platform/http/index.ts';
import type { GetPool } from '../platform/queue/index.ts';
import { activityRoutes } from './activities/routes.ts';
import {
  ACTIVITY_LIST,
  activitiesDocument,
  CONTACT_ACTIVITY_LIST,
  contactActivitiesDocument,
} from './activities/document.ts';
import { listActivities } from './activities/list-store.ts';
import type { ReadActivity } from './activities/rules.ts';
import { presentActivity } from './activities/present.ts';
import { ACTIVITY_SCHEMAS } from './activities/schemas.ts';
import { duplicatesDocument } from './duplicates/document.ts';
import { DUPLICATE_LIST, DUPLICATE_SCHEMAS } from './duplicates/schemas.ts';
import { listDuplicateEmails, type DuplicateGroup } from './duplicates/store.ts';
import { bulkRoutes } from './bulk/routes.ts';
import { editRoutes } from './edit/routes.ts';
import { exportRoutes } from './export/routes.ts';
import { mergeRoutes } from './merge/routes.ts';
import type { Reader } from './list/conditions.ts';
import { CONTACT_LIST, listDocument, showDocument } from './list/document.ts';
import { ContactFilter } from './list/filter.ts';
import { presentContact } from './list/present.ts';
import { readProvenance } from './list/provenance.ts';
import { LIST_SCHEMAS } from './list/schemas.ts';
import { requireContact, type ShownContact } from './list/service.ts';
import { listContacts, type ReadContact } from './list/store.ts';
import { NIL_ID } from '../platform/text/index.ts';

const config = { scope: 'contacts:read' } as const;
const readShowQuery = createQueryReader(
  Type.Object({ include: Type.Optional(Type.Array(Type.Enum(['activities', 'provenance']))) }),
);
const MANAGE = { scope: 'contacts:manage' } as const;

interface Params {
  contactId: string;
}

interface ContactRouteOptions {
  db: Pool;
  /** Returns the pool for the lists of an account. Its statements are planned for their values. */
  getLists: GetPool;
  /** Answers with an export. */
  sendDownload: SendDownload;
}

/** Adds the routes that read contacts. */
export function contactRoutes(
  app: Server,
  { db, getLists, sendDownload }: ContactRouteOptions,
): void {
  const readListQuery = createListReader(CONTACT_LIST, {
    include: { values: /^links$/, rule: 'must be links.' },
  });
  const readDuplicateQuery = createListReader(DUPLICATE_LIST);
  const schemas = [ContactFilter, ...LIST_SCHEMAS, ...DUPLICATE_SCHEMAS, ...ACTIVITY_SCHEMAS];
  for (const schema of schemas) app.addSchema(schema);

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
    const latest = {
      sort: '-occurredAt',
      limit: 20,
      after: null,
      isCounted: false,
      fingerprint: '',
    };
    const activities = names.includes('activities')
      ? await listActivities(getLists(reader.accountId), reader, {
          ...latest,
          filter: { contact: [contact.id] },
        })
      : undefined;
    return {
      ...(activities && { activities: activities.rows.slice(0, 20).map(presentActivity) }),
      ...(names.includes('provenance') && {
        provenance: await readProvenance(db, reader.accountId, contact),
      }),
    };
  }

  const duplicates = { config: MANAGE, schema: duplicatesDocument, ...SKIP_VALIDATION };
  app.get('/contacts/duplicates', duplicates, async (request) => {
    const query = readDuplicateQuery(request.query as RawQuery);
    const reader = getPrincipal(request);
    const found = await listDuplicateEmails(getLists(reader.accountId), reader, query);
    return presentList(query, found, placeOfEmail, presentDuplicates);
  });

  const show = { config, schema: showDocument, ...SKIP_VALIDATION };
  app.get('/contacts/:contactId', show, async (request, reply) => {
    const { include } = readShowQuery(request.query as RawQuery);
    const principal = getPrincipal(request);
    const contact = await requireContact(db, principal, (request.params as Params).contactId);
    if (include === undefined) return sendResource(request, reply, contact);
    return reply
      .header('etag', contact.etag)
      .send({ ...contact, ...(await readIncluded(principal, contact, include)) });
  });

  const readActivityQuery = createListReader(ACTIVITY_LIST);
  const all = { config, schema: activitiesDocument, ...SKIP_VALIDATION };
  app.get('/activities', all, async (request) => {
    const query = readActivityQuery(request.query as RawQuery);
    const reader = getPrincipal(request);
    const found = await listActivities(getLists(reader.accountId), reader, query);
    return presentList(query, found, placeOfActivity, presentActivity);
  });

  const readOwnQuery = createListReader(CONTACT_ACTIVITY_LIST);
  const own = { config, schema: contactActivitiesDocument, ...SKIP_VALIDATION };
  app.get('/contacts/:contactId/activities', own, async (request) => {
    const principal = getPrincipal(request);
    const query = readOwnQuery(request.query as RawQuery);
    const { id } = await requireContact(db, principal, (request.params as Params).contactId);
    const filter = { ...query.filter, contact: [id] };
    const found = await listActivities(getLists(principal.accountId), principal, {
      ...query,
      filter,
    });
    return presentList(query, found, placeOfActivity, presentActivity);
  });

  const readChangeQuery = createListReader(ROW_CHANGE_LIST);
  const changes = { config, schema: contactChangesDocument, ...SKIP_VALIDATION };
  app.get('/contacts/:contactId/changes', changes, async (request) => {
    const principal = getPrincipal(request);
    const query = readChangeQuery(request.query as RawQuery);
    const { id } = await requireContact(db, principal, (request.params as Params).contactId);
    const filter = { ...query.filter, subject: [id] };
    return readChangePage(db, principal.accountId, { ...query, filter });
  });

  editRoutes(app, db);
  activityRoutes(app, db);
  bulkRoutes(app, db);
  mergeRoutes(app, db);
  exportRoutes(app, sendDownload);
}

const placeOfActivity = ({ id, occurredAt }: ReadActivity) => ({
  id,
  value: occurredAt.toISOString(),
});

/** Returns the place of an email in its list. The email is unique there, so the id does not matter. */
const placeOfEmail = ({ email }: DuplicateGroup) => ({
  id: NIL_ID,
  value: email,
});

const presentDuplicates = ({ email, contacts }: DuplicateGroup) => ({
  email,
  contacts: contacts.map(presentContact),
});

function placeOf({ id, sortValue }: ReadContact) {
  return { id, value: sortValue instanceof Date ? sortValue.toISOString() : sortValue };
}
