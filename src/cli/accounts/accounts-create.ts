import { InvalidArgumentError } from 'commander';
import { AccountFileError, loadAccount } from '../../portability/index.ts';
import { parseEmail } from '../../platform/text/index.ts';
import { CommandError } from '../command-error.ts';
import { withDatabase } from '../database.ts';
import { print, say } from '../output.ts';
import { printInvitation } from '../users.ts';

export interface NewAccountOptions {
  name?: string;
  company?: string;
  email?: string;
  location?: string;
  website?: string;
  timeZone?: string;
  owner?: string;
}

/** The option that gives each value of the account file. */
const OPTIONS: Record<string, string> = {
  '/account/organization/displayName': '--name',
  '/account/organization/companyName': '--company',
  '/account/organization/email': '--email',
  '/account/organization/location': '--location',
  '/account/organization/websiteUrl': '--website',
  '/account/organization/timeZone': '--time-zone',
};

const REQUIRED = ['name', 'email', 'location', 'website'] as const;

/** Runs `offplan accounts create`: loads the smallest file of an account, and invites its owner. */
export async function createAccount(slug: string, options: NewAccountOptions): Promise<void> {
  const missing = REQUIRED.filter((option) => options[option] === undefined);
  // Commander would name only the first of them.
  if (missing.length > 0)
    throw new InvalidArgumentError(`give the new account --${missing.join(', --')}`);
  const { name, company = name, email, location, website, timeZone, owner } = options;
  const ownerEmail = owner === undefined ? undefined : parseEmail(owner);
  if (ownerEmail === null)
    throw new CommandError('--owner is not one email address, such as hana@example.com');
  const organization = {
    companyName: company,
    displayName: name,
    email,
    location,
    websiteUrl: website,
    ...(timeZone !== undefined && { timeZone }),
  };
  const file = { format: 'offplan-account/1', account: { slug, organization } };
  await withDatabase(async (pools, config) => {
    await loadAccount(pools.lookups, file, { isNew: true }).catch((error: unknown) =>
      explainFaults(slug, error),
    );
    await print(`Account "${slug}" created.\n`);
    if (timeZone === undefined)
      say('Its days and figures are in UTC: Settings › Account in the console has the time zone.');
    if (ownerEmail === undefined)
      return say(
        `Nobody can sign in to it yet: offplan users invite ${slug} EMAIL --role owner prints a link.`,
      );
    await printInvitation(pools, config, slug, { email: ownerEmail, role: 'owner' });
  });
}

/** Names the options in place of the values of the file. */
function explainFaults(slug: string, error: unknown): never {
  if (!(error instanceof AccountFileError)) throw error;
  const faults = error.faults.map(
    ({ pointer, detail }) => `${OPTIONS[pointer] ?? `"${slug}"`} ${detail.replace(/\.$/, '')}`,
  );
  throw new CommandError(`${faults.join('; ')}; nothing was created`);
}
