import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Document } from '../support/document.ts';
import { fuzz, seedOf, successesOf } from '../support/fuzz.ts';
import { build } from '../support/harness.ts';

const service = await build({ after });
const document = service.app.swagger() as unknown as Document;
const REQUESTS = 48 * Object.values(document.paths).flatMap(Object.keys).length;

test(`${REQUESTS} requests made from the document, valid, nearly valid and wild, are answered as it says`, async (t) => {
  const seed = seedOf(20_260_301);
  t.diagnostic(`FUZZ_SEED=${seed}`);
  const seen = await fuzz(service, { requests: REQUESTS, seed });
  const missing = successesOf(document).filter((answer) => !seen.has(answer));
  assert.deepEqual(missing, [], 'not every operation has succeeded');
});
