import { AsyncLocalStorage } from 'node:async_hooks';
import { mock } from 'node:test';
import pg from 'pg';
import { STATEMENTS } from '../../src/platform/database/index.ts';

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

export const WEBHOOKS_LOOK = 'webhooks_list_waiting';
export const WEBHOOKS_LOOK_OF_ACCOUNTS = 'webhooks_list_waiting_of_accounts';

/** Statements that run at any time after a request: one notes the use of a key, the others look for files to import. */
const LATER = new Set([
  'api_key_mark_used',
  'contact_files_list_due',
  'contact_files_list_due_of_accounts',
]);

/** The async context of `work`. Statements of a timer, or of earlier work, run outside it and are not noted. */
const ofWork = new AsyncLocalStorage<object>();

/** Returns the names of the statements that `work` sends to PostgreSQL, without `LATER` and those of background work. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const names: string[] = [];
  const mark = {};
  const stop = followStatements((name) => {
    if (ofWork.getStore() === mark && !LATER.has(name)) names.push(name);
  });
  try {
    await ofWork.run(mark, work);
    return names;
  } finally {
    stop();
  }
}

/** Calls `note` with the name of each statement that this process sends. Returns the function that ends this. */
export function followStatements(note: (name: string) => void): () => void {
  const listener = (message: unknown): void => note((message as { name: string }).name);
  STATEMENTS.start.subscribe(listener);
  return () => STATEMENTS.start.unsubscribe(listener);
}

/** Returns the texts of the statements that `work` sends to PostgreSQL. */
export async function textsOf(work: () => Promise<unknown>): Promise<string[]> {
  // oxlint-disable-next-line typescript/unbound-method -- It is called on the client of each statement.
  const query = pg.Client.prototype.query as (...sent: unknown[]) => unknown;
  const texts: string[] = [];
  const mark = {};
  function note(this: pg.Client, ...sent: unknown[]): unknown {
    const [statement] = sent as [string | { text: string }];
    if (ofWork.getStore() === mark)
      texts.push(typeof statement === 'string' ? statement : statement.text);
    return query.apply(this, sent);
  }
  const spy = mock.method(pg.Client.prototype, 'query', note as typeof pg.Client.prototype.query);
  try {
    await ofWork.run(mark, work);
    return texts;
  } finally {
    spy.mock.restore();
  }
}
