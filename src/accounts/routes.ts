import { getPrincipal, type CredentialCache } from '../access/index.ts';
import { readRequester } from '../events/index.ts';
import type { Pool } from '../platform/database/index.ts';
import {
  readIfMatch,
  requireMergePatch,
  sendResource,
  type Server,
} from '../platform/http/index.ts';
import type { ImageBases } from '../platform/text/index.ts';
import { changeDocument, showDocument } from './document.ts';
import { presentOrganization } from './present.ts';
import { ORGANIZATION_SCHEMAS, type OrganizationChanges } from './schemas.ts';
import { changeOrganization } from './service.ts';
import { findOrganization } from './store.ts';

interface OrganizationRoutesOptions {
  db: Pool;
  imageBases: ImageBases;
  secretKey: Buffer | null;
  /** The cache of sessions. A change of the settings clears it, because they decide what people may do. */
  sessions: CredentialCache;
}

/** Adds the routes of the organization and the settings of its account. */
export function organizationRoutes(
  app: Server,
  { db, imageBases, secretKey, sessions }: OrganizationRoutesOptions,
): void {
  for (const schema of ORGANIZATION_SCHEMAS) app.addSchema(schema);

  const show = { config: { scope: 'settings:read' }, schema: showDocument } as const;
  app.get('/organization', show, async (request, reply) => {
    const { accountId } = getPrincipal(request);
    const { slug, version, ...organization } = await findOrganization(db, accountId);
    const account = { accountId, slug, version, imageBases };
    return sendResource(request, reply, presentOrganization(account, organization));
  });

  const change = {
    config: { scope: 'settings:write', ownersOnly: true, confirmed: true },
    schema: changeDocument,
    preParsing: requireMergePatch,
  } as const;
  app.patch('/organization', change, async (request, reply) => {
    const { accountId } = getPrincipal(request);
    const ifMatch = readIfMatch(request);
    const options = { accountId, ifMatch, imageBases, secretKey };
    const changes = request.body as OrganizationChanges;
    const changed = await sessions.clearAfter(() =>
      changeOrganization(db, readRequester(request), options, changes),
    );
    return sendResource(request, reply, changed);
  });
}
