import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Document } from '../support/document.ts';
import { fuzz, seedOf, successesOf } from '../support/fuzz.ts';
import { build } from '../support/harness.ts';

const REQUESTS = 20_000;

const service = await build({ after });
const document = service.app.swagger() as unknown as Document;

test('20,000 requests made from the document get no 5xx, and only answers that it promises', async (t) => {
  const seed = seedOf(20_260_302);
  t.diagnostic(`FUZZ_SEED=${seed}`);
  const seen = await fuzz(service, { requests: REQUESTS, seed });
  const counts = [...seen].map(([answer, count]) => `${answer}: ${count}`).toSorted();
  t.diagnostic(counts.join('; '));
  assert.deepEqual(
    successesOf(document).filter((answer) => !seen.has(answer)),
    [],
  );
});
