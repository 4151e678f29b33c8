import { issueKey, listKeys } from '../../../keys/index.ts';
import type { Queryable } from '../../../platform/database/index.ts';

/** The keys of the demo, which the first start prints. */
export interface DemoKeys {
  read: string;
  write: string;
}

/** The name of the website's key, with which most leads come in. */
const WEBSITE_KEY = 'Website';

/** Issues the keys of the website of the demo. */
export async function issueDemoKeys(tx: Queryable, accountId: string): Promise<DemoKeys> {
  return {
    read: await issueKey(tx, accountId, { name: `${WEBSITE_KEY}, stock`, access: 'read' }),
    write: await issueKey(tx, accountId, { name: WEBSITE_KEY, access: 'read-write' }),
  };
}

/** Finds the id of the website's key. Throws when the account has none. */
export async function findWebsiteKey(db: Queryable, accountId: string): Promise<string> {
  const key = (await listKeys(db, accountId)).find(({ name }) => name === WEBSITE_KEY);
  if (key === undefined)
    throw new Error(`The demo account has no key with the name ${WEBSITE_KEY}.`);
  return key.id;
}
