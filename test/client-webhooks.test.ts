import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook, WebhookError, type Event, type WebhookFault } from '../client/src/index.ts';

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

const SIGNED = sign();
const [, SIGNATURE = ''] = SIGNED['webhook-signature'].split(',');
const SECONDS = Number(SIGNED['webhook-timestamp']);
const FOREIGN = sign({ secrets: [OTHER] })['webhook-signature'];
const withSignature = (text: string) => ({ ...SIGNED, 'webhook-signature': text });
const atSecond = (seconds: number) => sign({ at: new Date(seconds * 1_000) });

/** Requests that are odd, and whether both take them. */
const ODD_REQUESTS: [string, Record<string, string>, boolean][] = [
  ['a signature of another secret first', withSignature(`${FOREIGN} v1,${SIGNATURE}`), true],
  ['a signature of another secret last', withSignature(`v1,${SIGNATURE} ${FOREIGN}`), true],
  ['the same signature three times', withSignature(`v1,${SIGNATURE} `.repeat(3).trim()), true],
  ['broken signatures before the right one', withSignature(`v1,%% v1, x v1,${SIGNATURE}`), true],
  ['two spaces between signatures', withSignature(`${FOREIGN}  v1,${SIGNATURE}`), true],
  ['a later version beside it', withSignature(`v2,${SIGNATURE} v1,${SIGNATURE}`), true],
  ['a later version alone', withSignature(`v2,${SIGNATURE}`), false],
  ['an asymmetric signature alone', withSignature(`v1a,${SIGNATURE}`), false],
  ['a version in capitals', withSignature(`V1,${SIGNATURE}`), false],
  ['no version', withSignature(SIGNATURE), false],
  ['a comma between signatures', withSignature(`${FOREIGN},v1,${SIGNATURE}`), false],
  ['an empty signature', withSignature('v1,'), false],
  ['a signature without padding', withSignature(`v1,${SIGNATURE.replace('=', '')}`), false],
  ['a signature that is cut off', withSignature(`v1,${SIGNATURE.slice(0, 20)}`), false],
  ['a signature in base64url', withSignature(`v1,${'-_'.repeat(21)}-=`), false],
  ['a signature in hexadecimal', withSignature(`v1,${'0f'.repeat(32)}`), false],
  ['a time four minutes ago', atSecond(SECONDS - 240), true],
  ['a time in four minutes', atSecond(SECONDS + 240), true],
  ['a time six minutes ago', atSecond(SECONDS - 360), false],
  ['a time in six minutes', atSecond(SECONDS + 360), false],
  ['a time in milliseconds', { ...SIGNED, 'webhook-timestamp': `${SECONDS}000` }, false],
  ['a time that is a word', { ...SIGNED, 'webhook-timestamp': 'now' }, false],
  ['an empty time', { ...SIGNED, 'webhook-timestamp': '' }, false],
  ['an empty id', { ...SIGNED, 'webhook-id': '' }, false],
  ['an empty header of signatures', withSignature(''), false],
  ['no headers', {}, false],
];

for (const [what, headers, isTaken] of ODD_REQUESTS)
  test(`verifyWebhook ${isTaken ? 'takes' : 'refuses'} a request with ${what}, as the library does`, async () => {
    const library = () => new Webhook(SECRET).verify(BODY, headers);
    if (isTaken) {
      assert.deepEqual(library(), JSON.parse(BODY));
      assert.deepEqual(await verifyWebhook(SECRET, headers, BODY), JSON.parse(BODY));
    } else {
      assert.throws(library);
      await assert.rejects(verifyWebhook(SECRET, headers, BODY), WebhookError);
    }
  });

test('verifyWebhook refuses a time with a word behind it, and a secret without whsec_, which the library takes', async () => {
  const headers = { ...sign(), 'webhook-timestamp': `${sign()['webhook-timestamp']}s` };
  await refuses(verifyWebhook(SECRET, headers, BODY), 'timestamp_invalid', /number of seconds/);
  await assert.rejects(verifyWebhook(SECRET.slice('whsec_'.length), sign(), BODY), TypeError);
});

/** Reads members that only events of a type have: `npm run check:types` refuses them anywhere else. */
function describeEvent(event: Event): string {
  // @ts-expect-error: an event of any type has no price.
  void event.data.from;
  // The default takes all other types.
  // eslint-disable-next-line typescript/switch-exhaustiveness-check
  switch (event.type) {
    case 'contact.stage_changed':
      return `${event.data.from ?? 'none'} → ${(event.data.to satisfies string | null) ?? 'none'}`;
    case 'unit.price_changed':
      // @ts-expect-error: the price of a unit leads to no other contact.
      void event.data.intoId;
      return `${event.data.projectId}: ${(event.data.to satisfies number | null) ?? 'none'}`;
    case 'contact.merged':
      return event.data.intoId satisfies string;
    case 'webhook.disabled':
      return event.data.reason satisfies string;
    // @ts-expect-error: no event has this type.
    case 'contact.sold':
      return '';
    default:
      return event.type satisfies string;
  }
}

test('the type of an event says which data it has', async () => {
  const body = '{"type":"contact.merged","data":{"id":"a","intoId":"b"}}';
  const event = await verifyWebhook(SECRET, sign({ body }), body);
  assert.equal(describeEvent(event), 'b');
});
