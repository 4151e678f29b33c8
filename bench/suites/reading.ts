import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { contender, type Bench } from '../bench.ts';
import { answerOf } from '../http.ts';
import { makeAccount, makeKey, makeStock } from '../data.ts';
import { compare, alternate, type Comparison, type Contender } from '../measure.ts';
import type { Running } from '../process.ts';

// Choose another query string in each run, so that the service cannot be tuned for the one of the bench.
const random = Math.floor(Math.random() * 200);
const PAGE = `/api/v1/stocklist?region=Region%20${random % 10}&status=available`;
/** The number of processes of the service, and of each baseline, that take turns in the rounds. */
const PROCESSES = 3;

/** Measures cached answers: the page that clients poll, and a project. */
export async function reading(bench: Bench): Promise<Comparison[]> {
  const account = await makeAccount(bench.db, 'reading');
  await makeStock(bench.db, account, { projects: 200, units: 40, images: 5 });
  const authorization = `Bearer ${await makeKey(bench.db, account)}`;
  // Set one base URL for pictures. Each process would otherwise put its own port into the bytes of the answers.
  const services = await several(() =>
    bench.serve({ MEDIA_BASE_URL: 'https://media.example.com' }),
  );
  const [service] = services;
  const comparisons: Comparison[] = [];

  async function versus(
    work: string,
    reach: number,
    path: string,
    headers: Record<string, string> = {},
  ) {
    const asked = { authorization, ...headers };
    const answer = await answerOf(`${service.url}${path}`, asked);
    const isFresh = answer.status === 304;
    const file = join(bench.folder, 'body');
    await writeFile(file, answer.body);
    const coding = answer.coding === null ? [] : [answer.coding];
    const baselines = await several(() =>
      isFresh ? bench.baseline('not-modified') : bench.baseline('bytes', file, ...coding),
    );
    const sending = (name: string, all: Running[], where: string): Contender =>
      alternate(
        name,
        all.map((each) => contender(bench, name, each, where, { headers: asked })),
      );
    const pair: [Contender, Contender] = [
      sending('bare Fastify', baselines, '/'),
      sending('service', services, path),
    ];
    const rounds = bench.rounds * PROCESSES;
    comparisons.push(await compare(work, pair, { reach, rounds }));
    await Promise.all(baselines.map(({ stop }) => stop()));
  }

  await versus('stocklist page', 0.85, PAGE);
  await versus('stocklist page, gzip', 0.85, PAGE, { 'accept-encoding': 'gzip' });
  await versus('stocklist page, br', 0.85, PAGE, { 'accept-encoding': 'br' });
  const { etag } = await answerOf(`${service.url}${PAGE}`, { authorization });
  await versus('stocklist page, 304', 0.6, PAGE, { 'if-none-match': etag });
  await versus('project detail', 0.7, `/api/v1/projects/project-${random}`);
  await Promise.all(services.map(({ stop }) => stop()));
  return comparisons;
}

async function several(start: () => Promise<Running>): Promise<[Running, ...Running[]]> {
  const started: [Running, ...Running[]] = [await start()];
  while (started.length < PROCESSES) started.push(await start());
  return started;
}
