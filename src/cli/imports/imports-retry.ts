import { InvalidArgumentError } from 'commander';
import { SYSTEM } from '../../events/index.ts';
import {
  retryImports,
  type Retried,
  readRecordPages,
  type Selection,
} from '../../imports/index.ts';
import type { Pool } from '../../platform/database/index.ts';
import { Problem, problemDetails } from '../../platform/http/index.ts';
import { formatCount, isUuid } from '../../platform/text/index.ts';
import { withAccount } from '../database.ts';
import { printJsonPages, printLines, say } from '../output.ts';
import { createNoImportError, hasLostPayload } from './describe-import.ts';

interface RetryOptions {
  open?: boolean;
  json?: true;
}

export async function retryRefused(
  slug: string,
  ids: string[],
  { open = false, json }: RetryOptions,
): Promise<void> {
  const hasIds = ids.length > 0;
  if (hasIds === open)
    throw new InvalidArgumentError(
      'name the imports by their IDs, or all that are open with --open',
    );
  await withAccount(
    slug,
    async ({ lookups: db }, accountId) => {
      const selection = hasIds ? await selectByIds(db, accountId, slug, ids) : { open: true };
      const pages = retryImports(db, accountId, selection, SYSTEM);
      await (json ? printJsonPages(toJsonPages(pages)) : printRetried(pages, slug));
    },
    {
      describeStop: () =>
        `Stopped; imports that are not printed may be retried, too. offplan imports list ${slug} --open shows those that are still open.`,
    },
  );
}

async function selectByIds(
  db: Pool,
  accountId: string,
  slug: string,
  ids: string[],
): Promise<Selection> {
  // PostgreSQL returns UUIDs in lower case.
  const lowerCaseIds = ids.map((id) => id.toLowerCase());
  const knownIds = new Set<string>();
  for await (const page of readRecordPages(db, accountId, { ids: lowerCaseIds.filter(isUuid) }))
    for (const { id } of page) knownIds.add(id);
  const unknownIds = lowerCaseIds.filter((id) => !knownIds.has(id));
  if (unknownIds.length > 0) throw createNoImportError(slug, unknownIds);
  return { ids: lowerCaseIds };
}

async function* toJsonPages(pages: AsyncIterable<Retried[]>): AsyncGenerator<object[]> {
  for await (const page of pages) yield page.map(toJson);
}

function toJson(retried: Retried): object {
  const { outcome, record } = retried;
  const { id } = record;
  if (outcome === null) return { id, outcome: 'skipped', reason: explainSkip(retried) };
  return outcome instanceof Problem
    ? { id, outcome: 'refused', problem: problemDetails(outcome) }
    : { id, outcome: outcome.action, result: outcome };
}

async function printRetried(pages: AsyncIterable<Retried[]>, slug: string): Promise<void> {
  const counts = { accepted: 0, refused: 0, skipped: 0 };
  for await (const page of pages) {
    for (const { outcome } of page)
      if (outcome === null) counts.skipped += 1;
      else counts[outcome instanceof Problem ? 'refused' : 'accepted'] += 1;
    await printLines(page.map(formatLine));
  }
  const { accepted, refused, skipped } = counts;
  if (accepted + refused + skipped === 0)
    return say(`No import of account "${slug}" is refused and open.`);
  const skips = skipped === 0 ? '' : ` ${formatCount(skipped)} skipped.`;
  await printLines([
    `${formatCount(accepted + refused)} retried: ${formatCount(accepted)} accepted, ${formatCount(refused)} refused again.${skips}`,
  ]);
}

function formatLine(retried: Retried): string {
  const { record, outcome } = retried;
  if (outcome === null) return `${record.id}  skipped  ${explainSkip(retried)}`;
  return outcome instanceof Problem
    ? `${record.id}  refused  ${outcome.code}: ${outcome.message}`
    : `${record.id}  ${outcome.action.padEnd(7)}  contact ${outcome.contactId}`;
}

function explainSkip({ record }: Retried): string {
  const { outcome, settledAt } = record;
  if (outcome !== 'refused') return `it was not refused`;
  if (settledAt !== null) return `it was settled on ${settledAt.toISOString()}`;
  // The record had a payload when it was read: another retry, or a dismissal, came first.
  if (record.payload !== null) return 'it was settled meanwhile';
  if (hasLostPayload(record)) return 'its payload was not kept';
  return 'it is a whole batch, not a single import: its sender can send it again in smaller ones';
}
