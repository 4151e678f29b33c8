import { mock } from 'node:test';
import pg from 'pg';

/** The statement that looks an API key up. */
export const KEY_LOOK_UP = 'api_key_look_up';
/** The statement that reads an account's stock clock. */
export const STOCK_CLOCK_READ = 'account_stock_clock_read';

/**
 * The statements that go to PostgreSQL while `work` runs, by their names. That a key was used is noted beside the
 * request, at some time.
 */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const spy = mock.method(pg.Client.prototype, 'query');
  try {
    await work();
    const names = spy.mock.calls.map(({ arguments: [sent] }) => nameOf(sent));
    return names.filter((name) => name !== 'api_key_mark_used');
  } finally {
    spy.mock.restore();
  }
}

function nameOf(sent: unknown): string {
  if (typeof sent === 'string') return sent;
  const { name, text } = sent as { name?: string; text: string };
  return name || text;
}
