import type { Queryable } from '../../../platform/database/index.ts';
import { Problem } from '../../../platform/http/index.ts';
import type { Lead, LeadHistory } from '../../lead.ts';
import { readDirectory } from './directory-store.ts';
import { findLatestMs } from '../dates.ts';
import { readHistory } from './history.ts';
import { createNameFinder, type NameFinder } from './name-finder.ts';
import { readLead } from './read-lead.ts';
import type { RowContent } from '../rows/row-content.ts';
import type { FileShape, RowValues } from '../rows/file-shape.ts';

/** The lead of a row, or the problem that refuses the row. */
export interface FileLead {
  lead: Lead | Problem;
  /** The row as an import request. */
  request: unknown;
  history: LeadHistory | null;
  /** Sentences about values that were left out. They are counted over the file. */
  remarks: string[];
}

/** Loads the people, projects and units that rows can name. Reads nothing when no column of the file names one. */
export async function loadNames(
  db: Queryable,
  accountId: string,
  { delimiter, fields }: Pick<FileShape, 'delimiter' | 'fields'>,
): Promise<NameFinder> {
  const isNaming = fields.some(
    (field) => field === 'owner' || field === 'project' || field === 'unit',
  );
  if (isNaming || delimiter === null) return loadAllNames(db, accountId);
  return createNameFinder({ users: [], projects: [], units: [] });
}

/** Reads the names of all people, projects and units of an account at once. */
export async function loadAllNames(db: Queryable, accountId: string): Promise<NameFinder> {
  return createNameFinder(await readDirectory(db, accountId));
}

/** Reads the content of a row of a file: its lead, with the history that only a file has. */
export function readFileLead(
  content: RowContent,
  { spelling, set }: Pick<FileShape, 'spelling' | 'set'>,
  names: NameFinder,
  now: Date,
): FileLead {
  const { value, extra } = content;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { lead: readLead(content, 'file'), request: value, history: null, remarks: [] };
  const options = { ...spelling, names, latestMs: findLatestMs(now) };
  const row = readHistory({ ...value, ...extra }, options);
  const { history, remarks } = row;
  const request = set === undefined ? row.request : setValues(row.request, set);
  const lead = readLead({ ...content, value: request }, 'file');
  if (!(lead instanceof Problem)) lead.history = history;
  return { lead, request, history, remarks };
}

/** Gives a row the values that the user sets for all rows. Their tags are added to those of the row. */
export function setValues(row: object, { tags, ...values }: RowValues): object {
  const request = { ...row, ...values };
  if (tags === undefined) return request;
  const { tags: own } = row as { tags?: unknown };
  const ownTags = typeof own === 'string' ? own.split(',') : own;
  // Leave a value that is not a list as it is: the schema refuses it.
  if (ownTags !== undefined && ownTags !== null && !Array.isArray(ownTags)) return request;
  return { ...request, tags: [...((ownTags as unknown[] | null | undefined) ?? []), ...tags] };
}
