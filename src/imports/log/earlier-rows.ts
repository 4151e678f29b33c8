import sql from 'sql-template-tag';
import { query, type Queryable } from '../../platform/database/index.ts';
import { toEmailKey } from '../../platform/text/index.ts';
import type { Row } from '../files/rows/read-rows.ts';
import { parsePayload } from './retry.ts';
import type { FileShape } from '../files/rows/file-shape.ts';

/** Finds, for each row of a file, the records of earlier runs that the row replaces. */
export type EarlierRowFinder = (rows: Row[]) => Promise<string[][]>;

/**
 * Creates the finder of open records that rows replace. When the file is a report of refused rows, a row can replace the records
 * of the line that `offplan_line` names; otherwise those of the same line in an earlier file with the same name. It replaces the
 * records that have the same email, or the same values apart from the email.
 */
export async function createEarlierRowFinder(
  db: Queryable,
  accountId: string,
  fileName: string,
): Promise<EarlierRowFinder> {
  const openRows = await findOpenRows(db, accountId);
  const rowsOfLine = Map.groupBy(openRows, ({ position }) => position);

  function findCandidates({ line, reportedLine }: Row): OpenRow[] {
    const ofFile = rowsOfLine.get(line)?.filter((each) => each.fileName === fileName) ?? [];
    const ofReport = reportedLine === undefined ? [] : (rowsOfLine.get(reportedLine) ?? []);
    return [...ofFile, ...ofReport];
  }

  return async (rows) => {
    const candidates = rows.map(findCandidates);
    const ids = candidates.flat().map(({ id }) => id);
    const records = ids.length === 0 ? [] : await readRows(db, accountId, ids);
    const valueOf = new Map(
      records.map(({ id, payload, file }) => [id, parsePayload(payload, file).value]),
    );
    return rows.map((row, index) => {
      const same = (candidates[index] ?? []).filter(({ id }) =>
        isSameRow(valueOf.get(id), row.value),
      );
      return same.map(({ id }) => id);
    });
  };
}

interface OpenRow {
  id: string;
  position: number;
  fileName: string;
}

function findOpenRows(db: Queryable, accountId: string): Promise<OpenRow[]> {
  return query<OpenRow>(
    db,
    'import_open_rows_find',
    sql`select id, position, file ->> 'name' as "fileName" from imports
      where account_id = ${accountId} and outcome = 'refused' and settled_at is null and channel = 'file'`,
  );
}

function readRows(db: Queryable, accountId: string, ids: string[]) {
  return query<{ id: string; payload: string; file: FileShape }>(
    db,
    'import_rows_read',
    sql`select id, payload, file from imports
      where account_id = ${accountId} and id = any(${ids}::uuid[]) and payload is not null`,
  );
}

function isSameRow(before: unknown, after: unknown): boolean {
  const [earlier, later] = [splitValue(before), splitValue(after)];
  if (earlier.email !== '' && earlier.email === later.email) return true;
  return later.others !== '{}' && later.others === earlier.others;
}

function splitValue(value: unknown): { email: string; others: string } {
  const { email, ...fields } = { ...(value as Record<string, unknown> | null) };
  const others = Object.entries(fields).filter(([name]) => !name.startsWith('offplan_'));
  return {
    email: typeof email === 'string' ? toEmailKey(email) : '',
    others: JSON.stringify(Object.fromEntries(others)),
  };
}
