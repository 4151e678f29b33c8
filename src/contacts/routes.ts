import { getPrincipal } from '../access/index.ts';
import type { Pool } from '../platform/database/index.ts';
import {
  createListReader,
  invalidRequest,
  presentList,
  Problem,
  sendResource,
  SKIP_VALIDATION,
  type RawQuery,
  type Server,
} from '../platform/http/index.ts';
import { isUuid } from '../platform/text/index.ts';
import { CONTACT_LIST, listDocument, showDocument } from './list/document.ts';
import { ContactFilter } from './list/filter.ts';
import { presentContact } from './list/present.ts';
import { LIST_SCHEMAS } from './list/schemas.ts';
import { findVisibleContact, listContacts, type ReadContact } from './list/store.ts';

const config = { scope: 'contacts:read' } as const;

interface Params {
  contactId: string;
}

interface ContactRouteOptions {
  db: Pool;
  /** Runs lists, planned for their values. */
  lists: Pool;
}

/** Adds the routes that read contacts. */
export function contactRoutes(app: Server, { db, lists }: ContactRouteOptions): void {
  const readListQuery = createListReader(CONTACT_LIST);
  for (const schema of [ContactFilter, ...LIST_SCHEMAS]) app.addSchema(schema);

  const list = { config, schema: listDocument, ...SKIP_VALIDATION };
  app.get('/contacts', list, async (request) => {
    const { include, ...parameters } = request.query as RawQuery;
    const withLinks = readInclude(include);
    const query = readListQuery(parameters);
    const found = await listContacts(lists, getPrincipal(request), query, { withLinks });
    return presentList(query, found, placeOf, presentContact);
  });

  app.get('/contacts/:contactId', { config, schema: showDocument }, async (request, reply) => {
    const { contactId } = request.params as Params;
    const principal = getPrincipal(request);
    const contact = isUuid(contactId)
      ? await findVisibleContact(db, principal, contactId)
      : undefined;
    if (contact === undefined) throw contactNotFound();
    return sendResource(request, reply, presentContact(contact));
  });
}

function placeOf({ id, sortValue }: ReadContact) {
  return { id, value: sortValue instanceof Date ? sortValue.toISOString() : sortValue };
}

function readInclude(include: string | string[] | undefined): boolean {
  if (include === undefined || include === 'links') return include === 'links';
  const detail = Array.isArray(include)
    ? 'include may be sent only once.'
    : 'include must be links.';
  throw invalidRequest([{ parameter: 'include', detail }]);
}

function contactNotFound(): Problem {
  return new Problem(
    'contact_not_found',
    'id must be the id of a contact of this account that you may see.',
  );
}
