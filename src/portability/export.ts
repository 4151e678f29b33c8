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
  readEnquiryPages,
  type Activity,
  type FullContact,
  type RowOfContact,
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

/** Writes the account file of one moment, in chunks. When no account has this slug, it writes nothing and returns false. */
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
  await write(document.slice(0, -DOCUMENT_END.length));
  const contacts = readContactPages(tx, accountId);
  await writeList('contacts', contacts, (contact) => toContactEntry(contact, labels), write);
  await writeList('enquiries', readEnquiryPages(tx, accountId), toEnquiryEntry, write);
  await write(`${DOCUMENT_END}\n`);
}

/** Writes a list at the end of the document page by page, so that memory never has all of its rows. */
async function writeList<Row>(
  name: string,
  pages: AsyncIterable<Row[]>,
  toListEntry: (row: Row) => object,
  write: Write,
): Promise<void> {
  await write(`,\n  "${name}": [`);
  let separator = '\n';
  for await (const page of pages) {
    await write(separator + page.map((row) => formatEntry(toListEntry(row))).join(',\n'));
    separator = ',\n';
  }
  await write(separator === ',\n' ? '\n  ]' : ']');
}

type Labels = Map<string, string>;

const DOCUMENT_END = '\n}';

// Indents an entry as JSON.stringify would in the whole document. Texts contain no line break, since JSON escapes it.
function formatEntry(entry: object): string {
  return `    ${JSON.stringify(entry, null, 2).replaceAll('\n', '\n    ')}`;
}

function toEnquiryEntry({ contactId, values, occurredAt }: RowOfContact<Activity>): object {
  return { contactId, values, occurredAt };
}

function toContactEntry({ contact, tags, activities, links }: FullContact, labels: Labels): object {
  return {
    id: contact.id,
    ...toEntry(CONTACT, contact),
    tags: tags.map(({ tagId }) => labels.get(tagId)),
    activities: activities.flatMap(({ type, ...activity }) =>
      type === 'enquiry' ? [] : [toActivityEntry({ type, ...activity })],
    ),
    links: links.map((link) => toEntry(LINK, link)),
  };
}

type RecordedActivity = Omit<Activity, 'type'> & { type: Exclude<Activity['type'], 'enquiry'> };

/** Leaves out the API key that is the author of an activity: the file has people, and no API keys. */
function toActivityEntry({
  outcome = null,
  actorType,
  actorId,
  ...activity
}: RecordedActivity): object {
  const userId = actorType === 'user' ? actorId : null;
  return { ...toEntry(ACTIVITY, { outcome, ...activity }), userId };
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
