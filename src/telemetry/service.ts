import type { Pool } from '../database/pool.ts';
import { counter, gauge, type Family } from './exposition.ts';

/** What the service knows of itself at any time. */
interface Service {
  /** Of the answers to reads. */
  kept: { hits: number; misses: number; bytes: number };
  pendingImports: number;
}

export function serviceFamilies({ kept, pendingImports }: Service): Family[] {
  return [
    counter('offplan_answers_total', 'Answers to reads that were kept (hit) or built (miss).', [
      { labels: { cache: 'hit' }, value: kept.hits },
      { labels: { cache: 'miss' }, value: kept.misses },
    ]),
    gauge('offplan_answers_bytes', 'What the answers that are kept take.', one(kept.bytes)),
    gauge(
      'offplan_import_requests_pending',
      'Requests whose imports wait for their transaction, or are in it.',
      one(pendingImports),
    ),
  ];
}

export function poolFamilies({ totalCount, idleCount, waitingCount }: Pool): Family[] {
  return [
    gauge('offplan_database_connections', 'Connections to PostgreSQL.', [
      { labels: { state: 'idle' }, value: idleCount },
      { labels: { state: 'busy' }, value: totalCount - idleCount },
    ]),
    gauge(
      'offplan_database_waiting',
      'Work that waits for a connection to PostgreSQL.',
      one(waitingCount),
    ),
  ];
}

function one(value: number): Family['samples'] {
  return [{ labels: {}, value }];
}
