import type { Pool } from '../src/platform/database/index.ts';
import { formatSearchText } from '../src/platform/text/index.ts';
import { contender, type Bench } from './bench.ts';
import { findProject, makeAccount, makeKey, makeStock, type Account } from './data.ts';
import type { Contender } from './measure.ts';
import type { Running } from './process.ts';

/** The lead that all suites send: a name, a phone, a source, two tags, a note and a project. */
export interface Lead {
  email: string;
  firstName: string;
  lastName: string;
  mobilePhone: string;
  source: string;
  tags: string[];
  notes: string;
  projectId: string;
}

/** Returns the words by which the service finds the contact of a lead. A baseline stores them, too, since their index costs most. */
export const searchTextOf = ({ email, firstName, lastName, mobilePhone }: Lead): string =>
  formatSearchText({
    texts: [`${firstName} ${lastName}`, firstName, lastName, email, null],
    phones: [null, mobilePhone],
  });

/** How many leads a round in bulk sends, and how many of them are in one batch. */
export const LEADS = 20_000;
export const BATCH_SIZE = 1_000;

/** An account whose leads are about one project, and a key of it. */
interface Importer {
  account: Account;
  projectId: string;
  key: string;
}

/** Makes an account with 20 projects, and a key that imports leads. */
export async function makeImporter(db: Pool, slug: string): Promise<Importer> {
  const account = await makeAccount(db, slug);
  await makeStock(db, account, { projects: 20, units: 4, images: 1 });
  return {
    account,
    projectId: await findProject(db, account),
    key: await makeKey(db, account, 'read-write'),
  };
}

let runs = 0;

/** Makes the contender that sends one new lead with each request. */
export function makeLeadSender(
  bench: Bench,
  name: string,
  running: Running,
  {
    key,
    projectId,
    path,
    connections,
  }: Omit<Importer, 'account'> & { path: string; connections: number },
): Contender {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return {
    name,
    run: () => {
      const body = leadBody(`${(runs += 1)}`, projectId);
      return contender(bench, name, running, path, {
        connections,
        headers,
        method: 'POST',
        body,
      }).run();
    },
  };
}

let made = 0;

/** Makes leads with emails that no contact has. */
export function makeLeads(count: number, projectId: string): Lead[] {
  return Array.from({ length: count }, () =>
    makeLead(`bulk-${(made += 1)}@example.com`, projectId),
  );
}

/** Makes the body of a request. The load generator replaces `<id>` by another text in each request. */
export const leadBody = (run: string, projectId: string): string =>
  JSON.stringify(makeLead(`lead-[<id>]-${run}@example.com`, projectId));

const makeLead = (email: string, projectId: string): Lead => ({
  email,
  firstName: 'Aroha',
  lastName: 'Ngata',
  mobilePhone: '+64 21 555 0142',
  source: 'Website',
  tags: ['Website lead', 'Brochure'],
  notes: 'Would like to see a two-bedroom apartment.',
  projectId,
});

/** Sends leads in batches of 1,000, two at a time. Returns the milliseconds that each batch took. */
export async function sendBatches(
  url: string,
  key: string,
  projectId: string,
  count: number,
): Promise<number[]> {
  const bodies = Array.from({ length: count / BATCH_SIZE }, () =>
    JSON.stringify({ contacts: makeLeads(BATCH_SIZE, projectId) }),
  );
  const times: number[] = [];
  const send = async (): Promise<void> => {
    for (let body = bodies.pop(); body !== undefined; body = bodies.pop()) {
      const sentMs = performance.now();
      const response = await fetch(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body,
      });
      const { summary } = (await response.json()) as { summary: { created: number } };
      if (summary.created !== BATCH_SIZE) throw new Error(JSON.stringify(summary));
      times.push(performance.now() - sentMs);
    }
  };
  await Promise.all([send(), send()]);
  return times;
}
