import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { build } from '../support/harness.ts';
import { addProject } from '../support/stock.ts';
import { tenancies } from '../support/tenancy.ts';

const service = await build({ after });
const { makeTenant } = tenancies(service);

test('large pages that are asked for at once are all answered, even when they fill the cache', async () => {
  const { account, list } = await makeTenant();
  await addProject(service.db, account, { name: 'x'.repeat(2_000_000) });
  // The service makes the pages of an account one after the other, and a page waits 10 seconds at most: so ask for five at a time.
  for (let round = 10; round < 18; round += 1) {
    const millis = Array.from({ length: 5 }, (_, n) => `${round}${n}`);
    const ask = (ms: string) => list(`?updated_since=2020-01-01T00:00:00.${ms}Z`);
    for (const { status, body } of await Promise.all(millis.map(ask)))
      assert.deepEqual([status, status === 200 ? body.projects.length : body], [200, 1]);
  }
});
