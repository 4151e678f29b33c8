import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';

/** The flood of one account: uncached pages or imports over many connections at once. */
export interface Flood {
  url: string;
  key: string;
  kind: 'pages' | 'leads' | 'long leads' | 'batches';
  connections: number;
  /** Shared numbers: 1 while the flood sends, else 0; the successful answers so far; the requests in flight. */
  state: Int32Array;
}

const PAUSED_MS = 20;

// The thread that started this one has a higher priority.
setPriority(0);

const { url, key, kind, connections, state } = workerData as Flood;
const agent = new Agent({ keepAlive: true, maxSockets: connections });
let count = 0;

// Each page has other filters and another time, so that no cache holds it.
function requestPage(): Promise<number> {
  const filter = count % 2 === 0 ? `city=City%20${count % 100}` : `suburb=nothing%20${count}`;
  const since = new Date(count).toISOString();
  return send('GET', `/api/v1/stocklist?limit=100&updated_since=${since}&${filter}`);
}

function postLead(): Promise<number> {
  const body = { email: `flood-${count}@example.com`, name: 'Flood', tags: ['A', 'B'], notes: 'x' };
  return send('POST', '/api/v1/contacts', JSON.stringify(body));
}

const NUMBER = '#'.repeat(8);

/** Builds a body once, and writes another number into it for each request, so that the client takes little of the processor. */
function numberBody(value: object) {
  const body = Buffer.from(JSON.stringify(value));
  const at = [...body.toString('latin1').matchAll(new RegExp(NUMBER, 'g'))].map(
    ({ index }) => index,
  );
  return (): Buffer => {
    const number = String(count).padStart(NUMBER.length, '0');
    for (const index of at) body.write(number, index);
    return body;
  };
}

const email = `flood-${NUMBER}@example.com`;

function longLeadPoster() {
  // Almost as long as the body of a lead may be.
  const body = numberBody({ email, notes: 'It has a view. '.repeat(69_500) });
  return () => send('POST', '/api/v1/contacts', body());
}

function batchPoster() {
  const contacts = Array.from({ length: 1_000 }, (_, index) => ({
    email: `${index}-${email}`,
    name: 'Flood',
    tags: ['A', 'B'],
    notes: 'x'.repeat(200),
  }));
  const body = numberBody({ contacts });
  return () => send('POST', '/api/v1/contacts/batch', body());
}

/** Makes the function that each connection calls again and again. */
const SENDERS = {
  pages: () => requestPage,
  leads: () => postLead,
  'long leads': longLeadPoster,
  batches: batchPoster,
};

async function send(method: string, path: string, body?: string | Buffer): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const sent = request(`${url}${path}`, { agent, method, headers }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  await once(response.resume(), 'end');
  return response.statusCode ?? 0;
}

async function client(): Promise<never> {
  const sendNext = SENDERS[kind]();
  for (;;) {
    while (Atomics.load(state, 0) === 0) await sleep(PAUSED_MS);
    count += 1;
    Atomics.add(state, 2, 1);
    const status = await sendNext();
    Atomics.sub(state, 2, 1);
    if (status < 300) Atomics.add(state, 1, 1);
  }
}

await Promise.all(Array.from({ length: connections }, client));
