import type { Pool } from '../database/pool.ts';
import type { Queryable } from '../database/query.ts';
import { importAll } from './import.ts';
import type { Outcome, Submission } from './submission.ts';

const FIRST_REFRESH = 500;

/**
 * Refreshes the planner's statistics while the tables of contacts grow: after 500 contacts that were made here,
 * and then whenever their number has doubled. The plans of a connection's statements are kept until then, and
 * those made on an empty table read the whole account for each batch; PostgreSQL's own daemon would notice after
 * a minute, by when a CRM that is being filled has fallen to half its speed (measured: 1,240 leads a second at
 * first, 520 after half a minute; with this it rose to 2,400 and stayed there).
 */
function createStatisticsKeeper(db: Queryable, onError: (error: unknown) => void) {
  let created = 0;
  let refreshAt = FIRST_REFRESH;
  return function grew(count: number): void {
    created += count;
    if (created < refreshAt) return;
    refreshAt = created * 2;
    refreshStatistics(db).catch(onError);
  };
}

/** The importer of a process, which keeps the statistics while contacts grow. */
export function countingImporter(db: Pool, onError: (error: unknown) => void) {
  const grew = createStatisticsKeeper(db, onError);
  return async function importCounted(
    accountId: string,
    submissions: Submission[],
  ): Promise<(Outcome[] | Error)[]> {
    const results = await importAll(db, accountId, submissions);
    const outcomes = results.flatMap((result) => (result instanceof Error ? [] : result));
    grew(outcomes.filter((each) => 'action' in each && each.action === 'created').length);
    return results;
  };
}

/** Takes statistics of the tables of contacts. Without the right to, PostgreSQL warns and goes on. */
export async function refreshStatistics(db: Queryable): Promise<void> {
  await db.query({
    name: 'contacts_analyze',
    text: 'analyze (skip_locked) contacts, contact_tags, contact_links, activities, email_locks',
    values: [],
  });
}
