import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Pool } from '../database/pool.ts';
import { requireJsonType } from '../http/body.ts';
import { callerOf } from '../http/caller.ts';
import { loggable } from '../http/log.ts';
import { problemResponses } from '../http/openapi.ts';
import { Problem } from '../http/problems.ts';
import type { Server } from '../http/server.ts';
import { importLeads, type Outcome } from './import.ts';
import { toLead, type Lead } from './lead.ts';
import { createImportQueue } from './queue.ts';
import { ContactImport, ContactImportResult, TAGS_MAX_COUNT } from './schemas.ts';
import { createStatisticsKeeper } from './statistics.ts';

const BATCH_MAX = 200;
const LANES = 4;

/** Adds `POST /contacts`. */
export function contactRoutes(app: Server, { db }: { db: Pool }): void {
  const grew = createStatisticsKeeper(db, (error) =>
    app.log.warn(loggable(error), 'statistics not refreshed'),
  );
  async function importBatch(accountId: string, leads: Lead[]): Promise<Outcome[]> {
    const outcomes = await importLeads(db, accountId, leads);
    grew(outcomes.filter((each) => 'action' in each && each.action === 'created').length);
    return outcomes;
  }
  const enqueue = createImportQueue(importBatch, { batchMax: BATCH_MAX, lanes: LANES });

  app.addSchema(ContactImport);
  app.addSchema(ContactImportResult);
  app.post(
    '/contacts',
    { schema, preParsing: requireJsonType, preValidation: refuseEndlessTags },
    async (request, reply) => {
      const outcome = await enqueue(callerOf(request).accountId, toLead(request.body));
      if (outcome instanceof Error) throw outcome;
      return reply.code(outcome.action === 'created' ? 201 : 200).send(outcome);
    },
  );
}

// Before the schema looks at each: half a million faults would be an answer of megabytes.
function refuseEndlessTags(
  request: FastifyRequest,
  _reply: unknown,
  done: (error?: Error) => void,
): void {
  const { tags } = (request.body ?? {}) as { tags?: unknown };
  if (!Array.isArray(tags) || tags.length <= TAG_TEXTS_MAX) return done();
  const detail = `tags must have at most ${TAGS_MAX_COUNT} labels.`;
  done(new Problem('invalid_request', detail, { errors: [{ pointer: '/tags', detail }] }));
}

// Far beyond the labels that are taken, so that repeated and empty ones do no harm.
const TAG_TEXTS_MAX = 1_000;

function answer(description: string, value: ContactImportResult): object {
  const schema = Type.Ref('ContactImportResult#');
  return {
    description,
    content: { 'application/json': { schema, examples: { lead: { value } } } },
  };
}

const CREATED: ContactImportResult = {
  action: 'created',
  contactId: '0196a24b-34ec-7db6-924f-03249bebad2a',
  email: 'mereana.pou@example.com',
  matchedBy: null,
  filledFields: [
    'name',
    'first_name',
    'last_name',
    'phone_mobile',
    'notes',
    'stage',
    'source',
    'imported_at',
    'contact_tags',
  ],
  linkedProjectId: null,
  linkedUnitId: null,
};
const MERGED: ContactImportResult = {
  ...CREATED,
  action: 'merged',
  matchedBy: 'email',
  filledFields: ['phone_mobile', 'notes'],
};

const schema = {
  operationId: 'importContact',
  summary: 'Import a contact',
  description:
    'Creates a contact, or fills the empty fields of the one that has the same email. Sending a lead again ' +
    'is safe: nothing is overwritten and nothing is doubled.',
  tags: ['Contacts'],
  security: [{ apiKey: [] }],
  body: Type.Unsafe<ContactImport>({ $ref: 'ContactImport#' }),
  response: {
    201: answer('A new contact was created.', CREATED),
    200: answer('The contact with this email was filled in.', MERGED),
    ...problemResponses(
      [
        'malformed_body',
        'invalid_request',
        'missing_api_key',
        'invalid_api_key',
        'insufficient_access',
        'duplicate_contacts',
        'body_too_large',
        'unsupported_media_type',
        'project_not_available',
        'unit_requires_project',
        'unit_not_in_project',
        'user_not_active',
        'request_timeout',
        'rate_limited',
        'headers_too_large',
        'internal_error',
        'unavailable',
      ],
      { pointer: '/email', detail: 'email is required.' },
    ),
  },
};
