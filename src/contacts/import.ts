import { uuidv7 } from 'uuidv7';
import { isForeignKeyViolation, isLockTimeout, isUnavailable } from '../database/errors.ts';
import { retrying, transaction, type Pool } from '../database/pool.ts';
import type { Queryable } from '../database/query.ts';
import type { Problem } from '../http/problems.ts';
import type { Lead } from './lead.ts';
import { planImport, type Changes, type Found, type Plan } from './plan.ts';
import type { ContactImportResult } from './schemas.ts';
import { changesWrite, emailsLock, leadsFind, tagsEnsure } from './store.ts';

/** What a lead is answered with. An Error that is no Problem is ours: the lead was not imported. */
export type Outcome = ContactImportResult | Problem | Error;

const BATCH_MAX = 500;
const LOCK_PATIENCE_MS = 5_000;

/** Imports any number of leads of one account, in order: the only way in. One outcome for each lead. */
export async function importLeads(db: Pool, accountId: string, leads: Lead[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let start = 0; start < leads.length; start += BATCH_MAX)
    outcomes.push(...(await importBatch(db, accountId, leads.slice(start, start + BATCH_MAX))));
  return outcomes;
}

/*
 * A batch that fails is cut in two until what fails is alone: a lead that fails in a way that nobody foresaw,
 * or whose email a load holds, must not take its neighbours along. For locks that has an end, since each try
 * waits for one.
 */
async function importBatch(
  db: Pool,
  accountId: string,
  leads: Lead[],
  untilMs = performance.now() + LOCK_PATIENCE_MS,
): Promise<Outcome[]> {
  const attempt = () => retrying(() => transaction(db, (tx) => importWithin(tx, accountId, leads)));
  try {
    return await attempt().catch((error: unknown) => {
      // A unit was removed after it was found: looking again refuses the lead that names it.
      if (isForeignKeyViolation(error)) return attempt();
      throw error;
    });
  } catch (error) {
    const isOver = isLockTimeout(error) ? performance.now() > untilMs : isUnavailable(error);
    if (leads.length === 1 || isOver) return leads.map(() => asError(error));
    const middle = leads.length >> 1;
    const first = await importBatch(db, accountId, leads.slice(0, middle), untilMs);
    return [...first, ...(await importBatch(db, accountId, leads.slice(middle), untilMs))];
  }
}

async function importWithin(
  tx: Queryable,
  accountId: string,
  leads: Lead[],
): Promise<Plan['outcomes']> {
  await emailsLock(
    tx,
    accountId,
    leads.map((lead) => lead.emailKey),
  );
  const found = await leadsFind(tx, accountId, leads);
  const { outcomes, changes } = planImport(leads, found, { now: new Date(), newId: uuidv7 });
  if (Object.values(changes).some((rows) => rows.length > 0))
    await write(tx, accountId, changes, found);
  return outcomes;
}

async function write(
  tx: Queryable,
  accountId: string,
  changes: Changes,
  found: Found,
): Promise<void> {
  const known = new Map(Object.entries(found.tagIds));
  const missing = changes.tagged.map(({ tag }) => tag).filter(({ key }) => !known.has(key));
  const made = await tagsEnsure(tx, accountId, missing, uuidv7);
  const tagged = changes.tagged.map(({ id, contactId, tag: { key } }) => {
    const tagId = known.get(key) ?? made.get(key);
    if (tagId === undefined) throw new Error('a tag was neither found nor made');
    return { id, contactId, tagId };
  });
  await changesWrite(tx, accountId, { ...changes, tagged });
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
