import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { accountFile } from './support/accounts.ts';
import { assertConforms } from './support/document.ts';
import { build } from './support/harness.ts';
import { assertProblem } from './support/problem.ts';

const service = await build({ after });

const id = (n: number): string => `0196a000-0000-7000-8000-${String(n).padStart(12, '0')}`;

interface ProjectFile {
  id: string;
  slug: string;
  publication?: string;
  name?: string;
  units?: object[];
}

/** A developer whose projects change, and a website that reads their stock. */
async function websiteOf(...projects: ProjectFile[]) {
  const slug = `site-${randomBytes(6).toString('hex')}`;
  const file = accountFile(slug);
  const [like] = file.projects;
  const write = (...changed: ProjectFile[]) =>
    service.load({
      ...file,
      projects: changed.map((each) => ({ ...like, units: [], ...each })),
    });
  await write(...projects);
  const key = await service.key(slug, 'read');
  const ask = (path: string) => service.send({ url: `/api/v1${path}`, key });
  async function read(path: string) {
    const answer = await ask(path);
    assert.equal(answer.status, 200, answer.text);
    const name = path.startsWith('/stocklist') ? 'StocklistResponse' : 'ProjectResponse';
    assertConforms(name, answer.body);
    return answer;
  }
  return { write, ask, read };
}

const many = (count: number): ProjectFile[] =>
  Array.from({ length: count }, (_, at) => ({ id: id(at + 1), slug: `p${at + 1}` }));

const PRICED = [
  { name: '1', status: 'Available', price: 700_000 },
  { name: '2', status: 'Available', price: 650_000.5 },
  { name: '3', status: 'Available' },
  { name: '4', status: 'Settled', price: 1 },
  { name: '5', status: 'Withdrawn', price: 2 },
];

describe('include=priceRange', () => {
  test('adds the prices of the available units to each project of the stocklist', async () => {
    const { read } = await websiteOf(
      { id: id(1), slug: 'p1', units: PRICED },
      { id: id(2), slug: 'p2', units: [{ name: '1', status: 'Settled', price: 5 }] },
    );
    const { body: plain, text } = await read('/stocklist');
    const { body } = await read('/stocklist?include=priceRange');
    const ranges = Object.fromEntries(
      body.projects.map((each: Record<string, unknown>) => [
        each['slug'],
        [each['priceFrom'], each['priceTo']],
      ]),
    );
    assert.deepEqual(ranges, { p1: [650_000.5, 700_000], p2: [null, null] });
    for (const [at, project] of body.projects.entries()) {
      const { priceFrom: _from, priceTo: _to, ...rest } = project;
      assert.deepEqual(rest, plain.projects[at]);
    }
    assert.equal((await read('/stocklist')).text, text);
  });

  test("adds them beside a project on the project's own page", async () => {
    const { read } = await websiteOf({ id: id(1), slug: 'p1', units: PRICED });
    const { body: plain } = await read('/projects/p1');
    const { body } = await read('/projects/p1?include=priceRange,summary');
    const { summary, priceRange, ...rest } = body;
    assert.deepEqual(rest, plain);
    assert.deepEqual(priceRange, { priceFrom: 650_000.5, priceTo: 700_000 });
    const { projects } = (await read('/stocklist')).body;
    const { latitude, longitude, updatedAt, unitCount, availableUnitCount } = projects[0];
    assert.deepEqual(summary, { latitude, longitude, updatedAt, unitCount, availableUnitCount });
    assert.deepEqual([unitCount, availableUnitCount], [4, 3]);
    assert.deepEqual(Object.keys((await read('/projects/p1?include=summary')).body), [
      'organization',
      'project',
      'summary',
    ]);
  });
});

test('include=totalCount adds how many projects match the filters', async () => {
  const { read } = await websiteOf(...many(5), {
    id: id(9),
    slug: 'p9',
    publication: 'draft',
  });
  const { body } = await read('/stocklist?include=totalCount&limit=2&page=2');
  assert.deepEqual(body.pagination, {
    page: 2,
    limit: 2,
    hasNextPage: true,
    hasPreviousPage: true,
    totalCount: 5,
  });
  const { pagination } = (await read('/stocklist?include=totalCount&city=nowhere')).body;
  assert.equal(pagination.totalCount, 0);
});

