import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { contender, type Bench } from '../bench.ts';
import { answerOf } from '../http.ts';
import { makeAccount, makeKey, makeStock } from '../data.ts';
import { compare, type Comparison, type Contender } from '../measure.ts';

const PAGE = '/api/v1/stocklist';

/** Answers that are kept: the page that pollers ask for again and again, and a project. */
export async function reading(bench: Bench): Promise<Comparison[]> {
  const account = await makeAccount(bench.db, 'reading');
  await makeStock(bench.db, account, { projects: 200, units: 40, images: 5 });
  const authorization = `Bearer ${await makeKey(bench.db, account)}`;
  const service = await bench.serve();
  const comparisons: Comparison[] = [];

  async function versus(work: string, path: string, headers: Record<string, string>) {
    const asked = { authorization, ...headers };
    const answer = await answerOf(`${service.url}${path}`, asked);
    const isFresh = answer.status === 304;
    const file = join(bench.folder, 'body');
    await writeFile(file, answer.body);
    const floor = isFresh
      ? await bench.floor('not-modified')
      : await bench.floor('bytes', file, ...(answer.coding === null ? [] : [answer.coding]));
    const pair: [Contender, Contender] = [
      contender(bench, 'bare Fastify', floor, '/', { headers: asked }),
      contender(bench, 'service', service, path, { headers: asked }),
    ];
    comparisons.push(await compare(work, pair, { reach: 0.85, rounds: bench.rounds, p99Ms: 10 }));
    await floor.stop();
  }

  await versus('stocklist page', PAGE, {});
  await versus('stocklist page, gzip', PAGE, { 'accept-encoding': 'gzip' });
  await versus('stocklist page, br', PAGE, { 'accept-encoding': 'br' });
  const { etag } = await answerOf(`${service.url}${PAGE}`, { authorization });
  await versus('stocklist page, 304', PAGE, { 'if-none-match': etag });
  await versus('project detail', '/api/v1/projects/project-7', {});
  await service.stop();
  return comparisons;
}
