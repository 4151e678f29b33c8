import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startCrashTest } from '../support/crash.ts';

test('no acknowledged import is lost, and none is stored twice or in part, after kill -9 of Node, PostgreSQL and both under load', async (t) => {
  const { round, acknowledged, check } = await startCrashTest(t);
  for (const victim of ['node', 'postgres', 'both'] as const) await round(victim);
  await check();
  assert.ok(acknowledged() > 50, `only ${acknowledged()} imports were acknowledged`);
});
