import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { SCOPES } from '../../src/access/index.ts';
import { issueKey } from '../../src/keys/index.ts';
import { loadAccount } from '../../src/portability/index.ts';
import { accountIdOf } from '../support/accounts.ts';
import { developerFile } from '../support/developer.ts';
import { createDatabase, databaseUrl } from '../support/harness.ts';
import { offplan, serving } from '../support/process.ts';
import { answering, startReceiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';

const SLUG = 'restored-hooks';
const [KEY, OTHER_KEY] = [7, 8].map((byte) => Buffer.alloc(32, byte).toString('base64'));

test('backup and restore keep the place and the secret of a webhook, and restore warns of another OFFPLAN_SECRET_KEY', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'offplan-hooks-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'hooks.backup');
  const db = await createDatabase(t);
  const copy = await createDatabase(t);
  await loadAccount(db, developerFile(SLUG));
  const accountId = await accountIdOf(db, { slug: SLUG });
  const key = await issueKey(db, accountId, { name: 'hooks', scopes: SCOPES });
  const receiver = await startReceiver({ after });
  const settingsOf = async (of: typeof db, secretKey = '') => ({
    DATABASE_URL: await databaseUrl(of),
    LOG_LEVEL: 'error',
    OFFPLAN_SECRET_KEY: secretKey,
    OFFPLAN_WEBHOOK_ALLOW_PRIVATE: 'true',
    OFFPLAN_WEBHOOK_SCHEDULE: '0,3600',
  });
  async function serve(of: typeof db, secretKey = '') {
    const { url, stop } = await serving(await settingsOf(of, secretKey));
    t.after(() => stop('SIGKILL'));
    const send = async (path: string, body?: object) => {
      const response = await fetch(`${url}/api/v1${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      // eslint-disable-next-line typescript/no-explicit-any
      return (await response.json()) as any;
    };
    return { send, stop };
  }

  const first = await serve(db, KEY);
  const hook = await first.send('/webhooks', { url: receiver.url, types: ['contact.created'] });
  const list = async (from: typeof first, status: string) =>
    (await from.send(`/webhooks/${hook.id}/deliveries?status=${status}`)).data;
  await first.send('/contacts', { email: 'sent@example.com' });
  await until(async () => (await list(first, 'delivered')).length === 1);
  receiver.reply(answering(503));
  await first.send('/contacts', { email: 'refused@example.com' });
  await until(async () => (await list(first, 'pending')).length === 1);
  await first.stop();
  assert.equal((await offplan(['backup', file], await settingsOf(db, KEY))).code, 0);

  const restored = await offplan(['restore', file], await settingsOf(copy, OTHER_KEY));
  assert.equal(restored.code, 0, restored.stderr);
  assert.match(
    restored.stderr,
    /^Warning: this installation does not have the OFFPLAN_SECRET_KEY of the backup\./m,
  );
  const wrong = await serve(copy, OTHER_KEY);
  const { detail } = await wrong.send(`/webhooks/${hook.id}/test`, {});
  assert.match(detail, /^OFFPLAN_SECRET_KEY is not the key/);
  await wrong.stop();

  receiver.reply(answering(204));
  receiver.received.length = 0;
  const right = await serve(copy, KEY);
  const [{ id }] = await list(right, 'pending');
  await right.send(`/webhooks/${hook.id}/deliveries/${id}/retry`, {});
  await until(async () => (await list(right, 'delivered')).length === 2);
  // The event that was delivered before the backup is not sent again.
  const [{ text, headers } = assert.fail(), ...others] = receiver.received;
  assert.equal(others.length, 0);
  new Webhook(hook.secret).verify(text, headers as Record<string, string>);
  await right.stop();

  // The key is lost: with the advice of restore, the waiting event is sent, signed with a new secret.
  const lost = await createDatabase(t);
  const { stderr } = await offplan(['restore', file], await settingsOf(lost, OTHER_KEY));
  assert.match(stderr, /rotate the secret of each webhook .* "overlapSeconds": 0/);
  receiver.received.length = 0;
  const other = await serve(lost, OTHER_KEY);
  const rotated = await other.send(`/webhooks/${hook.id}/rotate-secret`, { overlapSeconds: 0 });
  await other.send(`/webhooks/${hook.id}/deliveries/${id}/retry`, {});
  await until(() => receiver.received.length === 1);
  const [again = assert.fail()] = receiver.received;
  new Webhook(rotated.secret).verify(again.text, again.headers as Record<string, string>);
  await other.stop();

  const same = await createDatabase(t);
  const quiet = await offplan(['restore', file], await settingsOf(same, KEY));
  assert.deepEqual([quiet.code, quiet.stderr], [0, '']);
});
