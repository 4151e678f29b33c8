import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { developersOf } from '../support/developer.ts';
import { build } from '../support/harness.ts';
import { startReceiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';

const settings = { webhookAllowPrivate: true, webhookScheduleMs: [0, 60 * 60_000] };
const service = await build({ after }, settings);
const makeDeveloper = developersOf(service);

/** An account with a webhook, and functions that change the webhook and import leads. */
async function openAccount(types: string[]) {
  const { slug } = await makeDeveloper();
  const key = await service.key(slug, 'all');
  const receiver = await startReceiver({ after });
  async function send(method: 'POST' | 'PATCH', path: string, payload: object) {
    const { status, text, body } = await service.send({
      method,
      url: `/api/v1${path}`,
      payload,
      key,
    });
    assert.ok(status < 300, text);
    return body;
  }
  const { id } = await send('POST', '/webhooks', { url: receiver.url, types });
  let made = 0;
  return {
    receiver,
    turn: (enabled: boolean) => send('PATCH', `/webhooks/${id}`, { enabled }),
    addContacts: (count: number) => {
      const contacts = Array.from({ length: count }, () => ({ email: `c${++made}@example.com` }));
      return send('POST', '/contacts/batch', { contacts });
    },
  };
}

test('an account gets its first event before the thousands of another account are sent', async () => {
  const busy = await openAccount(['contact.created', 'contact.enquired']);
  const mine = await openAccount(['contact.created']);
  let isHeld = true;
  const waiting: (() => void)[] = [];
  busy.receiver.reply((_request, response) => {
    const answer = () => void response.writeHead(204).end();
    if (isHeld) waiting.push(answer);
    else answer();
  });
  // Turned off meanwhile, so that thousands wait.
  await busy.turn(false);
  for (let batch = 0; batch < 10; batch += 1) await busy.addContacts(100);
  await busy.turn(true);
  await until(() => busy.receiver.received.length > 0);
  await mine.addContacts(1);
  await until(() => mine.receiver.received.length === 1);
  assert.ok(busy.receiver.received.length < 2_000);
  isHeld = false;
  for (const answer of waiting) answer();
  // An answer that was held for too long has its event sent again.
  const countEvents = () => new Set(busy.receiver.received.map(({ event }) => event.id)).size;
  await until(() => countEvents() === 2_000);
});
