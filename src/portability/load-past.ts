import { raiseRevision } from '../accounts/index.ts';
import { findTags } from '../contacts/index.ts';
import type { Queryable } from '../platform/database/index.ts';
import { planContactChanges, type ContactPlan } from './contact-changes.ts';
import { FaultList } from './faults.ts';
import type { ContactOrigin } from './load-events.ts';
import { applyLoadRules, chooseLoadRules } from './load-rules.ts';
import { writePlan } from './load.ts';
import { planLoad } from './plan-load.ts';
import type { AccountFile } from './schemas.ts';
import { countContactEvents, countChangedContacts, writeContacts } from './write-contacts.ts';

/** The next contacts of a file, the time at which they are written, and the writes that follow them. */
export interface PastPart {
  contactCount: number;
  at: Date;
  writeNext: () => Promise<void>;
}

/** An account that has no contacts yet. */
interface LoadedPast {
  accountId: string;
  /** Writes all contacts of the file. `origins` has the origins of the contacts by their ids. */
  loadContacts: (parts: PastPart[], origins: ReadonlyMap<string, ContactOrigin>) => Promise<void>;
}

/**
 * Creates an account from a file that this program has made, with a past time as the time of its events. The file is not
 * checked against the schema. The caller owns the transaction, and loads the contacts part by part.
 */
export async function loadPast(tx: Queryable, file: AccountFile, now: Date): Promise<LoadedPast> {
  const faults = new FaultList();
  const rules = chooseLoadRules(file, {});
  const plan = await planLoad(tx, applyLoadRules(file, rules), rules, {}, faults);
  faults.throwIfAny();
  const { accountId, isNew } = plan.account;
  if (!isNew) throw new Error('the account exists already');
  await writePlan(tx, file, plan, [], { onProgress: () => {}, now });
  const tagIds = await findTags(tx, accountId, [...plan.labels.values()]);

  async function loadContacts(
    parts: PastPart[],
    origins: ReadonlyMap<string, ContactOrigin>,
  ): Promise<void> {
    const contacts = plan.contacts.values();
    const planNext = (part: PastPart | undefined): Promise<ContactPlan> => {
      const next = contacts.take(part?.contactCount ?? 0).toArray();
      return planContactChanges(tx, accountId, { ...plan, contacts: next });
    };
    let planning = planNext(parts[0]);
    for (const [index, { at, writeNext }] of parts.entries()) {
      const { chunks } = await planning;
      // The reads of the next plan go before these writes: Node.js plans while PostgreSQL writes.
      planning = planNext(parts[index + 1]);
      // When the writes fail, this plan is not awaited, and a rejection without a handler would end the process.
      planning.catch(() => undefined);
      const eventCount = countContactEvents(chunks, tagIds);
      const totals = { rows: Math.max(countChangedContacts(chunks), 1), events: eventCount };
      const raised = await raiseRevision(tx, accountId, at, totals);
      const writing = { tagIds, now: at, raised, origins, eventCount };
      await writeContacts(tx, accountId, chunks, writing, () => {});
      await writeNext();
    }
  }

  return { accountId, loadContacts };
}
