import type { Pool } from '../database/index.ts';
import { counter, gauge, type Family } from './exposition.ts';

/** Of the answers to reads. */
interface Kept {
  hits: number;
  misses: number;
  bytes: number;
}

export function answerFamilies({ hits, misses, bytes }: Kept): Family[] {
  return [
    counter('offplan_answers_total', 'Answers to reads that were kept (hit) or built (miss).', [
      { labels: { cache: 'hit' }, value: hits },
      { labels: { cache: 'miss' }, value: misses },
    ]),
    gauge('offplan_answers_bytes', 'What the answers that are kept take.', one(bytes)),
  ];
}

export function pendingFamilies(requests: number): Family[] {
  const help = 'Requests whose imports wait for their transaction, or are in it.';
  return [gauge('offplan_import_requests_pending', help, one(requests))];
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
