import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSocketServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json, text } from 'node:stream/consumers';
import { after, test, type TestContext } from 'node:test';
import { Webhook } from 'standardwebhooks';
import type { Scope } from '../../src/access/index.ts';
import { issueKey } from '../../src/keys/index.ts';
import { accountIdOf } from '../support/accounts.ts';
import { build } from '../support/harness.ts';
import { makeProgram, readRecipes } from '../support/recipes.ts';
import { until } from '../support/until.ts';

/* The receivers and recipes of docs/webhooks.md, run as they stand there. */

const ROOT = join(import.meta.dirname, '../..');
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const recipes = readRecipes('docs/webhooks.md');

const service = await build({ after }, { webhookAllowPrivate: true, webhookScheduleMs: [0] });
await service.load(JSON.parse(readFileSync(join(ROOT, 'demo/account.json'), 'utf8')));
const url = `${await service.app.listen({ host: '127.0.0.1', port: 0 })}/api/v1`;
const accountId = await accountIdOf(service.db, { slug: 'kowhai-lane' });
// The scopes that the recipes ask for.
const scopes: Scope[] = ['leads:import', 'contacts:read'];
const key = await issueKey(service.db, accountId, { name: 'recipe', scopes });
const otherKey = await service.key('kowhai-lane', 'all');

interface OfferedEvent {
  id: string;
  type: string;
  data: { id: string };
}

