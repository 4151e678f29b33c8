import { issueKey } from '../../src/keys/index.ts';
import type { Pool } from '../../src/platform/database/index.ts';
import { accountIdOf } from './accounts.ts';
import type { Cleaner } from './harness.ts';
import { BATCH, sendTo } from './imports.ts';
import { instance } from './instances.ts';

/** The result of one lead of a batch: its action, or its problem. */
interface Result {
  action?: string;
  problem?: { code: string };
}

/** Imports leads through POST /contacts/batch of an instance on this database. */
export async function leadImporter(t: Cleaner, db: Pool) {
  const app = await instance(t, db);
  return async function importLeads(slug: string, contacts: object[]): Promise<Result[]> {
    const accountId = await accountIdOf(db, { slug });
    const key = await issueKey(db, accountId, { name: 'test', access: 'read-write' });
    const { body } = await sendTo(app, { key }, { contacts }, { url: BATCH });
    return body.results;
  };
}
