import { LRUCache } from 'lru-cache';
import { findStockClock } from '../accounts/index.ts';
import type { Pool } from '../platform/database/index.ts';
import { SECURITY_HEADERS } from '../platform/http/index.ts';
import { createFairQueue } from '../platform/queue/index.ts';
import { isStorable } from '../platform/text/index.ts';
import { compress, type Coding } from './coding.ts';
import { etagOf } from './etag.ts';
import type { StocklistRequest } from './filters.ts';
import { createPageBuilder, type Built } from './pages.ts';
import { presentOrganization, presentProject } from './present.ts';
import { findProject } from './store.ts';

const ANSWERS_MAX_BYTES = 64 * 1024 * 1024;
/** An answer takes this beside its body: headers, the cache's own columns. */
const ENTRY_BYTES = 1024;

/** How many answers are built at once. A request behind a long queue gets a 503 rather than wait for its client's time-out. */
const BUILDS = { slots: 3, slotsPerAccount: 1, maxWaitMs: 10_000 };

/** The bytes of an answer in one coding, with its headers. */
export interface Answer {
  key: string;
  etag: string;
  /** The headers of the answer, and of the 304 to a client that has it already. */
  headers: Record<string, string>;
  notModifiedHeaders: Record<string, string>;
  body: Buffer;
}

/** How often an answer was in the cache or had to be built, and how many bytes the cache has. */
export interface AnswerCounts {
  hits: number;
  misses: number;
  readonly bytes: number;
}

export interface Answers {
  counts: AnswerCounts;
  findStocklist(accountId: string, request: StocklistRequest): Promise<Answer>;
  /** Undefined when the account has no live project with this slug. */
  findProject(accountId: string, slug: string): Promise<Answer | undefined>;
  /** The same answer in another coding. */
  encode(accountId: string, answer: Answer, coding: Coding): Promise<Answer>;
}

type Build = () => Promise<Answer | undefined>;

/**
 * Builds answers and caches them by account, stock clock and query. Nothing is ever invalidated: after a change the clock has
 * another time, and the old answers are evicted as the least recently used ones.
 */
export function createAnswers(db: Pool, mediaBaseUrl: string): Answers {
  // Requests for the same key at the same time share one build.
  const answers = new LRUCache<string, Answer, Build>({
    maxSize: ANSWERS_MAX_BYTES,
    sizeCalculation: ({ body }, key) => ENTRY_BYTES + body.length + 2 * key.length,
    fetchMethod: (_key, _stale, { context: build }) => build(),
  });
  const runFair = createFairQueue(BUILDS);
  const buildPage = createPageBuilder(db, mediaBaseUrl);
  const counts: AnswerCounts = {
    hits: 0,
    misses: 0,
    get bytes() {
      return answers.calculatedSize;
    },
  };

  function find(accountId: string, key: string, build: Build): Promise<Answer | undefined> {
    const cached = answers.get(key);
    counts[cached === undefined ? 'misses' : 'hits'] += 1;
    if (cached !== undefined) return Promise.resolve(cached);
    return answers.fetch(key, { context: () => runFair(accountId, build) });
  }

  async function buildProject(accountId: string, slug: string): Promise<Built | undefined> {
    const found = isStorable(slug) ? await findProject(db, accountId, slug) : undefined;
    if (found === undefined) return undefined;
    const { clock, organization, ...row } = found;
    const response = {
      organization: presentOrganization(mediaBaseUrl, organization),
      project: presentProject(mediaBaseUrl, row),
    };
    return { clockMs: clock.getTime(), body: Buffer.from(JSON.stringify(response)) };
  }

  return {
    counts,

    async findStocklist(accountId, request) {
      const { page, limit, filters } = request;
      const clockMs = await findStockClock(db, accountId);
      const query = JSON.stringify([page, limit, Object.values(filters)]);
      const key = `${accountId} ${clockMs} stocklist ${query}`;
      const answer = await find(accountId, key, async () => {
        const built = await buildPage(accountId, request);
        return toAnswer(key, built, { 'stocklist-revision': built.clockMs.toString(36) });
      });
      if (answer === undefined) throw new Error('a page of the stocklist was not built');
      return answer;
    },

    async findProject(accountId, slug) {
      const clockMs = await findStockClock(db, accountId);
      const key = `${accountId} ${clockMs} project ${slug}`;
      return find(accountId, key, async () => {
        const built = await buildProject(accountId, slug);
        return built && toAnswer(key, built);
      });
    },

    async encode(accountId, answer, coding) {
      if (coding === 'identity') return answer;
      const key = `${coding} ${answer.key}`;
      const build = async (): Promise<Answer> => {
        const body = await compress(answer.body, coding);
        return withBody({ ...answer, key }, body, { 'content-encoding': coding });
      };
      const context = () => runFair(accountId, build);
      return answers.get(key) ?? (await answers.fetch(key, { context })) ?? build();
    },
  };
}

function toAnswer(key: string, { body }: Built, more: Record<string, string> = {}): Answer {
  const etag = etagOf(body);
  const notModifiedHeaders = {
    etag,
    'cache-control': 'private, no-cache',
    vary: 'accept-encoding, origin',
    ...more,
  };
  return withBody({ key, etag, notModifiedHeaders }, body);
}

function withBody(
  answer: Omit<Answer, 'headers' | 'body'>,
  body: Buffer,
  more: Record<string, string> = {},
): Answer {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(body.length),
    ...more,
    ...SECURITY_HEADERS,
    ...answer.notModifiedHeaders,
  };
  return { ...answer, headers, body };
}
