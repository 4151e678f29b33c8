import { contender, type Bench } from '../bench.ts';
import { changeProjects, makeAccount, makeKey, makeStock } from '../data.ts';
import { answerOf } from '../http.ts';
import { atLeast, compare, figure, timed, type Comparison, type Sample } from '../measure.ts';

const CACHED_MS = 250;

/** Measures the last pages of a long stocklist against its first page. */
export async function pages(bench: Bench): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const projects of bench.quick ? [2_000] : [2_000, 20_000])
    comparisons.push(...(await pagesOf(bench, projects)));
  return comparisons;
}

async function pagesOf(bench: Bench, projects: number): Promise<Comparison[]> {
  const { db, rounds, seconds } = bench;
  const account = await makeAccount(db, `pages-${projects}`);
  await makeStock(db, account, { projects, units: 4, images: 2 });
  const authorization = `Bearer ${await makeKey(db, account)}`;
  const service = await bench.serve();
  const last = projects / 20;
  const path = (page: number, filter: string) => `/api/v1/stocklist?page=${page}${filter}`;
  const read = async (page: number, filter: string): Promise<number> => {
    const { body } = await answerOf(`${service.url}${path(page, filter)}`, { authorization });
    return body.length;
  };

  // Measure the first read after a change: neither the key nor an answer of this stock clock is cached.
  function first(page: number, filter: string): Promise<Sample> {
    const changed = async (): Promise<void> => {
      await changeProjects(db, account, 1);
      await new Promise((resolve) => setTimeout(resolve, CACHED_MS));
    };
    return timed(seconds, changed, () => read(page, filter));
  }

  const comparisons: Comparison[] = [];
  for (const [filter, label] of [
    ['', ''],
    ['&status=available', ', filtered'],
  ] as const) {
    const cached = (page: number) =>
      contender(bench, `page ${page}`, service, path(page, filter), { headers: { authorization } });
    comparisons.push(
      await compare(
        `page ${last} of ${projects} projects against page 1, cached${label}`,
        [cached(1), cached(last)],
        { reach: 0.7, rounds },
      ),
    );
    const firsts = [await first(1, filter), await first(last, filter)] as const;
    const ratio = (firsts[0].p50Ms ?? NaN) / (firsts[1].p50Ms ?? NaN);
    comparisons.push({
      work: `page ${last} of ${projects} projects against page 1, first reading after a change${label}`,
      figures: [figure('page 1', [firsts[0]]), figure(`page ${last}`, [firsts[1]])],
      verdicts: [atLeast(ratio, 0.7)],
    });
  }
  await service.stop();
  return comparisons;
}
