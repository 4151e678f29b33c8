import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { createSigningKey, makeSecret, signDelivery } from './index.ts';

test('the library of Standard Webhooks accepts a delivery with each secret that signed it, and no other', () => {
  const [oldSecret, newSecret, other] = [makeSecret(), makeSecret(), makeSecret()] as const;
  const [id, body] = ['0198c0de-0000-7000-8000-000000000001', '{"type":"contact.created","é":1}'];
  const seconds = Math.floor(Date.now() / 1000);
  const signature = signDelivery(
    [createSigningKey(newSecret), createSigningKey(oldSecret)],
    id,
    seconds,
    body,
  );
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signature,
  };
  for (const secret of [oldSecret, newSecret])
    assert.deepEqual(new Webhook(secret).verify(body, headers), JSON.parse(body));
  assert.throws(() => new Webhook(other).verify(body, headers), /No matching signature/);
  assert.throws(() => new Webhook(oldSecret).verify(`${body} `, headers), /No matching signature/);
  assert.equal(
    signDelivery([createSigningKey(oldSecret)], id, seconds, Buffer.from(body)),
    signature.split(' ')[1],
  );
});
