import { findContactKeys } from '../../contacts/index.ts';
import { findFormerValues } from '../../events/index.ts';
import type { Queryable } from '../../platform/database/index.ts';
import { toEmailKey } from '../../platform/text/index.ts';
import { findMentions } from './mentions.ts';
import { readRefusedPayloads } from './store.ts';

/** The ids of a contact and of those that were merged into it, and its email. */
interface Person {
  ids: string[];
  emailKey: string;
}

/** The emails of a person. */
export interface Emails {
  emailKey: string;
  /** The former emails. When another contact has one now, its value is the time until which it was the person's; else null. */
  leftAt: Map<string, Date | null>;
}

/** Finds the email that a person has, and those that the person had. */
export async function findEmails(
  tx: Queryable,
  accountId: string,
  { ids, emailKey }: Person,
): Promise<Emails> {
  const leftAt = new Map<string, Date | null>();
  for (const { value, replacedAt } of await findFormerValues(tx, accountId, ids, 'email'))
    leftAt.set(toEmailKey(value), replacedAt);
  leftAt.delete(emailKey);
  const emailKeys = [...leftAt.keys()];
  const holders = await findContactKeys(tx, accountId, { ids: [], emailKeys });
  const taken = new Set(holders.map((contact) => contact.emailKey));
  for (const key of emailKeys) if (!taken.has(key)) leftAt.set(key, null);
  return { emailKey, leftAt };
}

/** Finds the refused imports of a person: those whose payload contains an email that the person has or had. */
export async function findRefusedOf(
  tx: Queryable,
  accountId: string,
  { emailKey, leftAt }: Emails,
): Promise<string[]> {
  const emailKeys = [emailKey, ...leftAt.keys()];
  const found: string[] = [];
  for await (const page of readRefusedPayloads(tx, accountId))
    for (const { id, receivedAt, payload } of page) {
      const isOfPerson = (key: string) => receivedAt <= (leftAt.get(key) ?? receivedAt);
      if (findMentions(payload, emailKeys).some(isOfPerson)) found.push(id);
    }
  return found;
}
