import { isUnavailable, type Pool } from '../../platform/database/index.ts';
import { Problem } from '../../platform/http/index.ts';
import { importAll } from '../service.ts';
import type { Lead } from '../lead.ts';
import { readImport } from '../request.ts';
import type { Import, Outcome } from '../submission.ts';
import { recordPages, type ListedRecord, type Selection } from './read.ts';
import { valueOf } from './value.ts';

/** What became of a record; null: it was left alone, as it is settled, was accepted, or is no one import. */
export interface Retried {
  record: ListedRecord;
  outcome: Outcome | null;
}

/**
 * Puts refused imports of the log through again in its order, each alone, and gives what became of them. Throws
 * when the database cannot be used, after it gave those before that.
 */
export async function* retryImports(
  db: Pool,
  accountId: string,
  selection: Selection,
): AsyncGenerator<Retried[]> {
  for await (const page of recordPages(db, accountId, selection)) {
    const submissions = page.flatMap(importOf).map((each) => ({ imports: [each] }));
    const results = submissions.length === 0 ? [] : await importAll(db, accountId, submissions);
    const failed = results.findIndex((result) => result instanceof Error && isUnavailable(result));
    const outcomes = results.slice(0, failed === -1 ? undefined : failed).map(outcomeOf);
    yield retriedOf(page, outcomes);
    if (failed !== -1) throw results[failed];
  }
}

function retriedOf(page: ListedRecord[], outcomes: Outcome[]): Retried[] {
  const next = outcomes.values();
  const retried: Retried[] = [];
  for (const record of page) {
    const outcome = record.payload === null ? null : next.next().value;
    if (outcome === undefined) break;
    retried.push({ record, outcome });
  }
  return retried;
}

function outcomeOf(result: Outcome[] | Error): Outcome {
  if (!(result instanceof Error) && result[0] !== undefined) return result[0];
  const detail = 'It could not be stored, for a reason that is ours.';
  return new Problem('internal_error', detail, { cause: result });
}

/** The import that a record asks for once more: under its own id, so that it is settled when it is accepted. */
function importOf(record: ListedRecord): Import[] {
  const { id, channel, apiKeyId, requestId, position, file, payload } = record;
  if (payload === null) return [];
  const origin = { channel, apiKeyId, requestId, position, file };
  return [{ id, receivedAt: new Date(), origin, payload, lead: readAgain(payload, record) }];
}

function readAgain(payload: string, { channel, file, result }: ListedRecord): Lead | Problem {
  const refusal = 'code' in result ? result : undefined;
  const errors = refusal?.errors ?? [];
  const isTorn = errors.some((fault) => 'pointer' in fault && fault.pointer === '');
  // A row that does not fit its header, or that held U+0000, would read as something else than was sent.
  const isLost = isTorn || (refusal?.code === 'invalid_request' && payload.includes('\uFFFD'));
  if (refusal !== undefined && channel === 'file' && isLost)
    return new Problem(refusal.code, refusal.detail, { errors });
  return readImport(valueOf(payload, file));
}
