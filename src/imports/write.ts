import sql from 'sql-template-tag';
import { changesOf, taggedById, type WritableChanges } from '../contacts/index.ts';
import type { Statement } from '../platform/database/index.ts';
import type { ImportRecord } from './log/record.ts';
import { recordsInsert } from './log/store.ts';

/** The statement that writes what imports change, and their records in the log. */
export function importStatement(
  accountId: string,
  changes: WritableChanges,
  records: ImportRecord[],
): Statement {
  const parts = changesOf(accountId, changes, taggedById(changes));
  return { name: 'import_write', sql: sql`with ${parts} ${recordsInsert(accountId, records)}` };
}
