import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { accountFile } from './accounts.ts';
import { build, type TestApp } from './harness.ts';

const LEADS = 600;

async function hasStatistics({ db }: TestApp): Promise<boolean> {
  const text = `select from pg_stats where tablename = 'contacts' and attname = 'email_key'`;
  const { rows } = await db.query({ name: 'has_statistics', text, values: [] });
  return rows.length > 0;
}

test('while an account is filled by imports, the planner learns of it at once', async (t) => {
  const service = await build(t);
  await service.load(accountFile('growing'));
  const key = await service.key('growing', 'read-write');
  const payload = (n: number) => ({ email: `lead-${n}@example.com` });
  const send = (n: number) =>
    service.send({ method: 'POST', url: '/api/v1/contacts', key, payload: payload(n) });
  await Promise.all(Array.from({ length: LEADS }, (_, n) => send(n)));
  for (let tries = 0; tries < 100 && !(await hasStatistics(service)); tries += 1) await sleep(50);
  assert.ok(await hasStatistics(service));
});

test('after a file of many contacts was loaded, the planner knows of them', async (t) => {
  const service = await build(t);
  const contacts = Array.from({ length: LEADS }, (_, n) => ({ email: `lead-${n}@example.com` }));
  await service.load({ ...accountFile('growing'), contacts });
  assert.ok(await hasStatistics(service));
});
