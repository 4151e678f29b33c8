import { AsyncLocalStorage } from 'node:async_hooks';
import { mock } from 'node:test';
import pg from 'pg';

/** The statements that tests hold or fail, by what they do. No other file names a statement. */
export const KEY_LOOK_UP = 'api_key_look_up';
export const STOCK_CLOCK_READ = 'account_stock_clock_read';
export const PAGE_LOOK_UP = 'stocklist_page_find';
export const ITEMS_LOOK_UP = 'stocklist_items_find';
export const PROJECT_LOOK_UP = 'project_find_by_slug';
export const SCHEMA_READ = 'schema_history';
export const RECORD_PAGE_READ = 'imports_page';
export const OPEN_RECORD_PAGE_READ = 'imports_page_open';
export const RECORD_SWEEP = 'sweep_imports';
export const IDEMPOTENCY_KEY_SWEEP = 'sweep_idempotency_keys';

/** The beginnings of statements that run at any time after a request: of their names, or of their texts when they have none. */
const LATER = [
  'api_key_mark_used',
  'connection_plan_for_values',
  'select distinct on (account_id) account_id as "accountId", id as "fileId" from contact_files',
];

/** The async context of `work`. Statements of a timer, or of earlier work, run outside it and are not noted. */
const ofWork = new AsyncLocalStorage<object>();

/**
 * Returns the names of the statements that `work` sends to PostgreSQL. It leaves out those that run at some time after a request:
 * one notes the use of a key, one looks for files to import, and one prepares a new connection. It also leaves out those of
 * background work, such as the import of a file.
 */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  return (await noteSent(work)).map(nameOf).filter((name) => !isLater(name));
}

/** Returns the texts of the statements that `work` sends to PostgreSQL. */
export async function textsOf(work: () => Promise<unknown>): Promise<string[]> {
  return (await noteSent(work)).map((sent) =>
    typeof sent === 'string' ? sent : (sent as { text: string }).text,
  );
}

const isLater = (name: string): boolean => LATER.some((start) => name.startsWith(start));

async function noteSent(work: () => Promise<unknown>): Promise<unknown[]> {
  // oxlint-disable-next-line typescript/unbound-method -- It is called on the client of each statement.
  const query = pg.Client.prototype.query as (...sent: unknown[]) => unknown;
  const noted: unknown[] = [];
  const mark = {};
  function note(this: pg.Client, ...sent: unknown[]): unknown {
    if (ofWork.getStore() === mark) noted.push(sent[0]);
    return query.apply(this, sent);
  }
  const spy = mock.method(pg.Client.prototype, 'query', note as typeof pg.Client.prototype.query);
  try {
    await ofWork.run(mark, work);
    return noted;
  } finally {
    spy.mock.restore();
  }
}

function nameOf(sent: unknown): string {
  if (typeof sent === 'string') return sent;
  const { name, text } = sent as { name?: string; text: string };
  return name || text;
}
