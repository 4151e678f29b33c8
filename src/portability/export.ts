import {
  findAccountBySlug,
  ORGANIZATION,
  readOrganization,
  readRevision,
} from '../accounts/index.ts';
import {
  ACTIVITY,
  CONTACT,
  LINK,
  readContactPages,
  readTagLabels,
  type FullContact,
} from '../contacts/index.ts';
import { runInTransaction, type Pool, type Queryable } from '../platform/database/index.ts';
import { toEntry } from '../platform/fields/index.ts';
import { PROJECT, readProjects, UNIT, type ProjectWithUnits } from '../projects/index.ts';
import { readUsers, USER } from '../users/index.ts';
import { FORMAT } from './schemas.ts';

type Write = (chunk: string) => Promise<void> | void;

interface ExportOptions {
  /** Leaves out users, tags and contacts. */
  only?: 'stock';
}

/**
 * Writes the account file of one moment, in chunks. Returns false and writes nothing when no account has this slug.
 */
export function exportAccount(
  db: Pool,
  slug: string,
  write: Write,
  { only }: ExportOptions = {},
): Promise<boolean> {
  async function exportWithin(tx: Queryable): Promise<boolean> {
    const accountId = await findAccountBySlug(tx, slug);
    if (accountId === undefined) return false;
    if (only === 'stock') await writeStockFile(tx, accountId, slug, write);
    else await writeAccountFile(tx, accountId, slug, write);
    return true;
  }
  return runInTransaction(db, exportWithin, 'repeatable read, read only');
}

async function writeStockFile(
  tx: Queryable,
  accountId: string,
  slug: string,
  write: Write,
): Promise<void> {
  const head = await readHead(tx, accountId, slug);
  const projects = await readProjectEntries(tx, accountId);
  await write(`${JSON.stringify({ ...head, projects }, null, 2)}\n`);
}

async function writeAccountFile(
  tx: Queryable,
  accountId: string,
  slug: string,
  write: Write,
): Promise<void> {
  const labels = await readTagLabels(tx, accountId);
  const document = JSON.stringify(await readWithoutContacts(tx, accountId, slug, labels), null, 2);
  // Write the contacts into the empty list page by page, so that memory never holds all of them.
  await write(document.slice(0, -LIST_END.length));
  let separator = '[\n';
  for await (const page of readContactPages(tx, accountId)) {
    await write(separator + page.map((contact) => formatContact(contact, labels)).join(',\n'));
    separator = ',\n';
  }
  await write(separator === ',\n' ? '\n  ]\n}\n' : `${LIST_END}\n`);
}

type Labels = Map<string, string>;

const LIST_END = '[]\n}';

// Indents a contact as JSON.stringify does in the whole document. Texts contain no line break: JSON escapes them.
function formatContact({ contact, tags, activities, links }: FullContact, labels: Labels): string {
  const entry = {
    id: contact.id,
    ...toEntry(CONTACT, contact),
    tags: tags.map(({ tagId }) => labels.get(tagId)),
    activities: activities.map((activity) => toEntry(ACTIVITY, activity)),
    links: links.map((link) => toEntry(LINK, link)),
  };
  return `    ${JSON.stringify(entry, null, 2).replaceAll('\n', '\n    ')}`;
}

async function readWithoutContacts(
  tx: Queryable,
  accountId: string,
  slug: string,
  labels: Labels,
): Promise<object> {
  const head = await readHead(tx, accountId, slug);
  const users = await readUsers(tx, accountId);
  return {
    ...head,
    users: users.map((user) => ({ id: user.id, ...toEntry(USER, user) })),
    projects: await readProjectEntries(tx, accountId),
    tags: [...labels.values()].map((label) => ({ label })),
    contacts: [],
  };
}

async function readHead(tx: Queryable, accountId: string, slug: string): Promise<object> {
  const organization = await readOrganization(tx, accountId);
  return {
    format: FORMAT,
    revision: await readRevision(tx, accountId),
    account: { slug, organization: toEntry(ORGANIZATION, organization) },
  };
}

async function readProjectEntries(tx: Queryable, accountId: string): Promise<object[]> {
  const projects = await readProjects(tx, accountId);
  const slugOf = new Map(projects.map(({ project }) => [project.id, project.slug]));
  return projects.map((project) => toProjectEntry(project, slugOf));
}

function toProjectEntry(
  { project, relatedIds, units }: ProjectWithUnits,
  slugOf: Map<string, string>,
): object {
  return {
    id: project.id,
    ...toEntry(PROJECT, project),
    relatedProjects: relatedIds.map((id) => slugOf.get(id)),
    units: units.map((unit) => ({ id: unit.id, ...toEntry(UNIT, unit) })),
  };
}
