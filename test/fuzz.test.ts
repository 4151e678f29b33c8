import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Document } from './document.ts';
import { answersOf, fuzz, seedOf } from './fuzz.ts';
import { build } from './harness.ts';

const service = await build({ after });
const document = service.app.swagger() as unknown as Document;
/** So many that a request of each operation succeeds: most of them have some fault. */
const REQUESTS = 96 * Object.values(document.paths).flatMap(Object.keys).length;

/** Random values seldom make them: their ids have to belong together, or their members to fit. Other tests make them. */
const RARE = new Set([
  'delete /me/sessions/{id} 204',
  'post /me/second-step/confirm 200',
  'delete /contacts/{contactId}/links/{linkId} 204',
  'post /contacts/bulk 200',
  'post /contacts/{contactId}/links 200',
  'post /contacts/{contactId}/merge 200',
  'post /keys/{keyId}/rotate 200',
]);

test(`${REQUESTS} requests made from the document, valid, nearly valid and wild, are answered as it says`, async (t) => {
  const seed = seedOf(20_260_301);
  t.diagnostic(`FUZZ_SEED=${seed}`);
  const seen = await fuzz(service, { requests: REQUESTS, seed });
  const missing = answersOf(document).filter(
    (answer) => / 2\d\d$/.test(answer) && !seen.has(answer) && !RARE.has(answer),
  );
  assert.deepEqual(missing, [], 'not every operation has succeeded');
});
