import { invalidRequest, Problem, problemBody } from '../platform/http/index.ts';
import { apart, inPieces, sharing } from '../platform/queue/index.ts';
import type { Asked, Reading } from './endpoint.ts';
import { listTexts } from './list-texts.ts';
import { readImport } from './request.ts';
import { BATCH_MAX_COUNT, type ContactBatchResult } from './schemas.ts';
import { one } from './single.ts';
import type { Answer, Import, Outcome } from './submission.ts';

/** Reads the body of POST /contacts/batch: many imports, each by the rules of one. */
export async function readBatch(asked: Asked): Promise<Reading> {
  const { body, text } = asked;
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Problem('malformed_body', 'The body must be a JSON object with a list, contacts.');
  const contacts = contactsOf(body);
  if (contacts !== null)
    return {
      imports: await importsOf(contacts, asked),
      answer: (outcomes) => answerOf(outcomes, asked),
    };
  const detail = `contacts must be a list of 1 to ${BATCH_MAX_COUNT} imports.`;
  const lead = invalidRequest([{ pointer: '/contacts', detail }]);
  // Refused as a whole, and kept as a whole.
  return one({ ...asked.received('batch', null), payload: text, lead }, asked);
}

/** How many imports the body of POST /contacts/batch is worth. */
export function batchSize(body: unknown): number {
  return (typeof body === 'object' && body !== null && contactsOf(body)?.length) || 1;
}

/** The contacts of a body, or null when it has none that can be imported. */
function contactsOf(body: { contacts?: unknown }): unknown[] | null {
  const { contacts } = body;
  const isList = Array.isArray(contacts) && contacts.length > 0;
  return isList && contacts.length <= BATCH_MAX_COUNT ? contacts : null;
}

async function importsOf(contacts: unknown[], { text, received }: Asked): Promise<Import[]> {
  const texts = await apart(() => listTexts(text, 'contacts'));
  const payloads = texts.entries();
  const read = (value: unknown): Import => {
    const [index, payload] = payloads.next().value ?? [0, ''];
    return { ...received('batch', index), payload, lead: readImport(value) };
  };
  const pieces = await inPieces(contacts, (piece) => piece.map(read), sharing);
  return pieces.flat();
}

function answerOf(outcomes: Outcome[], asked: Asked): Answer {
  const results = outcomes.map((outcome, index) => ({ index, ...resultOf(outcome, index, asked) }));
  const body: ContactBatchResult = { summary: summaryOf(outcomes), results };
  return { status: 200, body: JSON.stringify(body) };
}

function resultOf(outcome: Outcome, index: number, { instance, requestId }: Asked) {
  if (!(outcome instanceof Problem)) return outcome;
  return { problem: problemBody(outcome, `${instance}#/contacts/${index}`, requestId) };
}

function summaryOf(outcomes: Outcome[]): ContactBatchResult['summary'] {
  const summary = { created: 0, merged: 0, refused: 0 };
  for (const each of outcomes) summary[each instanceof Problem ? 'refused' : each.action] += 1;
  return summary;
}
