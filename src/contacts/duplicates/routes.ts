import { getPrincipal } from '../../access/index.ts';
import {
  createListReader,
  presentList,
  SKIP_VALIDATION,
  type RawQuery,
  type Server,
} from '../../platform/http/index.ts';
import type { GetPool } from '../../platform/queue/index.ts';
import { NIL_ID } from '../../platform/text/index.ts';
import { presentContact } from '../list/present.ts';
import { duplicatesDocument } from './document.ts';
import { DUPLICATE_LIST, DUPLICATE_SCHEMAS } from './schemas.ts';
import { listDuplicateEmails, type DuplicateGroup } from './store.ts';

const config = { scope: 'contacts:manage' } as const;

/** Adds the route that lists the emails that several contacts share. */
export function duplicateRoutes(app: Server, getLists: GetPool): void {
  for (const schema of DUPLICATE_SCHEMAS) app.addSchema(schema);

  const readQuery = createListReader(DUPLICATE_LIST);
  const list = { config, schema: duplicatesDocument, ...SKIP_VALIDATION };
  app.get('/contacts/duplicates', list, async (request) => {
    const query = readQuery(request.query as RawQuery);
    const reader = getPrincipal(request);
    const found = await listDuplicateEmails(getLists(reader.accountId), reader, query);
    return presentList(query, found, placeOf, present);
  });
}

/** Returns the place of an email in its list. The email is unique there, so the id does not matter. */
const placeOf = ({ email }: DuplicateGroup) => ({ id: NIL_ID, value: email });

const present = ({ email, contacts }: DuplicateGroup) => ({
  email,
  contacts: contacts.map(presentContact),
});
