import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { getPrincipal, type Principal } from '../access/index.ts';
import { findForbiddenAssignment } from '../contacts/index.ts';
import { readAuthor } from '../events/index.ts';
import {
  getInstance,
  invalidRequest,
  Problem,
  problemBody,
  readHandling,
} from '../platform/http/index.ts';
import type { Answer } from '../platform/idempotency/index.ts';
import { newId, toExactJson } from '../platform/text/index.ts';
import { readImport } from './read-import.ts';
import { BATCH_MAX_COUNT, type ContactBatchResult } from './schemas.ts';
import type { Import, Origin, Outcome } from './submission.ts';
import {
  findDryRunMembers,
  findUnknownFaults,
  formatFieldNames,
  listUnknownFields,
  refuseFields,
  shortenNames,
} from './unknown-fields.ts';

/** The imports of a request, and how it is answered. */
export interface ImportRequest {
  imports: Import[];
  makeAnswer: (outcomes: Outcome[]) => Answer;
  /** Names the handling that headers of the request ask for. With another handling, the same body is another request. */
  variant: string;
  /** Whether the request is about one contact, whose URL the answer has. */
  isSingle: boolean;
  /** The headers of the answer, whatever the outcomes are. */
  headers: Record<string, string>;
}

/** After reading items for this long, other requests are served. A hostile item takes some milliseconds. */
const READING_SLICE_MS = 5;

/** Reads a request to POST /contacts. Throws when its body asks for no import at all. */
export function readSingleRequest(request: FastifyRequest): ImportRequest {
  const reading = describeReading(request, 'single');
  const read = readItem(request.body, reading);
  if (read.lead instanceof Problem && isNotLogged(read.lead, request.body)) throw read.lead;
  return readAsOne(request, reading, read);
}

/** The way in which the imports of a request are read. */
interface Reading {
  channel: Origin['channel'];
  /** The handling of unknown fields that the client prefers; null when it says nothing. */
  handling: ReturnType<typeof readHandling>;
  mustBeNew: boolean;
  principal: Principal;
}

function describeReading(request: FastifyRequest, channel: Origin['channel']): Reading {
  return {
    channel,
    handling: readHandling(request.headers['prefer']),
    mustBeNew: channel === 'single' && asksForNew(request),
    principal: getPrincipal(request),
  };
}

/**
 * Reads an import. Unknown fields are ignored, or refuse it when the client wants strict handling. An agent may assign contacts
 * only to themselves or to nobody, as with PATCH.
 */
function readItem(
  value: unknown,
  { channel, handling, mustBeNew, principal }: Reading,
): Pick<Import, 'lead' | 'ignoredFields'> {
  const read = readImport(value, channel);
  const forbidden =
    read instanceof Problem
      ? undefined
      : findForbiddenAssignment(principal, read.assignedAccountUserId);
  if (!(read instanceof Problem)) read.mustBeNew = mustBeNew;
  const lead = forbidden ?? read;
  const names = listUnknownFields(value);
  return handling === 'strict'
    ? { lead: refuseFields(lead, names) }
    : { lead, ignoredFields: shortenNames(names) };
}

/** Whether the client accepts only a new contact (RFC 9110, 13.1.2). An ETag in If-None-Match would name one contact. */
function asksForNew(request: FastifyRequest): boolean {
  return request.headers['if-none-match']?.trim() === '*';
}

/** Whether a refused body asks for no import, or for a dry run in the wrong place: the client then wants nothing stored. */
function isNotLogged({ code }: Problem, body: unknown): boolean {
  return code === 'malformed_body' || findDryRunMembers(body).length > 0;
}

/** Reads a request to POST /contacts/batch: each item by the rules of a single import. */
export async function readBatchRequest(request: FastifyRequest): Promise<ImportRequest> {
  const contacts = readItems(request.body);
  const dryRunFaults = findDryRunMembers(request.body);
  if (dryRunFaults.length > 0) throw invalidRequest(dryRunFaults);
  const others = listUnknownFields(request.body).filter((name) => name !== 'contacts');
  const reading = describeReading(request, 'batch');
  const faults = reading.handling === 'strict' ? findUnknownFaults(others) : [];
  const detail = `contacts must be a list of 1 to ${BATCH_MAX_COUNT} imports.`;
  if (contacts === null) faults.unshift({ pointer: '/contacts', detail });
  if (contacts === null || faults.length > 0)
    return readAsOne(request, reading, { lead: invalidRequest(faults) });
  const imports: Import[] = [];
  let sliceStart = performance.now();
  for (const [index, item] of contacts.entries()) {
    if (performance.now() - sliceStart > READING_SLICE_MS) {
      await yieldToEventLoop();
      sliceStart = performance.now();
    }
    const origin = createOrigin(request, 'batch', index);
    imports.push({ ...origin, payload: toExactJson(item), ...readItem(item, reading) });
  }
  const makeAnswer = (outcomes: Outcome[]) => answerBatch(request, outcomes);
  return { imports, makeAnswer, isSingle: false, ...describeHandling(reading, imports, others) };
}

/** Reads a request that is logged and answered as one import. */
function readAsOne(
  request: FastifyRequest,
  reading: Reading,
  read: Pick<Import, 'lead' | 'ignoredFields'>,
): ImportRequest {
  const { channel } = reading;
  const each = { ...createOrigin(request, channel, null), payload: request.bodyText, ...read };
  return {
    imports: [each],
    makeAnswer: ([outcome]) => answerSingle(request, outcome),
    isSingle: channel === 'single',
    ...describeHandling(reading, [each]),
  };
}

/** Makes the headers that name the ignored fields, and the preference of the client that was applied. */
function describeHandling(
  { handling, mustBeNew }: Reading,
  imports: Import[],
  others: string[] = [],
): Pick<ImportRequest, 'variant' | 'headers'> {
  const isStrict = handling === 'strict';
  const ignored = imports.flatMap(({ ignoredFields = [] }) => ignoredFields);
  const names = isStrict ? [] : shortenNames([...new Set([...others, ...ignored])]);
  return {
    variant: (isStrict ? 'strict' : '') + (mustBeNew ? ' new' : ''),
    headers: {
      ...(names.length > 0 && { 'ignored-fields': formatFieldNames(names) }),
      ...(handling !== null && { 'preference-applied': `handling=${handling}` }),
    },
  };
}

/** Counts the imports in the body of POST /contacts/batch, for the rate limit. A wrong body counts as one. */
export function countImports(body: unknown): number {
  return (typeof body === 'object' && body !== null && readItems(body)?.length) || 1;
}

/** Reads the items of a batch; null when it has none or too many. */
function readItems(body: unknown): unknown[] | null {
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
): Pick<Import, 'id' | 'receivedAt' | 'origin' | 'author'> {
  const author = readAuthor(request);
  const apiKeyId = author.actor.id;
  const origin = { channel, apiKeyId, requestId: request.id, position, file: null, runId: null };
  return { id: newId(), receivedAt: new Date(), origin, author };
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
