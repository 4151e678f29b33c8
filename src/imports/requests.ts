import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { getPrincipal } from '../access/index.ts';
import {
  getInstance,
  invalidRequest,
  Problem,
  problemBody,
  type Fault,
  type RawQuery,
} from '../platform/http/index.ts';
import { newId } from '../platform/text/index.ts';
import { readImport } from './read-import.ts';
import { BATCH_MAX_COUNT, type ContactBatchResult } from './schemas.ts';
import type { Answer, Import, Origin, Outcome } from './submission.ts';

/** The imports that a request asks for, and how it is answered. */
export interface ImportRequest {
  imports: Import[];
  answer: (outcomes: Outcome[]) => Answer;
}

/** Between so many items other requests are served. */
const CHUNK_MAX_ITEMS = 50;

/** Reads a request to POST /contacts. Throws when its body asks for no import at all. */
export function readSingleRequest(request: FastifyRequest): ImportRequest {
  const lead = readImport(request.body);
  if (lead instanceof Problem && lead.code === 'malformed_body') throw lead;
  return readAsOne(request, 'single', lead);
}

/** Reads a request to POST /contacts/batch: each item by the rules of a single import. */
export async function readBatchRequest(request: FastifyRequest): Promise<ImportRequest> {
  const contacts = readContacts(request.body);
  if (contacts === null) {
    const detail = `contacts must be a list of 1 to ${BATCH_MAX_COUNT} imports.`;
    return readAsOne(request, 'batch', invalidRequest([{ pointer: '/contacts', detail }]));
  }
  const imports: Import[] = [];
  for (const [index, item] of contacts.entries()) {
    if (index > 0 && index % CHUNK_MAX_ITEMS === 0) await yieldToEventLoop();
    const origin = createOrigin(request, 'batch', index);
    imports.push({ ...origin, payload: JSON.stringify(item), lead: readImport(item) });
  }
  return { imports, answer: (outcomes) => answerBatch(request, outcomes) };
}

/** Reads a request that is logged, and answered, as one import. */
function readAsOne(
  request: FastifyRequest,
  channel: Origin['channel'],
  lead: Import['lead'],
): ImportRequest {
  const each = { ...createOrigin(request, channel, null), payload: request.bodyText, lead };
  return { imports: [each], answer: ([outcome]) => answerSingle(request, outcome) };
}

/** Counts the imports in the body of POST /contacts/batch, for the rate limit. A wrong body counts as one. */
export function countImports(body: unknown): number {
  return (typeof body === 'object' && body !== null && readContacts(body)?.length) || 1;
}

/** Reads the items of a batch; null when it has none or too many. */
function readContacts(body: unknown): unknown[] | null {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Problem('malformed_body', 'The body must be a JSON object with a list, contacts.');
  const { contacts } = body as { contacts?: unknown };
  const isList = Array.isArray(contacts) && contacts.length > 0;
  return isList && contacts.length <= BATCH_MAX_COUNT ? contacts : null;
}

function createOrigin(
  request: FastifyRequest,
  channel: Origin['channel'],
  position: number | null,
): Pick<Import, 'id' | 'receivedAt' | 'origin'> {
  const apiKeyId = getPrincipal(request).actor.id;
  const origin = { channel, apiKeyId, requestId: request.id, position, file: null };
  return { id: newId(), receivedAt: new Date(), origin };
}

function answerSingle(request: FastifyRequest, outcome: Outcome | undefined): Answer {
  if (outcome === undefined) throw new Error('an import has no outcome');
  if (!(outcome instanceof Problem))
    return { status: outcome.action === 'created' ? 201 : 200, body: JSON.stringify(outcome) };
  const problem = problemBody(outcome, getInstance(request), request.id);
  return { status: problem.status, body: JSON.stringify(problem) };
}

function answerBatch(request: FastifyRequest, outcomes: Outcome[]): Answer {
  const summary: ContactBatchResult['summary'] = { created: 0, merged: 0, refused: 0 };
  const results = outcomes.map((outcome, index) => {
    summary[outcome instanceof Problem ? 'refused' : outcome.action] += 1;
    if (!(outcome instanceof Problem)) return { index, ...outcome };
    const instance = `${getInstance(request)}#/contacts/${index}`;
    return { index, problem: problemBody(outcome, instance, request.id) };
  });
  const body: ContactBatchResult = { summary, results };
  return { status: 200, body: JSON.stringify(body) };
}

const DRY_RUN_IN_ANY_SPELLING = /^dry[_-]?run$/i;

/**
 * Whether a request asks for a dry run. A slip in the name or in the value is a 400, even where an unknown parameter would be
 * ignored and an empty one would count as not supplied: the client wants nothing stored.
 */
export function readDryRun(query: RawQuery): boolean {
  const names = Object.keys(query).filter((name) => DRY_RUN_IN_ANY_SPELLING.test(name));
  const faults = names.flatMap((parameter): Fault[] => {
    const fault = findDryRunFault(parameter, query[parameter]);
    return fault === null ? [] : [{ parameter, detail: `${parameter} ${fault}.` }];
  });
  if (faults.length > 0) throw invalidRequest(faults);
  return query['dryRun'] === 'true';
}

function findDryRunFault(name: string, value: RawQuery[string]): string | null {
  if (name !== 'dryRun') return 'is spelled dryRun';
  if (Array.isArray(value)) return 'may be sent only once';
  return value === 'true' || value === 'false' ? null : 'must be true or false';
}
