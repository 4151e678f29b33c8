import type { AccountFile, ContactEntry, EnquiryEntry } from '../../../portability/index.ts';
import { DAY_MS } from '../../../platform/text/index.ts';
import { createConversations } from './conversations.ts';
import { createInterests, listUnitsWithoutBuyer } from './interests.ts';
import type { PlannedLead } from './details.ts';
import { createContacts } from './leads.ts';
import { createPeople } from './people.ts';
import { createRandom, type Random } from './random.ts';
import { findBuyerStage, pickStage } from './stages.ts';
import { planStockHistory, type StockHistory } from './stock-history.ts';
import { createLeadTimes, formatTime, toOfficeHours } from './times.ts';

const CONTACTS = 5_000;
const WEEK_MS = 7 * DAY_MS;

/** A grown account, and the history of its stock. */
interface GrownAccount {
  account: AccountFile;
  history: StockHistory;
}

/**
 * Adds the contacts of a year to the account of a file, up to a time, so that the demo shows a busy sales team. The same file and
 * time give the same account.
 */
export function growAccount(file: AccountFile, until: Date): GrownAccount {
  const now = until.getTime();
  const random = createRandom(20_260_101);
  const { projects = [] } = file;
  const known = moveContacts(file.contacts ?? [], now);
  const drawTime = createLeadTimes(random, now);
  const pickInterest = createInterests(random, projects);
  const buyers = listUnitsWithoutBuyer(projects, known).flatMap((interest): PlannedLead[] => {
    const { stage, days } = findBuyerStage(interest.unit?.status ?? '') ?? {};
    if (stage === undefined || days === undefined) return [];
    const createdAt = toOfficeHours(random, now - random.between(...days) * DAY_MS, now);
    return [{ createdAt, stage, interest, isBuyer: true }];
  });
  const others = Array.from(
    { length: CONTACTS - known.length - buyers.length },
    (): PlannedLead => {
      const createdAt = drawTime();
      const stage = pickStage(random, (now - createdAt) / DAY_MS);
      return { createdAt, stage, interest: pickInterest(), isBuyer: false };
    },
  );
  const makers = {
    random,
    now,
    makePerson: createPeople(
      random,
      known.flatMap(({ email }) => email ?? []),
    ),
    converse: createConversations(random, now),
  };
  const makeContact = createContacts(file, makers);
  const leads = [...buyers, ...others].toSorted((a, b) => a.createdAt - b.createdAt);
  const grown = repeatPeople(leads.map(makeContact));
  const enquiries = grown.flatMap((contact) => makeEnquiries(random, contact, now));
  const contacts = [...known, ...grown].toSorted((a, b) => readCreation(a) - readCreation(b));
  return {
    account: { ...file, contacts, enquiries },
    history: planStockHistory(random, projects, contacts, now),
  };
}

const readCreation = ({ createdAt }: ContactEntry): number => Date.parse(createdAt ?? '');

/** Moves the times of contacts by whole weeks, so that the latest one is in the last week. */
function moveContacts(contacts: ContactEntry[], now: number): ContactEntry[] {
  const times = contacts.flatMap(({ createdAt, activities = [] }) =>
    [createdAt, ...activities.map(({ occurredAt }) => occurredAt)].flatMap((time) => time ?? []),
  );
  const latest = Math.max(...times.map((time) => Date.parse(time)));
  const moveMs = Math.floor((now - latest) / WEEK_MS) * WEEK_MS;
  const move = (time: string): string => formatTime(Date.parse(time) + moveMs);
  const moveOrNull = (time: string | null = null) => (time === null ? null : move(time));
  return contacts.map(({ activities = [], ...contact }) => ({
    ...contact,
    importedAt: moveOrNull(contact.importedAt),
    createdAt: moveOrNull(contact.createdAt),
    archivedAt: moveOrNull(contact.archivedAt),
    activities: activities.map((each) => ({ ...each, occurredAt: move(each.occurredAt) })),
  }));
}

/** The positions of people with several contacts, as shares of the list. */
const REPEATED = [0.21, 0.34, 0.42, 0.55, 0.63, 0.78, 0.86, 0.95];

/** Makes duplicates: gives some contacts the email of an earlier one, as systems do that do not compare emails. */
function repeatPeople(contacts: ContactEntry[]): ContactEntry[] {
  const repeated = [...contacts];
  for (const [index, share] of REPEATED.entries()) {
    const at = Math.floor(contacts.length * share);
    const person = contacts[at - 90];
    if (person === undefined) continue;
    repeated[at] = nameAs(contacts[at], person, person.firstName ?? '');
    // One person has a third contact, with only the initial of the first name.
    if (index === 3)
      repeated[at + 40] = nameAs(contacts[at + 40], person, (person.firstName ?? '').charAt(0));
  }
  return repeated;
}

/** Gives a contact the name and email of another person. The email begins with a capital letter. */
function nameAs(
  { firstName: before, activities = [], ...contact }: ContactEntry = {},
  { email = '', lastName = null }: ContactEntry,
  firstName: string,
): ContactEntry {
  return {
    ...contact,
    email: email.charAt(0).toUpperCase() + email.slice(1),
    firstName,
    lastName,
    name: [firstName, lastName].filter(Boolean).join(' '),
    activities: activities.map(({ body, ...activity }) => ({
      ...activity,
      body: before ? body.replaceAll(before, firstName) : body,
    })),
  };
}

/** Makes enquiries: some people ask again later with other values. */
function makeEnquiries(
  random: Random,
  { id = '', createdAt }: ContactEntry,
  now: number,
): EnquiryEntry[] {
  const from = Date.parse(createdAt ?? '') + 5 * DAY_MS;
  if (from > now || !random.isChance(0.09)) return [];
  const values = random.pick([
    { budget: `up to $${Math.round(random.between(50, 140)) * 10}k` },
    { phone: `+64 9 555 01${Math.round(random.between(10, 99))}` },
    { source: 'Open Home' },
    { buyerType: 'Investor', budget: `$${Math.round(random.between(50, 140)) * 10}k` },
  ]);
  return [{ contactId: id, values, occurredAt: formatTime(Math.round(random.between(from, now))) }];
}