describe('include=removed', () => {
  test('names the projects that were live, with their slugs, and not those that never were', async () => {
    const { write, read } = await websiteOf(...many(4), {
      id: id(9),
      slug: 'p9',
      publication: 'draft',
    });
    const { projects } = (await read('/stocklist')).body;
    const since = projects[0].updatedAt;
    const removed = async () =>
      (await read(`/stocklist?include=removed&updated_since=${since}`)).body.removed.map(
        ({ slug }: ProjectFile) => slug,
      );
    assert.deepEqual(await removed(), []);
    await write(
      { id: id(1), slug: 'renamed', publication: 'draft' },
      { id: id(2), slug: 'p2', publication: 'archived' },
      { id: id(3), slug: 'p3' },
      { id: id(4), slug: 'p4', name: 'Other' },
      { id: id(9), slug: 'p9', publication: 'archived' },
    );
    assert.deepEqual((await removed()).toSorted(), ['p1', 'p2']);
    const { body } = await read(`/stocklist?include=removed&updated_since=${since}`);
    assert.deepEqual(
      body.projects.map(({ slug }: ProjectFile) => slug),
      ['p4'],
    );
    const lastAt = body.removed.at(-1).removedAt;
    const { body: later } = await read(`/stocklist?include=removed&updated_since=${lastAt}`);
    assert.deepEqual(later.removed, []);
    await write({ id: id(2), slug: 'p2' });
    assert.deepEqual(await removed(), ['p1']);
  });
});

describe('cursor', () => {
  /** Walks to the end. `between` runs before each page but the first. */
  async function walk(
    { read }: Awaited<ReturnType<typeof websiteOf>>,
    query: string,
    between: (page: number) => Promise<unknown> = async () => undefined,
  ): Promise<string[]> {
    const found: string[] = [];
    let path: string | undefined = `/stocklist?cursor=start${query}`;
    for (let page = 1; path !== undefined; page += 1) {
      if (page > 1) await between(page);
      const { body, headers } = await read(path);
      assert.equal(body.pagination.page, 1);
      found.push(...body.projects.map(({ slug }: ProjectFile) => slug));
      const [, next] =
        /^<https?:\/\/[^/]+\/api\/v1([^>]+)>; rel="next"$/.exec(String(headers['link'])) ?? [];
      assert.equal(next !== undefined, body.pagination.hasNextPage);
      path = next;
    }
    return found;
  }

  test('walks through all projects from the oldest change, each once', async () => {
    const website = await websiteOf(...many(7));
    const { projects } = (await website.read('/stocklist')).body;
    const expected = projects.map(({ slug }: ProjectFile) => slug).toReversed();
    assert.deepEqual(await walk(website, '&limit=3'), expected);
    assert.deepEqual(await walk(website, '&limit=7&include=totalCount'), expected);
    assert.deepEqual(await walk(website, '&city=wellington&limit=2'), expected);
    assert.deepEqual(
      await walk(website, `&limit=2&updated_since=${projects[2].updatedAt}`),
      expected.slice(-2),
    );
  });

  test('misses no project while others change, are added and go', async () => {
    const website = await websiteOf(...many(6));
    const found = await walk(website, '&limit=2', async (page) => {
      if (page === 2)
        await website.write(
          { id: id(1), slug: 'p1', name: 'Changed' },
          { id: id(2), slug: 'p2', publication: 'archived' },
          { id: id(7), slug: 'p7' },
        );
    });
    assert.deepEqual(found.toSorted(), ['p1', 'p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7']);
  });

  test('is refused with other filters, with a page, or when it is none', async () => {
    const { read, ask } = await websiteOf(...many(3));
    const { headers } = await read('/stocklist?cursor=start&limit=1');
    const cursor = /cursor=([^&>]+)/.exec(String(headers['link']))?.[1];
    assert.equal((await ask(`/stocklist?cursor=${cursor}&limit=50`)).status, 200);
    for (const query of [`cursor=${cursor}&city=x`, 'cursor=x', 'cursor=START'])
      assertProblem(await ask(`/stocklist?${query}`), 'cursor_invalid', '/api/v1/stocklist');
    const answer = await ask('/stocklist?cursor=start&page=2');
    assertProblem(answer, 'invalid_request', '/api/v1/stocklist');
    assert.equal((await read('/stocklist')).headers['link'], undefined);
  });
});

test('an unknown name in include is refused, and an empty include counts as not supplied', async () => {
  const { ask, read } = await websiteOf(...many(1));
  for (const path of [
    '/stocklist?include=units',
    '/stocklist?include=priceRange,',
    '/stocklist?include=summary',
    '/stocklist?include=removed',
    '/projects/p1?include=totalCount',
    '/projects/p1?include=summary&include=priceRange',
  ]) {
    const { errors } = assertProblem(
      await ask(path),
      'invalid_request',
      `/api/v1${path.split('?')[0]}`,
    );
    assert.deepEqual(
      errors?.map((fault) => 'parameter' in fault && fault.parameter),
      ['include'],
    );
  }
  assert.equal((await read('/stocklist?include=')).text, (await read('/stocklist')).text);
});
