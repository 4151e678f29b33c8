import type { Pool } from '../platform/database/index.ts';
import type { Principal } from '../access/index.ts';
import {
  SECURITY_HEADERS,
  readyFields,
  type Body,
  type Fields,
  type Ready,
  type ReadyFields,
} from '../platform/http/index.ts';
import { createTurns } from '../platform/queue/index.ts';
import { createCache, createSharing, textBytes } from './cache.ts';
import { compress, type Coding } from './coding.ts';
import { buildDetail } from './details.ts';
import type { StocklistRequest } from './filters.ts';
import { createPageBuilder, type Built } from './pages.ts';
import { findStockClock } from '../accounts/index.ts';

const MAX_BYTES = 64 * 1024 * 1024;

/**
 * How many answers are built at once, and how many of them may be one account's. Kept ones need no turn. Where each waits
 * for a lock until PostgreSQL gives up, those behind it are told so, too, and not one after the other.
 */
const LANES = { lanes: 3, lanesOfAccount: 1, rests: 'always', patienceMs: 10_000 } as const;

/** An answer as it is sent, in one coding: nothing is left to be done for the next who wants it. */
export interface Answer {
  key: string;
  etag: string;
  /** Its body is in pieces, of which some are other answers' as well, until it is wanted again: see `inOne`. */
  whole: Ready & { body: Body };
  /** For a client that has it already. */
  notModified: Ready;
}

/** What is kept is given at once, without the turns of the event loop that a promise takes. */
type Soon<T> = T | Promise<T>;

/** How often an answer was kept, how often it had to be built, and what those that are kept take. */
export interface AnswerCounts {
  hits: number;
  misses: number;
  readonly bytes: number;
}

export interface Answers {
  counts: AnswerCounts;
  stocklist(principal: Principal, request: StocklistRequest): Soon<Answer>;
  /** Null when the account has no live project with this slug. */
  project(principal: Principal, slug: string): Soon<Answer | null>;
  /** The same answer in another coding, when that is kept. */
  keptAs(answer: Answer, coding: Coding): Answer | undefined;
  /** The same answer in another coding. */
  coded(principal: Principal, answer: Answer, coding: Coding): Soon<Answer>;
}

/**
 * Answers are cached under the stock clock that was read with them, and looked up under the clock that `findStockClock`
 * gives, which is at most 250 ms old.
 */
export function createAnswers(db: Pool, mediaBaseUrl: string): Answers {
  const answers = createCache<Answer>(MAX_BYTES, ({ whole }) => memoryOf(whole.body));
  const shareAnswer = createSharing<Answer>();
  const shareProject = createSharing<Answer | null>();
  const buildPage = createPageBuilder(db, mediaBaseUrl);
  const counts: AnswerCounts = {
    hits: 0,
    misses: 0,
    get bytes() {
      return answers.bytes;
    },
  };

  const find = (key: string): Answer | undefined => {
    const found = answers.get(key);
    counts[found === undefined ? 'misses' : 'hits'] += 1;
    if (found !== undefined) inOne(found);
    return found;
  };
  const takeTurn = createTurns(LANES);

  const keep = (answer: Answer): Answer => {
    answers.set(answer.key, answer);
    return answer;
  };

  const stocklist: Answers['stocklist'] = async ({ accountId }, request) => {
    const stockClockMs = await findStockClock(db, accountId);
    const { page, limit, filters } = request;
    const what = `stocklist ${JSON.stringify([page, limit, Object.values(filters)])}`;
    const key = keyOf(accountId, stockClockMs, what);
    const build = async (): Promise<Answer> => {
      const built = await buildPage(accountId, stockClockMs, request);
      const revision = { 'stocklist-revision': built.clockMs.toString(36) };
      return keep(toAnswer(keyOf(accountId, built.clockMs, what), built, revision));
    };
    return find(key) ?? shareAnswer(key, () => takeTurn(accountId, build));
  };

  const project: Answers['project'] = async ({ accountId }, slug) => {
    const stockClockMs = await findStockClock(db, accountId);
    const what = `project ${slug}`;
    const key = keyOf(accountId, stockClockMs, what);
    const build = async (): Promise<Answer | null> => {
      const built = await buildDetail(db, mediaBaseUrl, accountId, slug);
      return built && keep(toAnswer(keyOf(accountId, built.clockMs, what), built));
    };
    return find(key) ?? shareProject(key, () => takeTurn(accountId, build));
  };

  const keptAs: Answers['keptAs'] = (answer, coding) =>
    coding === 'identity' ? answer : answers.get(codedKey(answer, coding));

  const coded: Answers['coded'] = ({ accountId }, answer, coding) => {
    const kept = keptAs(answer, coding);
    if (kept !== undefined || coding === 'identity') return kept ?? answer;
    const key = codedKey(answer, coding);
    const build = async (): Promise<Answer> =>
      keep(toCoded(key, answer, coding, await compress(inOne(answer), coding)));
    return shareAnswer(key, () => takeTurn(accountId, build));
  };

  return { counts, stocklist, project, keptAs, coded };
}

function keyOf(accountId: string, clockMs: number, what: string): string {
  return `${accountId} ${clockMs} ${what}`;
}

function codedKey({ key }: Answer, coding: Coding): string {
  return `${coding} ${key}`;
}

function toAnswer(key: string, { body, etag }: Built, more: Fields = {}): Answer {
  const validators = readyFields({
    etag,
    'cache-control': 'private, no-cache',
    vary: 'accept-encoding, origin',
    ...more,
  });
  const notModified: Ready = { status: 304, fields: validators };
  return { key, etag, whole: wholeOf(body, validators), notModified };
}

function toCoded(key: string, { etag, notModified }: Answer, coding: Coding, coded: Buffer) {
  const whole = wholeOf([coded], notModified.fields, { 'content-encoding': coding });
  return { key, etag, whole, notModified };
}

function wholeOf(body: Body, validators: ReadyFields, more: Fields = {}): Answer['whole'] {
  const fields = readyFields({
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(lengthOf(body)),
    ...more,
    ...SECURITY_HEADERS,
  });
  return { status: 200, fields: [...fields, ...validators], body };
}

/**
 * The bytes of an answer that is wanted again. The first time it is sent as it was put together: a copy of a page for each
 * change made V8 collect all of its memory after every forty, a third of the main thread's time.
 */
export function inOne({ whole }: Answer): Buffer {
  const [first] = whole.body;
  if (first instanceof Buffer && whole.body.length === 1) return first;
  const bytes = Buffer.concat(
    whole.body.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)),
  );
  whole.body = [bytes];
  return bytes;
}

function lengthOf(body: Body): number {
  return body.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
}

function memoryOf(body: Body): number {
  return body.reduce(
    (sum, piece) => sum + (typeof piece === 'string' ? textBytes(piece) : piece.length),
    0,
  );
}
