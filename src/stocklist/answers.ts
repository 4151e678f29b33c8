import { LRUCache } from 'lru-cache';
import { findStockClockMs, clearStockClockCache } from '../accounts/index.ts';
import type { Pool } from '../platform/database/index.ts';
import {
  compress,
  makeEtag,
  SECURITY_HEADERS,
  whenReady,
  type Coding,
} from '../platform/http/index.ts';
import { createFairQueue } from '../platform/queue/index.ts';
import type { ImageBases } from '../platform/text/index.ts';
import { buildDetail } from './details.ts';
import { createPageBuilder, type Snapshot } from './pages.ts';
import type { ProjectInclude } from './includes.ts';
import { ownBytes } from './own-bytes.ts';
import type { StocklistRequest } from './rules.ts';

const CACHE_MAX_BYTES = 64 * 1024 * 1024;
/** The approximate bytes of a cache entry without its body and its key. */
const ENTRY_BYTES = 1024;

/** The limits of concurrent builds. A request that has waited 10 s gets a 503, before the client's own time-out. */
const BUILD_LIMITS = { slots: 3, slotsPerAccount: 1, maxWaitMs: 10_000 };

/** The bytes of an answer in one coding, with its headers. */
export interface Answer {
  key: string;
  etag: string;
  /** The headers of the answer. A 304 to a client with a current copy has them, too. */
  headers: Record<string, string>;
  notModifiedHeaders: Record<string, string>;
  body: Buffer;
}

/**
 * Builds answers and caches them by account, stock clock and query. It never invalidates an entry: a change
 * moves the clock, and the cache evicts the old answers as the least recently used ones.
 */
export function createAnswers(db: Pool, imageBases: ImageBases, publicUrl: string) {
  const cache = new LRUCache<string, Answer>({
    maxSize: CACHE_MAX_BYTES,
    sizeCalculation: ({ body }, key) => ENTRY_BYTES + body.length + 2 * key.length,
  });
  const builds = new Map<string, Promise<Answer>>();
  const runFair = createFairQueue(BUILD_LIMITS);
  const buildPage = createPageBuilder(db, imageBases, publicUrl);
  /** The numbers of cache hits and of builds, and the bytes in the cache. */
  const counts = {
    hits: 0,
    misses: 0,
    get bytes() {
      return cache.calculatedSize;
    },
  };

  /**
   * Builds an answer and caches it. Requests for the same key share one build. The cache's own `fetch` cannot do
   * this: it rejects builds that wait for a slot while others fill the cache.
   */
  function shareBuild(
    accountId: string,
    key: string,
    build: () => Promise<Answer>,
  ): Promise<Answer> {
    const underWay = builds.get(key);
    if (underWay !== undefined) return underWay;
    const started = runFair(accountId, async () => {
      const built = await build();
      const answer = { ...built, body: ownBytes(built.body) };
      cache.set(answer.key, answer);
      return answer;
    }).finally(() => builds.delete(key));
    builds.set(key, started);
    return started;
  }

  /** Finds the answer to a query at the current time of the account's stock clock. */
  function find(
    accountId: string,
    query: string,
    build: () => Promise<Snapshot>,
  ): Answer | Promise<Answer> {
    return whenReady(findStockClockMs(db, accountId), (clockMs) => {
      const keyAt = (timeMs: number) => `${accountId} ${timeMs} ${query}`;
      const key = keyAt(clockMs);
      const cached = cache.get(key);
      counts[cached === undefined ? 'misses' : 'hits'] += 1;
      if (cached !== undefined) return cached;
      return shareBuild(accountId, key, async () => {
        const built = await build();
        // Another process has changed the stock. Clear the cached clock, so that the next request does not get an older answer.
        if (built.clockMs !== clockMs) clearStockClockCache(db);
        return toAnswer(keyAt(built.clockMs), built);
      });
    });
  }

  return {
    counts,

    findStocklist(accountId: string, request: StocklistRequest) {
      const { page, limit, filters, include, cursor } = request;
      const parts = [page, limit, Object.values(filters), include, cursor];
      const query = `stocklist ${JSON.stringify(parts)}`;
      return find(accountId, query, () => buildPage(accountId, request));
    },

    /** Throws a Problem when the account has no live project with this slug. */
    findProject(accountId: string, slug: string, include: ProjectInclude[]) {
      const query = `project ${include.join(',')} ${slug}`;
      return find(accountId, query, () =>
        buildDetail(db, imageBases, { accountId, slug, include }),
      );
    },

    /** Finds the same answer in another coding. */
    encode(accountId: string, answer: Answer, coding: Coding): Answer | Promise<Answer> {
      if (coding === 'identity') return answer;
      const key = `${coding} ${answer.key}`;
      const build = async (): Promise<Answer> => {
        const body = await compress(answer.body, coding);
        const changed = { 'content-encoding': coding, 'content-length': String(body.length) };
        return { ...answer, key, body, headers: { ...answer.headers, ...changed } };
      };
      return cache.get(key) ?? shareBuild(accountId, key, build);
    },
  };
}

function toAnswer(key: string, { body, headers: more }: Snapshot): Answer {
  const etag = makeEtag(body);
  const notModifiedHeaders = {
    etag,
    'cache-control': 'private, no-cache',
    vary: 'accept-encoding, origin',
    ...more,
  };
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(body.length),
    ...SECURITY_HEADERS,
    ...notModifiedHeaders,
  };
  return { key, etag, headers, notModifiedHeaders, body };
}
