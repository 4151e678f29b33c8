import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { findProject, makeAccount, makeKey, makeStock } from '../data.ts';
import { BATCH_SIZE, makeLeads } from '../leads.ts';
import { atLeast, atMost, figure, quantile, type Comparison, type Sample } from '../measure.ts';
import type { Running } from '../process.ts';

/** How often the other account sends a request, in milliseconds. */
const NEIGHBOUR_EVERY_MS = 25;
const WARM_UP_MS = 5_000;

/** Sends one request, and returns how many pages, leads or contacts it counts as. */
type Send = () => Promise<number>;

interface Flood {
  name: string;
  connections: number;
  send: Send;
}

/**
 * One account floods the service with one kind of request while another account reads a page and pushes a lead in turn: first on
 * the same node, then on another one, which has a fair queue of its own and no mark.
 */
export async function flooding(bench: Bench): Promise<Comparison[]> {
  const flooder = await makeClient(bench, 'flooding');
  const neighbour = await makeClient(bench, 'neighbour');
  const service = await bench.serve();
  const otherNode = await bench.serve();
  const comparisons: Comparison[] = [];
  for (const flood of floodsOf(service, flooder)) {
    comparisons.push(await measureFlood(bench, flood, neighbourRequests(service, neighbour)));
    const across = { ...flood, name: `${flood.name}, with the other account on another node` };
    const measured = await measureFlood(bench, across, neighbourRequests(otherNode, neighbour));
    comparisons.push({ ...measured, verdicts: [] });
  }
  await Promise.all([service.stop(), otherNode.stop()]);
  return comparisons;
}

interface Client {
  projectId: string;
  authorization: string;
}

async function makeClient({ db }: Bench, slug: string): Promise<Client> {
  const account = await makeAccount(db, slug);
  await makeStock(db, account, { projects: 200, units: 40, images: 5 });
  const key = await makeKey(db, account, 'read-write');
  return { projectId: await findProject(db, account), authorization: `Bearer ${key}` };
}

let count = 0;

function floodsOf({ url }: Running, { projectId, authorization }: Client): Flood[] {
  const api = `${url}/api/v1`;
  const headers = { authorization, 'content-type': 'application/json' };
  const post = (path: string, body: string) =>
    sendRequest(`${api}${path}`, { method: 'POST', headers, body });
  return [
    {
      name: 'pages that are not cached',
      connections: 64,
      // Use a time that no other request has, so that the answer is not cached.
      send: async () => {
        const since = new Date((count += 1)).toISOString();
        await sendRequest(`${api}/stocklist?updated_since=${since}`, { headers });
        return 1;
      },
    },
    {
      name: 'leads, one a request',
      connections: 64,
      send: async () => {
        await post('/contacts', JSON.stringify(makeLeads(1, projectId)[0]));
        return 1;
      },
    },
    {
      name: 'batches of 1,000 leads',
      connections: 4,
      send: async () => {
        await post(
          '/contacts/batch',
          JSON.stringify({ contacts: makeLeads(BATCH_SIZE, projectId) }),
        );
        return BATCH_SIZE;
      },
    },
  ];
}

function neighbourRequests({ url }: Running, { projectId, authorization }: Client): Send[] {
  const headers = { authorization, 'content-type': 'application/json' };
  return [
    async () => {
      await sendRequest(`${url}/api/v1/stocklist?limit=${1 + ((count += 1) % 20)}`, { headers });
      return 1;
    },
    async () => {
      const body = JSON.stringify(makeLeads(1, projectId)[0]);
      await sendRequest(`${url}/api/v1/contacts`, { method: 'POST', headers, body });
      return 1;
    },
  ];
}

async function sendRequest(url: string, request: RequestInit): Promise<void> {
  const response = await fetch(url, request);
  await response.arrayBuffer();
  if (response.status >= 300) throw new Error(`${response.status} from ${url}`);
}

async function measureFlood(bench: Bench, flood: Flood, neighbour: Send[]): Promise<Comparison> {
  const ms = bench.seconds * 1_000;
  await sendFlood(flood, WARM_UP_MS);
  const samples: Record<'alone' | 'together' | 'calm' | 'beside', Sample[]> = {
    alone: [],
    together: [],
    calm: [],
    beside: [],
  };
  for (let round = 0; round < bench.rounds; round += 1) {
    samples.alone.push(await sendFlood(flood, ms));
    samples.calm.push(await sendAsNeighbour(neighbour, ms));
    const [together, beside] = await Promise.all([
      sendFlood(flood, ms),
      sendAsNeighbour(neighbour, ms),
    ]);
    samples.together.push(together);
    samples.beside.push(beside);
  }
  const [alone, together, calm, beside] = [
    figure('flooding account alone', samples.alone),
    figure('flooding account with the other', samples.together),
    figure('other account alone', samples.calm),
    figure('other account during the flood', samples.beside),
  ];
  return {
    work: `flood of ${flood.name}`,
    figures: [alone, together, calm, beside],
    verdicts: [
      atMost(beside.p99Ms ?? NaN, 150, 'p99 ms of the other account'),
      atLeast(together.perSecond / alone.perSecond, 0.5, 'share of its own rate'),
    ],
  };
}

async function sendFlood({ connections, send }: Flood, ms: number): Promise<Sample> {
  const startMs = performance.now();
  let done = 0;
  const client = async (): Promise<void> => {
    while (performance.now() - startMs < ms) {
      // Not `done += await`, which would add to the value from before the wait.
      const worth = await send();
      done += worth;
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  return { perSecond: (done * 1_000) / (performance.now() - startMs) };
}

async function sendAsNeighbour(requests: Send[], ms: number): Promise<Sample> {
  const times: number[] = [];
  const untilMs = performance.now() + ms;
  for (let index = 0; performance.now() < untilMs; index += 1) {
    const startMs = performance.now();
    await requests[index % requests.length]?.();
    times.push(performance.now() - startMs);
    await sleep(NEIGHBOUR_EVERY_MS);
  }
  return {
    perSecond: (times.length * 1_000) / ms,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
  };
}