/** Adds a lead with a key, and returns the events of it. */
async function addLead(withKey: string, email: string, name: string): Promise<OfferedEvent[]> {
  const headers = { authorization: `Bearer ${withKey}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ email, name });
  const response = await fetch(`${url}/contacts`, { method: 'POST', headers, body });
  const { contactId } = (await response.json()) as { contactId: string };
  const answer = await fetch(`${url}/events?limit=100&subject=${contactId}`, {
    headers: { authorization: `Bearer ${otherKey}` },
  });
  return ((await answer.json()) as { data: OfferedEvent[] }).data;
}

/** Makes an event like this one of a contact that has been erased since. */
function makeEventOfErased(event: OfferedEvent): OfferedEvent {
  return { ...event, id: 'erased', data: { id: event.id } };
}

async function patchContact(id: string, changes: object): Promise<void> {
  const response = await fetch(`${url}/contacts/${id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${otherKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(changes),
  });
  assert.equal(response.status, 200, await response.text());
}

async function findFreePort(): Promise<number> {
  const server = createSocketServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts the receiver with a recipe. Returns a function that delivers an event to it as Offplan does. */
async function startReceiver(t: TestContext, recipe: string, env: Record<string, string> = {}) {
  const folder = makeProgram(t, { ...recipes, 'handle.ts': recipe });
  const port = await findFreePort();
  const child = spawn(process.execPath, [join(folder, 'receiver.ts')], {
    env: {
      ...process.env,
      OFFPLAN_WEBHOOK_SECRET: SECRET,
      OFFPLAN_URL: url,
      OFFPLAN_KEY: key,
      PORT: String(port),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  t.after(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  const address = `http://localhost:${port}/hooks`;
  await until(async () => {
    if (child.exitCode !== null) assert.fail(output);
    return fetch(address).then(
      () => true,
      () => false,
    );
  });
  const read = async (event: OfferedEvent, tamper = ''): Promise<[number, string]> => {
    const response = await fetch(address, { ...sign(event), body: JSON.stringify(event) + tamper });
    return [response.status, await response.text()];
  };
  const deliver = async (event: OfferedEvent, tamper?: string): Promise<number> =>
    (await read(event, tamper))[0];
  return Object.assign(deliver, { read });
}

function sign(event: OfferedEvent) {
  const [body, now] = [JSON.stringify(event), new Date()];
  const headers = {
    'content-type': 'application/json',
    'webhook-id': event.id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': new Webhook(SECRET).sign(event.id, now, body),
  };
  return { method: 'POST', headers, body };
}

/** Another service on this machine, which answers as its documentation says. */
async function startVendor(
  t: TestContext,
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<string> {
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const WRITE_DOWN = `import { appendFileSync } from 'node:fs';
export async function handle(event: { type: string }) {
  appendFileSync(process.env.WRITTEN ?? '', event.type + '\\n');
}`;

test('the receiver in Node.js handles an event once, and refuses a forged one', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'offplan-written-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const written = join(folder, 'events.txt');
  const deliver = await startReceiver(t, WRITE_DOWN, { WRITTEN: written });
  const [event = assert.fail()] = await addLead(otherKey, 'once@example.com', 'Once');
  assert.equal(await deliver(event, ' '), 400);
  assert.equal(await deliver(event), 204);
  assert.equal(await deliver(event), 204);
  assert.equal(readFileSync(written, 'utf8'), `${event.type}\n`);
});

test('the receiver in Next.js handles an event, and refuses a forged one', async (t) => {
  const folder = makeProgram(t, { ...recipes, 'handle.ts': WRITE_DOWN });
  const written = join(folder, 'events.txt');
  process.env['OFFPLAN_WEBHOOK_SECRET'] = SECRET;
  process.env['WRITTEN'] = written;
  const { POST } = await import(join(folder, 'route.ts'));
  const [event = assert.fail()] = await addLead(otherKey, 'next@example.com', 'Next');
  const request = sign(event);
  const forged = { ...request, body: `${request.body} ` };
  assert.equal((await POST(new Request('https://a.test', forged))).status, 400);
  assert.equal((await POST(new Request('https://a.test', request))).status, 204);
  assert.equal(readFileSync(written, 'utf8'), `${event.type}\n`);
});

test('Slack gets a message for a new lead, and the event comes again when Slack refuses', async (t) => {
  const texts: string[] = [];
  let next = 0;
  const refusals: [number, string][] = [
    [429, 'rate_limited'],
    [400, 'invalid_payload'],
    [403, 'action_prohibited'],
    [404, 'channel_not_found'],
    [410, 'channel_is_archived'],
    [500, 'rollup_error'],
  ];
  const slack = await startVendor(t, async (request, response) => {
    const body = (await json(request)) as { text?: string };
    const [status, text] = refusals[next++] ?? [200, 'ok'];
    response.writeHead(status, { 'content-type': 'text/plain', 'retry-after': '30' }).end(text);
    if (status === 200) texts.push(body.text ?? '');
  });
  const deliver = await startReceiver(t, recipes['slack.ts'] ?? '', { SLACK_WEBHOOK_URL: slack });
  const events = await addLead(otherKey, 'slack@example.com', 'Ana <b> & Co');
  const enquiry = events.find(({ type }) => type === 'contact.enquired') ?? assert.fail();
  for (const [status, text] of refusals) {
    const answer = await deliver.read(enquiry);
    assert.deepEqual(answer, [500, `Slack answered ${status} ${text}`]);
  }
  for (const event of events) assert.equal(await deliver(event), 204);
  assert.equal(await deliver(makeEventOfErased(enquiry)), 204);
  assert.deepEqual(texts, ['New lead: Ana &lt;b&gt; &amp; Co']);
});

test('a new lead is mailed once, also when the event comes again and the contact has another name', async (t) => {
  interface Mail {
    subject: string;
    reply_to: string;
  }
  const mails = new Map<string, Mail>();
  let isFirst = true;
  const vendor = await startVendor(t, async (request, response) => {
    const mail = (await json(request)) as Mail;
    const answer = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const refuse = (statusCode: number, name: string): void =>
      answer(statusCode, { statusCode, name, message: 'See the documentation.' });
    if (request.headers.authorization !== 'Bearer re_1') return refuse(401, 'missing_api_key');
    if (isFirst) {
      isFirst = false;
      return refuse(429, 'rate_limit_exceeded');
    }
    const key = String(request.headers['idempotency-key']);
    if (mails.has(key) && JSON.stringify(mails.get(key)) !== JSON.stringify(mail))
      return refuse(409, 'invalid_idempotent_request');
    mails.set(key, mail);
    answer(200, { id: '49a3999c-0ce1-4ea6-ab68-afcd6dc2e794' });
  });
  const env = { MAIL_URL: vendor, MAIL_KEY: 're_1' };
  const deliver = await startReceiver(t, recipes['mail.ts'] ?? '', env);
  const events = await addLead(otherKey, 'mail@example.com', 'Mele');
  const enquiry = events.find(({ type }) => type === 'contact.enquired') ?? assert.fail();
  const [status, text] = await deliver.read(enquiry);
  assert.equal(status, 500);
  assert.match(text, /^Mail: 429 .*rate_limit_exceeded/);
  for (const event of events) assert.equal(await deliver(event), 204);
  // Another receiver, which has not seen the event.
  const again = await startReceiver(t, recipes['mail.ts'] ?? '', env);
  await patchContact(enquiry.data.id, { name: 'Mele Ngata' });
  assert.equal(await again(enquiry), 204);
  assert.equal(await again(makeEventOfErased(enquiry)), 204);
  assert.deepEqual([...mails.keys()], [enquiry.id]);
  const mail = mails.get(enquiry.id);
  assert.deepEqual([mail?.subject, mail?.reply_to], ['New lead: Mele', 'mail@example.com']);
});

test('many changes of the stock rebuild the site once, and a hook that fails is called again', async (t) => {
  let builds = 0;
  let failures = 1;
  const hook = await startVendor(t, async (request, response) => {
    await text(request);
    if (failures-- > 0) response.writeHead(503).end();
    // Vercel answers with the job; the documentation of Netlify names no body.
    else response.writeHead(200).end((builds += 1) === 1 ? '{"job":{"state":"PENDING"}}' : '');
  });
  const env = { BUILD_HOOK_URL: hook, BUILD_DELAY_MS: '400' };
  const deliver = await startReceiver(t, recipes['rebuild.ts'] ?? '', env);
  await until(() => builds === 1);
  const change = (n: number) => ({ id: `u${n}`, type: 'unit.status_changed', data: { id: 'u' } });
  await Promise.all(
    Array.from({ length: 30 }, async (_, n) => assert.equal(await deliver(change(n)), 204)),
  );
  await until(() => builds > 1);
  assert.ok(builds < 30, String(builds));
});

test('a change goes to the other CRM, as do an erasure and a merge, and one that came from there does not go back', async (t) => {
  const calls: [string, unknown][] = [];
  const crm = await startVendor(t, async (request, response) => {
    calls.push([`${request.method} ${request.url}`, await json(request).catch(() => null)]);
    response.writeHead(204).end();
  });
  const env = { CRM_URL: crm };
  const deliver = await startReceiver(t, recipes['crm.ts'] ?? '', env);
  process.env['OFFPLAN_URL'] = url;
  process.env['OFFPLAN_KEY'] = key;
  const { receiveFromCrm } = await import(
    join(makeProgram(t, { 'handle.ts': recipes['crm.ts'] ?? '' }), 'handle.ts')
  );
  await receiveFromCrm({ email: 'from-crm@example.com', name: 'From CRM' });
  const own = await addLead(key, 'from-crm@example.com', 'From CRM');
  for (const event of own) assert.equal(await deliver(event), 204);
  assert.equal(calls.length, 0);
  const others = await addLead(otherKey, 'to-crm@example.com', 'To CRM');
  for (const event of others) assert.equal(await deliver(event), 204);
  const [event = assert.fail()] = others;
  const [call, body]: [string, unknown] = calls[0] ?? assert.fail();
  assert.equal(call, `PUT /contacts/${event.data.id}`);
  assert.deepEqual(
    { ...(body as object), stage: null },
    {
      email: 'to-crm@example.com',
      name: 'To CRM',
      stage: null,
    },
  );
  assert.equal(await deliver({ ...event, id: 'e2', type: 'contact.erased' }), 204);
  assert.equal(calls.at(-1)?.[0], `DELETE /contacts/${event.data.id}`);
  const merged = { ...event, id: 'e4', type: 'contact.merged', data: { id: 'duplicate' } };
  assert.equal(await deliver(merged), 204);
  assert.equal(calls.at(-1)?.[0], 'DELETE /contacts/duplicate');
  const gone = { ...event, id: 'e3', type: 'contact.updated', data: { id: event.id } };
  const count = calls.length;
  assert.equal(await deliver(gone), 204);
  assert.equal(calls.length, count);
});

/** Calls the API as an owner's program does. */
async function call(method: string, path: string, body?: object) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${otherKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  // eslint-disable-next-line typescript/no-explicit-any
  return (await response.json()) as any;
}

test('The webhook of the recipe for another CRM gets the contacts of an uploaded file, and those that its undo erases', async (t) => {
  const got: string[] = [];
  const crm = await startVendor(t, async (request, response) => {
    const { type, data } = (await json(request)) as OfferedEvent;
    got.push(`${type} ${data.id}`);
    response.writeHead(204).end();
  });
  const document = readFileSync(join(ROOT, 'docs/webhooks.md'), 'utf8');
  const [, recipe = ''] = /^## Two-way([\s\S]*?)^```/m.exec(document) ?? [];
  const members = [...recipe.matchAll(/`("\w+":\s[^`]+)`/g)].map(([, member]) => member);
  const settings = JSON.parse(`{${members.join()}}`) as object;
  await call('POST', '/webhooks', { url: crm, types: ['contact.*'], ...settings });
  const response = await fetch(`${url}/contact-files?name=leads.csv`, {
    method: 'POST',
    headers: { authorization: `Bearer ${otherKey}`, 'content-type': 'text/csv' },
    body: 'Email\nfrom-file@example.com\n',
  });
  const { id } = (await response.json()) as { id: string };
  const isNow = async (status: string) =>
    (await call('GET', `/contact-files/${id}`)).status === status;
  await until(() => isNow('ready'));
  await call('POST', `/contact-files/${id}/start`, {});
  await until(() => isNow('completed'));
  const contact = (await call('GET', '/contacts?q=from-file')).data[0];
  await until(() => got.includes(`contact.created ${contact.id}`));
  await call('POST', `/contact-files/${id}/undo`);
  await until(() => got.includes(`contact.erased ${contact.id}`));
});

test('Zapier, n8n and Make get each lead with its contact, and n8n only with its header', async (t) => {
  const got: Record<string, unknown> = {};
  const vendor = await startVendor(t, async (request, response) => {
    const name = String(request.url).slice(1);
    const event = (await json(request)) as { object: { email: string } };
    const isAllowed = name !== 'n8n' || request.headers['x-n8n-key'] === 'open sesame';
    if (!isAllowed) {
      response.writeHead(403).end('Authorization data is wrong!');
      return;
    }
    got[name] = event.object.email;
    const answers: Record<string, string> = {
      zapier: '{"attempt":"0198c0de","id":"0198c0de","request_id":"0198c0de","status":"success"}',
      n8n: '{"message":"Workflow was started"}',
      make: 'Accepted',
    };
    response.writeHead(200).end(answers[name]);
  });
  const ids: Record<string, string> = {};
  for (const name of ['zapier', 'n8n', 'make']) {
    const body = { url: `${vendor}/${name}`, types: ['contact.enquired'], include: ['object'] };
    ids[name] = (await call('POST', '/webhooks', body)).id;
  }
  const readLast = async (name: string) =>
    (await call('GET', `/webhooks/${ids[name]}/deliveries`)).data[0];
  await addLead(otherKey, 'flow@example.com', 'Flow');
  await until(async () => (await readLast('n8n'))?.status === 'failed');
  const refused = await readLast('n8n');
  assert.deepEqual(
    [refused.httpStatus, refused.responseStart],
    [403, 'Authorization data is wrong!'],
  );
  await call('PATCH', `/webhooks/${ids['n8n']}`, { headers: { 'X-N8n-Key': 'open sesame' } });
  await call('POST', `/webhooks/${ids['n8n']}/deliveries/${refused.id}/retry`, {});
  for (const name of Object.keys(ids))
    await until(async () => (await readLast(name))?.status === 'delivered');
  const email = 'flow@example.com';
  assert.deepEqual(got, { zapier: email, n8n: email, make: email });
});
