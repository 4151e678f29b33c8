import { findAccountBySlug, readOrganization } from '../accounts/index.ts';
import { readContactPages, readLabels, type ContactWithAll } from '../contacts/index.ts';
import { transaction, type Pool, type Queryable } from '../platform/database/index.ts';
import { readProjects, type ProjectWithUnits, type Unit } from '../projects/index.ts';
import { CONTACT_FIELDS } from './contacts.ts';
import { PROJECT_FIELDS } from './projects.ts';
import { FORMAT } from './schema.ts';
import { UNIT_FIELDS } from './units.ts';
import { readUsers } from '../users/index.ts';

/**
 * Writes an account's file, as it is at one moment, in chunks. Returns false, with nothing written, when
 * there is no such account.
 */
export function exportAccount(
  db: Pool,
  slug: string,
  write: (chunk: string) => Promise<void> | void,
): Promise<boolean> {
  return transaction(db, (tx) => exportWithin(tx, slug, write), 'repeatable read, read only');
}

async function exportWithin(
  tx: Queryable,
  slug: string,
  write: (chunk: string) => Promise<void> | void,
): Promise<boolean> {
  const accountId = await findAccountBySlug(tx, slug);
  if (accountId === undefined) return false;
  const labels = await readLabels(tx, accountId);
  const empty = JSON.stringify(await withoutContacts(tx, accountId, slug, labels), null, 2);
  // The contacts go where their empty list is, page by page: the whole is never held at once.
  await write(empty.slice(0, -EMPTY_END.length));
  let separator = '[\n';
  for await (const page of readContactPages(tx, accountId)) {
    await write(separator + page.map((contact) => contactText(contact, labels)).join(',\n'));
    separator = ',\n';
  }
  await write(separator === ',\n' ? '\n  ]\n}\n' : `${EMPTY_END}\n`);
  return true;
}

type Labels = Map<string, string>;

const EMPTY_END = '[]\n}';

// As JSON.stringify would indent it inside the document. A line break is never part of a text in JSON.
function contactText(contact: ContactWithAll, labels: Labels): string {
  return `    ${JSON.stringify(toContactEntry(contact, labels), null, 2).replaceAll('\n', '\n    ')}`;
}

async function withoutContacts(
  tx: Queryable,
  accountId: string,
  slug: string,
  labels: Labels,
): Promise<object> {
  const { logoImage, ...organization } = await readOrganization(tx, accountId);
  const projects = await readProjects(tx, accountId);
  const slugOf = new Map(projects.map(({ project: { id, slug } }) => [id, slug]));
  return {
    format: FORMAT,
    account: { slug, organization: { ...organization, logoImage: toImage(logoImage) } },
    users: await readUsers(tx, accountId),
    projects: projects.map((project) => toProjectEntry(project, slugOf)),
    tags: [...labels.values()].map((label) => ({ label })),
    contacts: [],
  };
}

function toImage(key: string | null): { key: string } | null {
  return key === null ? null : { key };
}

function toProjectEntry(
  { project, relatedIds, units }: ProjectWithUnits,
  slugOf: Map<string, string>,
): object {
  return {
    ...pick(project, PROJECT_FIELDS),
    heroImage: toImage(project.heroImage),
    galleryImages: project.galleryImages.map(toImage),
    relatedProjects: relatedIds.map((id) => slugOf.get(id)),
    units: units.map(toUnitEntry),
  };
}

function toUnitEntry(unit: Unit): object {
  return { ...pick(unit, UNIT_FIELDS), floorPlanImage: toImage(unit.floorPlanImage) };
}

function toContactEntry(
  { contact, tagIds, activities, links }: ContactWithAll,
  labels: Labels,
): object {
  return {
    ...pick(contact, CONTACT_FIELDS),
    tags: tagIds.map((id) => labels.get(id)),
    activities: activities.map(({ type, body, occurredAt }) => ({ type, body, occurredAt })),
    links: links.map(({ projectId, unitId }) => ({ projectId, unitId })),
  };
}

/** These fields of a row, in this order. */
function pick<Row extends object>(row: Row, fields: readonly (keyof Row)[]): Partial<Row> {
  const picked: Partial<Row> = {};
  for (const field of fields) picked[field] = row[field];
  return picked;
}
