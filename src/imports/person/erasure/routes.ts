import { readEditor } from '../../../contacts/index.ts';
import type { Pool } from '../../../platform/database/index.ts';
import { readIfMatch, type Server } from '../../../platform/http/index.ts';
import { eraseDocument } from './document.ts';
import { erasePerson } from './service.ts';

/** Adds the route that erases a person. The route belongs to this room because it empties records of the import log. */
export function erasureRoutes(app: Server, db: Pool): void {
  const config = { scope: 'contacts:erase' } as const;
  app.delete('/contacts/:contactId', { config, schema: eraseDocument }, async (request, reply) => {
    const { contactId } = request.params;
    await erasePerson(readEditor(request, db), { id: contactId, ifMatch: readIfMatch(request) });
    return reply.code(204).send();
  });
}
