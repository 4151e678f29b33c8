import { getPrincipal, type SendDownload } from '../../../access/index.ts';
import type { Server } from '../../../platform/http/index.ts';
import { dataDocument, PersonData } from './document.ts';
import { readPersonData } from './service.ts';

/** Adds the route of all data of a person. The route belongs to this room because the data includes records of the import log. */
export function personDataRoutes(app: Server, sendDownload: SendDownload): void {
  app.addSchema(PersonData);
  const config = { scope: 'contacts:export', quota: 'exports' } as const;
  app.get('/contacts/:contactId/data', { config, schema: dataDocument }, (request, reply) => {
    const { contactId } = request.params;
    const reader = getPrincipal(request);
    return sendDownload(request, reply, {
      // For an id that is not a UUID, the answer is a 404.
      nameFile: () => `contact-${contactId}.json`,
      contentType: 'application/json; charset=utf-8',
      read: (tx) => readPersonData(tx, reader, contactId),
    });
  });
}
