import { readFileSync } from 'node:fs';
import { findAccountBySlug, listAccounts, lockAccount } from '../accounts/index.ts';
import { issueKey, listKeys } from '../keys/index.ts';
import { runInTransaction, type Pool } from '../platform/database/index.ts';
import { toEmailKey } from '../platform/text/index.ts';
import { loadAccount, type AccountFile } from '../portability/index.ts';
import { createLink, formatLink, readUserByEmail } from '../users/index.ts';
import { print } from './output.ts';
import type { ServiceProcess } from './serve.ts';

type Filled<List> = Required<NonNullable<List>[keyof List & number]>[];

interface DemoFile extends AccountFile {
  users: Filled<AccountFile['users']>;
  projects: Filled<AccountFile['projects']>;
}

/** A load takes longer than a request may, so that it has connections of its own. */
type DemoService = Pick<ServiceProcess, 'db' | 'openCommandPool' | 'config'>;

const FILE = new URL('../../demo/account.json', import.meta.url);
const DEMO = JSON.parse(readFileSync(FILE, 'utf8')) as DemoFile;

export const DEMO_SLUG = DEMO.account.slug;
const WRITE_KEY = 'demo, read-write';

/**
 * Loads the demo account when there is no account at all, and issues its keys, since its leads come in by one of them. Returns
 * null when there is an account, or another server has issued the keys.
 */
export async function loadDemo(
  { db: requests, openCommandPool, config }: DemoService,
  note: (text: string) => void,
): Promise<DemoKeys | null> {
  if ((await listAccounts(requests)).length > 0) return null;
  note('Loading the demo account.');
  const startMs = performance.now();
  await using resources = new AsyncDisposableStack();
  const db = openCommandPool();
  resources.defer(() => db.end());
  const { growAccount } = await import('./demo-account/grow-account.ts');
  const now = new Date();
  const isCreated = await createDemo(db, growAccount(DEMO, now));
  const accountId = await findAccountBySlug(db, DEMO_SLUG);
  if (!isCreated || accountId === undefined) return null;
  const keys = await issueFirstKeys(db, accountId);
  const { importDemoLeads } = await import('./demo-account/import-leads.ts');
  await importDemoLeads(db, accountId, {
    keyId: (await listKeys(db, accountId)).find(({ name }) => name === WRITE_KEY)?.id ?? null,
    settler: DEMO.users.find(({ role }) => role === 'manager'),
    now,
    refusedBytesMax: config.importLogRefusedBytes,
  });
  note(`Loaded it in ${((performance.now() - startMs) / 1000).toFixed(1)} s.`);
  return keys;
}

/** Loads the file of the demo. Returns false when another server has loaded its own, which was grown at another time. */
async function createDemo(db: Pool, file: AccountFile): Promise<boolean> {
  try {
    const { account } = await loadAccount(db, file);
    return account === 'created';
  } catch (error) {
    if ((await listAccounts(db)).length > 0) return false;
    throw error;
  }
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
    return print(`\n  Base URL        ${baseUrl}\n${explainKeys('ACCOUNT')}`);
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

interface DemoKeys {
  read: string;
  write: string;
}

/** Issues the first keys of the account. Returns null when it has keys. The lock lets only one of two servers issue them. */
function issueFirstKeys(db: Pool, accountId: string): Promise<DemoKeys | null> {
  return runInTransaction(db, async (tx) => {
    await lockAccount(tx, accountId);
    if ((await listKeys(tx, accountId)).length > 0) return null;
    return {
      read: await issueKey(tx, accountId, { name: 'demo, read', access: 'read' }),
      write: await issueKey(tx, accountId, { name: WRITE_KEY, access: 'read-write' }),
    };
  });
}

const HIDDEN_KEY = '(shown when it was made)';

// In a clone the command is an npm script; the installed package is in node_modules/.bin.
const COMMAND = import.meta.url.endsWith('.ts') ? 'npm run -s offplan --' : 'npx offplan';

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
