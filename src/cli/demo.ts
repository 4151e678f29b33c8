import { readFileSync } from 'node:fs';
import { findAccountBySlug, listAccounts, lockAccount } from '../accounts/index.ts';
import { issueKey, listKeys } from '../keys/index.ts';
import { runInTransaction, type Pool } from '../platform/database/index.ts';
import { toEmailKey } from '../platform/text/index.ts';
import { loadAccount } from '../portability/index.ts';
import { createLink, formatLink, readUserByEmail } from '../users/index.ts';
import { print } from './output.ts';

interface DemoFile {
  account: { slug: string };
  users: { email: string; role: string }[];
  projects: { id: string; slug: string; publication: string }[];
}

const FILE = new URL('../../demo/account.json', import.meta.url);
const DEMO = JSON.parse(readFileSync(FILE, 'utf8')) as DemoFile;

export const DEMO_SLUG = DEMO.account.slug;

/** Loads the demo account when there is no account at all. */
export async function loadDemo(db: Pool, note: (text: string) => void): Promise<void> {
  if ((await listAccounts(db)).length > 0) return;
  note('Loading the demo account.');
  await loadAccount(db, DEMO);
}

/** Prints an example call of each endpoint. The first time, also issues and prints the keys. */
export async function showDemo(db: Pool, publicUrl: string): Promise<void> {
  const { slug } = DEMO.account;
  const accountId = await findAccountBySlug(db, slug);
  const baseUrl = `${publicUrl}/api/v1`;
  if (accountId === undefined)
    return print(`\n  Base URL        ${baseUrl}\n${explainKeys('ACCOUNT')}`);
  const keys = await issueFirstKeys(db, accountId);
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
      write: await issueKey(tx, accountId, { name: 'demo, read-write', access: 'read-write' }),
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
