import type { FastifyReply, FastifyRequest } from 'fastify';
import { createSharedSlots, getPrincipal, type SendDownload } from '../../access/index.ts';
import { readAuthor } from '../../events/index.ts';
import type { Pool } from '../../platform/database/index.ts';
import {
  allowNoBody,
  createListReader,
  presentList,
  sendCreated,
  sendResource,
  SKIP_VALIDATION,
  type Check,
  type RawQuery,
  type Server,
} from '../../platform/http/index.ts';
import { readClaim } from '../../platform/idempotency/index.ts';
import { createUploadReport } from '../files/report.ts';
import * as documents from './document.ts';
import { isDryRun, presentFile } from './rules.ts';
import { FILE_LIST, FILE_SCHEMAS, type ContactFile, type StartContactFile } from './schemas.ts';
import {
  continueRun,
  FILE_MAX_BYTES,
  removeFile,
  requireFile,
  startRun,
  stopRun,
  undoFile,
  uploadFile,
} from './service.ts';
import { readRefusals, readRefusedRows } from './refusal-store.ts';
import { listFiles } from './store.ts';
import { checkUpload, readBody, readMediaType, UPLOAD_SLOTS, UPLOAD_TYPES } from './upload.ts';

const config = { scope: 'contacts:manage' } as const;

interface ContactFileOptions {
  db: Pool;
  sendDownload: SendDownload;
  /** Checks again whether the caller may make the request, since their access may end during a long upload. */
  authenticate: Check;
  /** Tells the worker that a file of the account waits for it. */
  wake: (accountId: string) => void;
}

/** Adds the routes of contact files. */
export function contactFileRoutes(
  app: Server,
  { db, sendDownload, authenticate, wake }: ContactFileOptions,
): void {
  const readListQuery = createListReader(FILE_LIST);
  for (const schema of FILE_SCHEMAS) app.addSchema(schema);

  addUploadRoute(app, { db, authenticate, wake });

  const list = { config, ...SKIP_VALIDATION, schema: documents.listDocument };
  app.get('/contact-files', list, async (request) => {
    const query = readListQuery(request.query as RawQuery);
    const found = await listFiles(db, getPrincipal(request).accountId, query);
    return presentList(query, found, ({ id }) => ({ value: null, id }), presentFile);
  });

  app.get(
    '/contact-files/:fileId',
    { config, schema: documents.showDocument },
    async (request, reply) => {
      const file = await requireFile(db, getPrincipal(request).accountId, request.params.fileId);
      return sendResource(request, reply, presentFile(file));
    },
  );

  const start = { config, schema: documents.startDocument, preValidation: allowNoBody };
  app.post('/contact-files/:fileId/start', start, async (request, reply) => {
    const principal = getPrincipal(request);
    const claim = readClaim(request, principal.actor.id);
    const { fileId } = request.params;
    const asked = { principal, author: readAuthor(request), fileId, claim };
    const { result, isRepeat } = await startRun(db, asked, request.body as StartContactFile);
    if (isRepeat) reply.header('idempotent-replayed', 'true');
    return accept(request, reply, result);
  });

  /** Answers a request that queues a job, and wakes the worker of this process. */
  function accept(request: FastifyRequest, reply: FastifyReply, file: ContactFile): FastifyReply {
    wake(getPrincipal(request).accountId);
    return sendResource(request, reply.code(202), file);
  }

  const stop = { config, schema: documents.stopDocument, preValidation: allowNoBody };
  app.post('/contact-files/:fileId/stop', stop, async (request, reply) => {
    const { fileId } = request.params;
    const author = readAuthor(request);
    return accept(request, reply, await stopRun(db, getPrincipal(request), author, fileId));
  });

  const goOn = { config, schema: documents.continueDocument, preValidation: allowNoBody };
  app.post('/contact-files/:fileId/continue', goOn, async (request, reply) =>
    accept(request, reply, await continueRun(db, getPrincipal(request), request.params.fileId)),
  );

  const undo = { config, schema: documents.undoDocument, preValidation: allowNoBody };
  app.post('/contact-files/:fileId/undo', undo, async (request, reply) => {
    const { fileId } = request.params;
    const author = readAuthor(request);
    return accept(request, reply, await undoFile(db, getPrincipal(request), author, fileId));
  });

  addReportRoute(app, { db, sendDownload });

  app.delete(
    '/contact-files/:fileId',
    { config, schema: documents.deleteDocument },
    async (request, reply) => {
      await removeFile(db, getPrincipal(request), request.params.fileId);
      return reply.code(204).send();
    },
  );
}

/** Adds the route that takes the bytes of a file. */
function addUploadRoute(
  app: Server,
  { db, authenticate, wake }: Omit<ContactFileOptions, 'sendDownload'>,
): void {
  const takeSlot = createSharedSlots(UPLOAD_SLOTS);

  void app.register(async (group: Server) => {
    group.removeAllContentTypeParsers();
    group.addContentTypeParser(UPLOAD_TYPES, (_request, body, done) => done(null, body));

    const upload = {
      config: { ...config, hasSlowBody: true },
      bodyLimit: FILE_MAX_BYTES,
      schema: documents.uploadDocument,
      preParsing: checkUpload,
    };
    group.post('/contact-files', upload, async (request, reply) => {
      const principal = getPrincipal(request);
      const freeSlot = takeSlot(principal.accountId);
      try {
        const resource = await uploadFile(db, principal, {
          ...readMediaType(request),
          name: request.query.name,
          body: readBody(request.body as AsyncIterable<Buffer>),
          checkAgain: () => authenticate(request, reply),
        });
        wake(principal.accountId);
        return sendCreated(request, reply, { resource });
      } finally {
        freeSlot();
      }
    });
  });
}

/** Adds the route of the report, which has the rows that the latest run has refused. */
function addReportRoute(
  app: Server,
  { db, sendDownload }: Pick<ContactFileOptions, 'db' | 'sendDownload'>,
): void {
  app.get(
    '/contact-files/:fileId/report.csv',
    { config, schema: documents.reportDocument },
    async (request, reply) => {
      const { accountId } = getPrincipal(request);
      const file = await requireFile(db, accountId, request.params.fileId);
      const { id, name, delimiter, columns } = file;
      const headers = columns?.map(({ header }) => header) ?? [];
      const report = createUploadReport(delimiter, headers);
      return sendDownload(request, reply, {
        // Refused rows that are refused again keep the name.
        nameFile: () => name.replace(/( - refused rows)?(\.\w+)?$/, ' - refused rows.csv'),
        contentType: 'text/csv; charset=utf-8',
        read: async function* produce(tx) {
          let head = report.header;
          const readRows = isDryRun(file) ? readRefusals : readRefusedRows;
          for await (const rows of readRows(tx, accountId, id)) {
            yield head + rows.map(report.formatRow).join('');
            head = '';
          }
          yield head;
        },
      });
    },
  );
}
