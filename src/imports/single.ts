import { Problem, problemBody } from '../platform/http/index.ts';
import type { Asked, Reading } from './endpoint.ts';
import { readImport } from './request.ts';
import type { Answer, Import, Outcome } from './submission.ts';

/** Reads the body of POST /contacts: one import. */
export function readSingle(asked: Asked): Reading {
  const lead = readImport(asked.body);
  // What is no JSON object asks for nothing that could be kept.
  if (lead instanceof Problem && lead.code === 'malformed_body') throw lead;
  return one({ ...asked.received('single', null), payload: asked.text, lead }, asked);
}

/** The reading of a request that is one import. */
export function one(each: Import, asked: Asked): Reading {
  return { imports: [each], answer: ([outcome]) => answerOf(outcome, asked) };
}

function answerOf(outcome: Outcome | undefined, { instance, requestId }: Asked): Answer {
  if (outcome === undefined) throw new Error('an import has no outcome');
  if (!(outcome instanceof Problem))
    return { status: outcome.action === 'created' ? 201 : 200, body: JSON.stringify(outcome) };
  const problem = problemBody(outcome, instance, requestId);
  return { status: problem.status, body: JSON.stringify(problem) };
}
