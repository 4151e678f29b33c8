import assert from 'node:assert/strict';
import { PROBLEMS, type ProblemBody, type ProblemCode } from '../../src/platform/http/index.ts';
import { assertConforms } from './document.ts';
import type { Answer } from './harness.ts';
import { assertHeaders, SECURITY } from './headers.ts';

/** The codes with `errors`, besides every 422. */
const WITH_ERRORS = new Set<ProblemCode>(['invalid_request', 'slug_taken', 'user_email_taken']);

const WITH_RESULTS = new Set<ProblemCode>(['batch_refused', 'rows_refused']);

const WITH_MATCHES = new Set<ProblemCode>(['duplicate_contacts', 'email_in_use']);

/** Asserts that an answer is a problem with this code and all that every problem has. Returns its body. */
export function assertProblem(answer: Answer, code: ProblemCode, instance: string): ProblemBody {
  const { status, title } = PROBLEMS[code];
  const { detail, requestId, errors, ...more } = answer.body ?? {};
  const { matchingContactIds, requiredScope, etag, current, oldestCursor, headCursor, ...others } =
    more;
  const { mergedIntoId: _mergedIntoId, references, results, ...rest } = others;
  // For an import with a read key, the answer has an older title: it was there before scopes.
  const isFile = code === 'unsupported_media_type' && instance.endsWith('.csv');
  const isReadKey = code === 'insufficient_access' && requiredScope === undefined;
  assert.deepEqual(
    rest,
    {
      type: `urn:offplan:problem:${code}`,
      title: isReadKey ? 'The API key may only read' : isFile ? 'The body must be CSV' : title,
      status,
      instance,
      code,
    },
    answer.text,
  );
  assert.equal(answer.status, status);
  assert.equal(answer.headers['content-type'], 'application/problem+json; charset=utf-8');
  assertHeaders(answer.headers, { ...SECURITY, 'cache-control': 'no-store' });
  assert.equal(answer.headers['x-request-id'], requestId);
  assert.match(requestId, /^[0-9a-z]+-[0-9a-z]+$/);
  assert.match(detail, /\S/);
  assert.equal(errors !== undefined, status === 422 || WITH_ERRORS.has(code), 'errors');
  if (errors !== undefined) assert.ok(errors.length > 0);
  assert.equal(matchingContactIds !== undefined, WITH_MATCHES.has(code));
  assert.equal(current?.etag, etag);
  assert.equal(references !== undefined, code === 'in_use');
  assert.equal(results !== undefined, WITH_RESULTS.has(code));
  for (const cursor of [oldestCursor, headCursor])
    assert.equal(cursor !== undefined, code === 'cursor_expired');
  assertConforms('Problem', answer.body);
  return answer.body;
}
