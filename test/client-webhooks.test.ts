import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook, WebhookError, type WebhookFault } from '../client/src/index.ts';

const makeSecret = (byte: number): string => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;
const [SECRET, OTHER] = [makeSecret(1), makeSecret(2)];
const ID = '0198c0de-0000-7000-8000-000000000001';
const BODY = '{"type":"contact.created","data":{"id":"é"}}';

/** The headers of a delivery as the library of Standard Webhooks signs it. */
function sign({ secrets = [SECRET], at = new Date(), body = BODY } = {}) {
  const signatures = secrets.map((secret) => new Webhook(secret).sign(ID, at, body));
  return {
    'webhook-id': ID,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': signatures.join(' '),
  };
}

const refuses = (promise: Promise<unknown>, code: WebhookFault, message: RegExp) =>
  assert.rejects(promise, (error) => {
    assert.ok(error instanceof WebhookError);
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  });

test('verifyWebhook gives the event of a delivery, from every kind of headers and body', async () => {
  const headers = sign();
  const capitals = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
  );
  const bytes = Buffer.from(BODY);
  for (const given of [headers, new Headers(headers), capitals])
    for (const body of [BODY, bytes, new Uint8Array(bytes).buffer])
      assert.deepEqual(await verifyWebhook(SECRET, given, body), JSON.parse(BODY));
});

test('verifyWebhook takes a delivery during a rotation, whichever side has the two secrets', async () => {
  const both = sign({ secrets: [OTHER, SECRET] });
  for (const secret of [SECRET, OTHER]) await verifyWebhook(secret, both, BODY);
  await verifyWebhook([OTHER, SECRET], sign(), BODY);
  const withLaterVersion = { ...both, 'webhook-signature': `v2,AAAA ${both['webhook-signature']}` };
  await verifyWebhook(SECRET, withLaterVersion, BODY);
});

test('verifyWebhook refuses another secret, another body, another id, another time and broken signatures', async () => {
  const headers = sign();
  const mismatch = (promise: Promise<unknown>) =>
    refuses(promise, 'signature_mismatch', /not as it/);
  await mismatch(verifyWebhook(OTHER, headers, BODY));
  await mismatch(verifyWebhook([], headers, BODY));
  await mismatch(verifyWebhook(SECRET, headers, `${BODY}\n`));
  await mismatch(verifyWebhook(SECRET, { ...headers, 'webhook-id': 'other' }, BODY));
  const seconds = String(Number(headers['webhook-timestamp']) - 1);
  await mismatch(verifyWebhook(SECRET, { ...headers, 'webhook-timestamp': seconds }, BODY));
  const [, signature] = headers['webhook-signature'].split(',');
  for (const text of [
    signature,
    `v1a,${signature}`,
    `v1,${signature?.slice(4)}`,
    'v1,',
    'v1,%%',
    'v1',
  ])
    await mismatch(verifyWebhook(SECRET, { ...headers, 'webhook-signature': text }, BODY));
});

test('verifyWebhook refuses a delivery of another time, and says how far away it is', async () => {
  for (const seconds of [-3_600, 3_600]) {
    const headers = sign({ at: new Date(Date.now() + seconds * 1_000) });
    await refuses(
      verifyWebhook(SECRET, headers, BODY),
      'timestamp_out_of_range',
      /3[56]\d\d seconds/,
    );
    await verifyWebhook(SECRET, headers, BODY, { toleranceSeconds: 7_200 });
  }
  for (const text of ['soon', '1e9', '-5', '9'.repeat(400)])
    await refuses(
      verifyWebhook(SECRET, { ...sign(), 'webhook-timestamp': text }, BODY),
      'timestamp_invalid',
      /number of seconds/,
    );
});

test('verifyWebhook names the header that is missing, a body that is no JSON, and a secret that is none', async () => {
  for (const name of Object.keys(sign())) {
    const { [name]: _, ...others } = sign() as Record<string, string>;
    const promise = verifyWebhook(SECRET, others, BODY);
    await refuses(promise, 'header_missing', new RegExp(`no header ${name}`));
  }
  await refuses(verifyWebhook(SECRET, sign({ body: '{' }), '{'), 'body_invalid', /not JSON/);
  for (const secret of ['', 'whsec_', 'whsec_%', SECRET.slice(6)])
    await assert.rejects(verifyWebhook(secret, sign(), BODY), TypeError);
});
