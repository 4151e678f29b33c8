/*
 * Reads over HTTP of an answer that is kept, against a floor measured in the same run: a bare Fastify that sends
 * the same bytes from memory and does nothing else.
 *
 *   node bench/read.ts [SECONDS]
 */
import { readFile } from 'node:fs/promises';
import Fastify from 'fastify';
import { issueKey } from '../src/accounts/issue.ts';
import { accountFindBySlug } from '../src/accounts/store.ts';
import { loadAccount } from '../src/portability/load.ts';
import { machine, measure, withService } from './service.ts';

const duration = Number(process.argv[2] ?? 8);
const CONNECTIONS = 16;

async function read(url: string, key: string, extra: Record<string, string> = {}): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, ...extra };
  const { requests } = await measure({ url, connections: CONNECTIONS, duration, headers });
  return requests.average;
}

async function floor(body: Buffer): Promise<number> {
  const app = Fastify();
  app.get('/', (_request, reply) => {
    void reply.header('content-type', 'application/json; charset=utf-8').send(body);
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const result = await read(url, 'none');
  await app.close();
  return result;
}

await withService(async ({ db, url }) => {
  const demo = new URL('../demo/account.json', import.meta.url);
  await loadAccount(db, await readFile(demo, 'utf8'));
  const accountId = (await accountFindBySlug(db, 'kowhai-lane')) ?? '';
  const key = await issueKey(db, accountId, { name: 'bench', access: 'read' });
  console.log(machine());
  for (const path of [
    '/stocklist?limit=2',
    '/stocklist?region=auckland',
    '/projects/harbourlight',
  ]) {
    const address = `${url}/api/v1${path}`;
    const response = await fetch(address, { headers: { authorization: `Bearer ${key}` } });
    const body = Buffer.from(await response.arrayBuffer());
    const least = await floor(body);
    const ours = await read(address, key);
    const gzip = await read(address, key, { 'accept-encoding': 'gzip' });
    const fresh = await read(address, key, { 'if-none-match': response.headers.get('etag') ?? '' });
    const told = [ours, gzip, fresh].map(
      (each) => `${Math.round(each)}/s (${(each / least).toFixed(2)})`,
    );
    console.log(
      `${path}, ${body.length} bytes: floor ${Math.round(least)}/s; ours ${told[0]}, gzip ${told[1]}, 304 ${told[2]}`,
    );
  }
});
