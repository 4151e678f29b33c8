import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { build } from '../support/harness.ts';
import { addProject } from '../support/stock.ts';
import { tenancies } from '../support/tenancy.ts';

const service = await build({ after });
const { makeTenant } = tenancies(service);

test('answers to thousands of different questions take little more memory than their bytes', async () => {
  const { account } = await makeTenant();
  const key = await service.key(account.slug, 'read');
  const headers = { authorization: `Bearer ${key}`, 'accept-encoding': 'gzip' };
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  /** Asks different questions, and returns the bytes of all buffers that are still in use. */
  async function ask(from: number, until: number): Promise<number> {
    for (let n = from; n < until; n += 1)
      await service.app.inject({ url: `/api/v1/stocklist?city=City${n}`, headers });
    collectGarbage();
    return process.memoryUsage().arrayBuffers;
  }
  const before = await ask(0, 100);
  const kept = ((await ask(100, 3_100)) - before) / 3_000;
  assert.ok(kept < 3_000, `${Math.round(kept)} bytes are kept for an answer`);
});

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
