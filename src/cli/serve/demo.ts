import { readFileSync } from 'node:fs';
import { findAccountBySlug, listAccounts, lockAccount } from '../../accounts/index.ts';
import { listKeys } from '../../keys/index.ts';
import { ROOT } from '../../platform/config/index.ts';
import { runInTransaction, type Pool } from '../../platform/database/index.ts';
import { describeError } from '../../platform/http/index.ts';
import { toEmailKey } from '../../platform/text/index.ts';
import type { AccountFile } from '../../portability/index.ts';
import { createLink, formatLink, readUserByEmail } from '../../users/index.ts';
import { print } from '../output.ts';
import type { ServiceProcess } from './service-process.ts';
import { findWebsiteKey, issueDemoKeys, type DemoKeys } from './demo-account/keys.ts';

type Filled<List> = Required<NonNullable<List>[keyof List & number]>[];

interface DemoFile extends AccountFile {
  users: Filled<AccountFile['users']>;
  projects: Filled<AccountFile['projects']>;
}

/** The parts of the service that the demo needs. Its load takes longer than a request may, so it opens a pool of its own. */
type DemoService = Pick<ServiceProcess, 'db' | 'openCommandPool' | 'config' | 'logger'>;

const FILE = new URL('demo/account.json', ROOT);
const DEMO = JSON.parse(readFileSync(FILE, 'utf8')) as DemoFile;

export const DEMO_SLUG = DEMO.account.slug;
const LISTED_PROJECT = 'lakefold';

/**
 * Loads the demo account when the installation has no account, and issues its keys, because the demo's leads need one. Returns null
 * when there is an account, or another server has issued the keys.
 */
export async function loadDemo({
  db: requests,
  openCommandPool,
  config,
  logger,
}: DemoService): Promise<DemoKeys | null> {
  if ((await listAccounts(requests)).length > 0) return null;
  logger.info('Loading the demo account.');
  const startMs = performance.now();
  await using resources = new AsyncDisposableStack();
  const db = openCommandPool();
  resources.defer(() => db.end());
  const now = new Date();
  const keys = await createDemo(db, now);
  const accountId = await findAccountBySlug(db, DEMO_SLUG);
  if (keys === null || accountId === undefined) return null;
  try {
    await importDemo(db, accountId, { now, refusedBytesMax: config.importLogRefusedBytes });
  } catch (error) {
    // Go on after an error: the account exists, and only this start can show its keys.
    logger.error(describeError(error), 'the demo account lacks a part of its imports');
  }
  logger.info(`Loaded it in ${((performance.now() - startMs) / 1000).toFixed(1)} s.`);
  return keys;
}

/** Creates the account of the demo in one transaction. Returns null when another server has created its own. */
async function createDemo(db: Pool, now: Date): Promise<DemoKeys | null> {
  const { growAccount } = await import('./demo-account/grow-account.ts');
  const { writeAccount } = await import('./demo-account/write-account.ts');
  const { account, history } = growAccount(DEMO, now);
  try {
    return await runInTransaction(db, (tx) => writeAccount(tx, account, history, now));
  } catch (error) {
    if ((await listAccounts(db)).length > 0) return null;
    throw error;
  }
}

/** Imports the website's leads and a contact file. Some rows of both are refused. */
async function importDemo(
  db: Pool,
  accountId: string,
  options: { now: Date; refusedBytesMax: number },
): Promise<void> {
  const { importDemoLeads } = await import('./demo-account/import-leads.ts');
  const { importDemoFile } = await import('./demo-account/import-file.ts');
  const manager = DEMO.users.find(({ role }) => role === 'manager');
  const keyId = await findWebsiteKey(db, accountId);
  await importDemoLeads(db, accountId, { ...options, keyId, settler: manager });
  const project = DEMO.projects.find(({ slug }) => slug === LISTED_PROJECT);
  if (manager === undefined || project === undefined) return;
  await importDemoFile(db, { accountId, person: manager, projectId: project.id });
}

