import { readFile } from 'node:fs/promises';
import { issueKey, listKeys } from '../keys/index.ts';
import { findAccountBySlug, listAccounts, lockAccount } from '../accounts/index.ts';
import { transaction, type Pool } from '../platform/database/index.ts';
import { loadAccount } from '../portability/index.ts';
import { print } from './output.ts';

const FILE = new URL('../../demo/account.json', import.meta.url);

interface Demo {
  account: { slug: string };
  projects: { id: string; slug: string; publication: string }[];
}

async function readDemo(): Promise<Demo> {
  return JSON.parse(await readFile(FILE, 'utf8')) as Demo;
}

/** Loads the demo account when there is no account at all. */
export async function loadDemo(db: Pool, note: (text: string) => void): Promise<void> {
  if ((await listAccounts(db)).length > 0) return;
  note('Loading the demo account.');
  await loadAccount(db, await readDemo());
}

/** Prints how to call each endpoint, with new keys when the demo account has none yet. */
export async function showDemo(db: Pool, publicUrl: string): Promise<void> {
  const demo = await readDemo();
  const { slug } = demo.account;
  const accountId = await findAccountBySlug(db, slug);
  if (accountId === undefined) return print(withoutDemo(publicUrl));
  const keys = await makeKeys(db, accountId);
  const { read, write } = keys ?? { read: null, write: null };
  await print(`
  Base URL        ${publicUrl}/api/v1
  Read key        ${read ?? HIDDEN}
  Read-write key  ${write ?? HIDDEN}
${keys === null ? anotherKey(slug) : ''}
List the stocklist, read a project, import a lead, import several:

${curls(`${publicUrl}/api/v1`, demo, read ?? '<READ_KEY>', write ?? '<READ_WRITE_KEY>')}
`);
}

/** The account's first keys; null when it has some. Of two servers that start at once one makes them. */
function makeKeys(db: Pool, accountId: string): Promise<{ read: string; write: string } | null> {
  return transaction(db, async (tx) => {
    await lockAccount(tx, accountId);
    if ((await listKeys(tx, accountId)).length > 0) return null;
    return {
      read: await issueKey(tx, accountId, { name: 'demo, read', access: 'read' }),
      write: await issueKey(tx, accountId, { name: 'demo, read-write', access: 'read-write' }),
    };
  });
}

const HIDDEN = '(shown when it was made)';

// In a clone the command is a script of npm's; the built package puts it into node_modules/.bin.
const COMMAND = import.meta.url.endsWith('.ts') ? 'npm run -s offplan --' : 'npx offplan';

function anotherKey(slug: string): string {
  return `
Make another key with:

${COMMAND} keys create ${slug} --access read-write --name "my key"
`;
}

function withoutDemo(publicUrl: string): string {
  return `
  Base URL        ${publicUrl}/api/v1
${anotherKey('ACCOUNT')}`;
}

function curls(baseUrl: string, demo: Demo, readKey: string, writeKey: string): string {
  const project = demo.projects.find(({ publication }) => publication === 'live');
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
  const post = `curl -H 'Authorization: Bearer ${writeKey}' -H 'Content-Type: application/json'`;
  return [
    `curl -H 'Authorization: Bearer ${readKey}' '${baseUrl}/stocklist?limit=2'`,
    `curl -H 'Authorization: Bearer ${readKey}' '${baseUrl}/projects/${project?.slug}'`,
    `${post} -d '${lead}' '${baseUrl}/contacts'`,
    `${post} -d '${leads}' '${baseUrl}/contacts/batch'`,
  ].join('\n\n');
}
