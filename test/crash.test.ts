import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crashing } from './crash.ts';

test('no acknowledged import is lost, doubled or half there after kill -9 of node, of PostgreSQL and of both under load', async (t) => {
  const { round, acknowledged, check } = await crashing(t);
  for (const victim of ['node', 'postgres', 'both'] as const) await round(victim);
  await check();
  assert.ok(acknowledged() > 50, `only ${acknowledged()} imports were acknowledged`);
});
