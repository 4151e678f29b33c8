import { issueKey } from '../../keys/index.ts';
import type { Queryable } from '../../platform/database/index.ts';

/** The keys of the demo, which the first start prints. */
export interface DemoKeys {
  read: string;
  write: string;
}

/** The website's key, by which most leads come in. */
export const WEBSITE_KEY = 'Website';

/** Issues the keys of the website of the demo. */
export async function issueDemoKeys(tx: Queryable, accountId: string): Promise<DemoKeys> {
  return {
    read: await issueKey(tx, accountId, { name: `${WEBSITE_KEY}, stock`, access: 'read' }),
    write: await issueKey(tx, accountId, { name: WEBSITE_KEY, access: 'read-write' }),
  };
}