/** Prints an example call of each endpoint, and the keys of the demo when this server or this call has issued them. */
export async function showDemo(
  db: Pool,
  publicUrl: string,
  firstKeys: DemoKeys | null,
): Promise<void> {
  const { slug } = DEMO.account;
  const accountId = await findAccountBySlug(db, slug);
  const baseUrl = `${publicUrl}/api/v1`;
  if (accountId === undefined)
    return print(
      `\nThe demo is not loaded, because there are accounts already: start it with a new database, or a new OFFPLAN_DATA_DIR.
\n  Base URL        ${baseUrl}\n${explainKeys('ACCOUNT')}`,
    );
  const keys = firstKeys ?? (await issueFirstKeys(db, accountId));
  await print(`
  Base URL        ${baseUrl}
  Read key        ${keys?.read ?? HIDDEN_KEY}
  Read-write key  ${keys?.write ?? HIDDEN_KEY}
${keys === null ? explainKeys(slug) : ''}${await formatSignIn(db, accountId, publicUrl)}
List the stocklist, read a project, import a lead, import several:

${formatExampleCalls(baseUrl, keys ?? { read: '<READ_KEY>', write: '<READ_WRITE_KEY>' })}
`);
}

/** Formats the link that signs in as the owner of the demo, without a password. Each start makes a new one. */
async function formatSignIn(db: Pool, accountId: string, publicUrl: string): Promise<string> {
  const { email = '' } = DEMO.users.find(({ role }) => role === 'owner') ?? {};
  const owner = await readUserByEmail(db, accountId, toEmailKey(email));
  if (owner?.active !== true || owner.role !== 'owner') return '';
  const { token } = await runInTransaction(db, (tx) =>
    createLink(tx, accountId, 'start', owner.id),
  );
  return `
Open the console as the demo's owner, ${owner.name}; the link works once, within an hour:

${formatLink(publicUrl, DEMO_SLUG, 'start', token)}
`;
}

/** Issues the first keys of the account. Returns null when it has keys. The lock lets only one of two servers issue them. */
function issueFirstKeys(db: Pool, accountId: string): Promise<DemoKeys | null> {
  return runInTransaction(db, async (tx) => {
    await lockAccount(tx, accountId);
    if ((await listKeys(tx, accountId)).length > 0) return null;
    return issueDemoKeys(tx, accountId);
  });
}

const HIDDEN_KEY = '(shown when it was made)';

// In a clone, the command is an npm script. For an installed package it is not npx, which can run a stranger's package of this name.
const COMMAND = import.meta.url.endsWith('.ts') ? 'npm run -s offplan --' : 'offplan';

function explainKeys(slug: string): string {
  return `
Make another key with:

${COMMAND} keys create ${slug} --access read-write --name "my key"
`;
}

function formatExampleCalls(baseUrl: string, { read, write }: DemoKeys): string {
  const project = DEMO.projects.find(({ publication }) => publication === 'live');
  const lead = JSON.stringify({
    email: 'mereana.pou@example.com',
    firstName: 'Mereana',
    lastName: 'Pou',
    source: 'Website',
    tags: ['Website lead'],
    notes: 'Please send me the floor plans.',
    projectId: project?.id,
  });
  const leads = JSON.stringify({
    contacts: [
      { email: 'tama.reihana@example.com', name: 'Tama Reihana', tags: 'Brochure, Open home' },
      { email: 'ana.kereama@example.com', firstName: 'Ana', phone: '+64 9 555 0142' },
    ],
  });
  const get = `curl -H 'Authorization: Bearer ${read}'`;
  const post = `curl -H 'Authorization: Bearer ${write}' -H 'Content-Type: application/json'`;
  return [
    `${get} '${baseUrl}/stocklist?limit=2'`,
    `${get} '${baseUrl}/projects/${project?.slug}'`,
    `${post} -d '${lead}' '${baseUrl}/contacts'`,
    `${post} -d '${leads}' '${baseUrl}/contacts/batch'`,
  ].join('\n\n');
}
