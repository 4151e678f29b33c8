import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { Bench } from './bench.ts';
import { makeKey, type Account } from './data.ts';
import { bytesOf } from './http.ts';
import { figure, type Comparison, type Figure } from './measure.ts';
import { cpuMs, peakMb } from './process.ts';

const FORMATS = ['csv', 'ndjson'];
const HEAP_READ_EVERY_MS = 250;

/** Measures the export of all contacts of an account in each format. Each export comes from a new service process. */
export async function exportContacts(
  bench: Pick<Bench, 'db' | 'serve' | 'postgresPid'>,
  account: Account,
  count: number,
): Promise<Comparison> {
  const figures: Figure[] = [];
  for (const format of FORMATS) figures.push(await exportFile(bench, account, { format, count }));
  return {
    work: `a file of ${count.toLocaleString('en')} contacts over HTTP`,
    figures,
    verdicts: [],
  };
}

async function exportFile(
  bench: Pick<Bench, 'db' | 'serve' | 'postgresPid'>,
  account: Account,
  { format, count }: { format: string; count: number },
): Promise<Figure> {
  const key = await makeKey(bench.db, account, ['contacts:export']);
  const port = await findFreePort();
  const { url, pid, stop } = await bench.serve({ OFFPLAN_METRICS_PORT: String(port) });
  const heap = watchHeap(port);
  const before = [cpuMs(pid), cpuMs(bench.postgresPid)] as const;
  const startedMs = performance.now();
  const path = `/api/v1/exports/contacts?archived=any&format=${format}`;
  const bytes = await bytesOf(`${url}${path}`, { authorization: `Bearer ${key}` });
  const ms = performance.now() - startedMs;
  const heapMb = await heap.stop();
  const name = `${format}: ${(ms / 1000).toFixed(0)} s, heap of at most ${heapMb.toFixed(0)} MB`;
  const sample = {
    perSecond: (count * 1000) / ms,
    bytes,
    memoryMb: peakMb(pid),
    cpuUs: ((cpuMs(pid) - before[0]) * 1000) / count,
    postgresUs: ((cpuMs(bench.postgresPid) - before[1]) * 1000) / count,
  };
  await stop();
  return figure(name, [sample]);
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Polls the heap of a service in its metrics. Its stop function returns the largest value in MB. */
function watchHeap(port: number) {
  let largest = 0;
  async function read(): Promise<void> {
    const response = await fetch(`http://127.0.0.1:${port}/metrics`);
    const found = /^nodejs_heap_size_used_bytes\S* ([\d.e+]+)$/m.exec(await response.text())?.[1];
    largest = Math.max(largest, Number(found));
  }
  let reading = Promise.resolve();
  const timer = setInterval(() => {
    reading = reading.then(read);
  }, HEAP_READ_EVERY_MS);
  return {
    stop: async () => {
      clearInterval(timer);
      await reading;
      return largest / 1e6;
    },
  };
}
