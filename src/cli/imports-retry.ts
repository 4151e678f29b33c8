import {
  retryImports,
  type Retried,
  openNow,
  recordIdsFind,
  type Selection,
} from '../imports/index.ts';
import type { Pool } from '../platform/database/index.ts';
import { Problem, problemDetails } from '../platform/http/index.ts';
import { isUuid } from '../platform/text/index.ts';
import { findAccount } from './account.ts';
import { UsageError, type Command } from './command.ts';
import { withDatabase } from './database.ts';
import { noImports, printArray } from './imports-text.ts';
import { count, print, say } from './output.ts';

export const importsRetry: Command = {
  usage: 'imports retry ACCOUNT [ID...] [--refused] [--json]',
  summary: 'Imports refused ones of the log again, once what refused them is fixed.',
  options: {
    refused: {
      type: 'boolean',
      help: 'Instead of IDs: all that were refused, and not settled since.',
    },
    json: { type: 'boolean', help: 'Prints one JSON array.' },
  },
  async run({ words: [slug = '', ...ids], flags, config }) {
    const isNamed = ids.length > 0;
    if (isNamed === (flags['refused'] === true))
      throw new UsageError('name the imports by their IDs, or all that are open with --refused');
    await withDatabase(config, async ({ lookups: db }) => {
      const accountId = await findAccount(db, slug);
      const selection = await (isNamed ? named(db, accountId, slug, ids) : openNow(db, accountId));
      const pages = retryImports(db, accountId, selection);
      await (flags['json'] ? printArray(asJson(pages)) : printLines(pages, slug));
    });
  },
};

async function named(db: Pool, accountId: string, slug: string, ids: string[]): Promise<Selection> {
  // As PostgreSQL prints a UUID.
  const wanted = ids.map((id) => id.toLowerCase());
  const known = await recordIdsFind(db, accountId, wanted.filter(isUuid));
  const unknown = wanted.filter((id) => !known.has(id));
  if (unknown.length > 0) throw noImports(slug, unknown);
  return { ids: wanted };
}

async function* asJson(pages: AsyncIterable<Retried[]>): AsyncGenerator<object[]> {
  for await (const page of pages) yield page.map(toJson);
}

function toJson(retried: Retried): object {
  const { id } = retried.record;
  const { outcome } = retried;
  if (outcome === null) return { id, outcome: 'skipped', reason: whySkipped(retried) };
  return outcome instanceof Problem
    ? { id, outcome: 'refused', problem: problemDetails(outcome) }
    : { id, outcome: outcome.action, result: outcome };
}

async function printLines(pages: AsyncIterable<Retried[]>, slug: string): Promise<void> {
  const counts = { settled: 0, refused: 0, skipped: 0 };
  for await (const page of pages) {
    for (const { outcome } of page)
      if (outcome === null) counts.skipped += 1;
      else counts[outcome instanceof Problem ? 'refused' : 'settled'] += 1;
    await print(page.map(lineOf).join(''));
  }
  const { settled, refused, skipped } = counts;
  if (settled + refused + skipped === 0)
    return say(`No import of account "${slug}" is refused and open.`);
  const rest = skipped === 0 ? '' : ` ${count(skipped)} skipped.`;
  await print(
    `${count(settled + refused)} put through: ${count(settled)} settled, ${count(refused)} refused again.${rest}\n`,
  );
}

function lineOf(retried: Retried): string {
  const { record, outcome } = retried;
  if (outcome === null) return `${record.id}  skipped  ${whySkipped(retried)}\n`;
  return outcome instanceof Problem
    ? `${record.id}  refused  ${outcome.code}: ${outcome.message}\n`
    : `${record.id}  ${outcome.action.padEnd(7)}  contact ${outcome.contactId}\n`;
}

function whySkipped({ record: { outcome, settledAt } }: Retried): string {
  if (outcome !== 'refused') return `it was not refused`;
  if (settledAt !== null) return `it was settled on ${settledAt.toISOString()}`;
  return 'it is a whole batch, not a single import: its sender can send it again in smaller ones';
}
