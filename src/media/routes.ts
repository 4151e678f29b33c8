import type { Readable } from 'node:stream';
import { createSharedSlots, getPrincipal } from '../access/index.ts';
import type { Pool } from '../platform/database/index.ts';
import {
  createListReader,
  presentList,
  SKIP_VALIDATION,
  type Check,
  type RawQuery,
  type Server,
} from '../platform/http/index.ts';
import type { GetPool } from '../platform/queue/index.ts';
import * as documents from './document.ts';
import { PICTURE_MAX_BYTES } from './rules.ts';
import { CONTENT_TYPES, PICTURE_LIST, PICTURE_SCHEMAS } from './schemas.ts';
import { addPicture, presentPicture, removePicture } from './service.ts';
import { listPictures, placeOf, type StoredPicture } from './store.ts';
import { checkUpload, readPictureType, UPLOAD_SLOTS } from './upload.ts';

interface PictureRoutesOptions {
  db: Pool;
  getLists: GetPool;
  mediaDir: string;
  publicUrl: string;
  /** Checks again whether the caller may make the request: the permission may end during a long upload. */
  authenticate: Check;
}

/** Adds the routes of pictures. */
export function pictureRoutes(
  app: Server,
  { db, getLists, mediaDir, publicUrl, authenticate }: PictureRoutesOptions,
): void {
  const store = { db, mediaDir };
  const readListQuery = createListReader(PICTURE_LIST);
  const takeSlot = createSharedSlots(UPLOAD_SLOTS);
  const present = (picture: StoredPicture) => presentPicture(publicUrl, picture);
  for (const schema of PICTURE_SCHEMAS) app.addSchema(schema);

  void app.register(async (group: Server) => {
    group.removeAllContentTypeParsers();
    group.addContentTypeParser(CONTENT_TYPES, (_request, body, done) => done(null, body));
    const upload = {
      config: { scope: 'projects:write', hasSlowBody: true },
      bodyLimit: PICTURE_MAX_BYTES,
      schema: documents.uploadDocument,
      preParsing: checkUpload,
      ...SKIP_VALIDATION,
    } as const;
    group.post('/media', upload, async (request, reply) => {
      const principal = getPrincipal(request);
      const freeSlot = takeSlot(principal.accountId);
      try {
        const { picture, isNew } = await addPicture(store, principal, {
          ext: readPictureType(request),
          body: request.body as Readable,
          checkAgain: () => authenticate(request, reply),
        });
        const resource = present(picture);
        if (isNew) reply.code(201).header('location', resource.url);
        return resource;
      } finally {
        freeSlot();
      }
    });
  });

  const list = {
    config: { scope: 'projects:read' },
    ...SKIP_VALIDATION,
    schema: documents.listDocument,
  } as const;
  app.get('/media', list, async (request) => {
    const query = readListQuery(request.query as RawQuery);
    const { accountId } = getPrincipal(request);
    const found = await listPictures(getLists(accountId), accountId, query);
    return presentList(query, found, placeOf, present);
  });

  const remove = { config: { scope: 'projects:write' }, schema: documents.deleteDocument } as const;
  app.delete('/media/:sha256', remove, async (request, reply) => {
    await removePicture(store, getPrincipal(request).accountId, request.params.sha256);
    return reply.code(204).send();
  });
}
