import { isDeepStrictEqual } from 'node:util';
import type { Author } from '../../events/index.ts';
import {
  formatEtag,
  invalidRequest,
  Problem,
  problemDetails,
  type Fault,
  type ProblemDetails,
} from '../../platform/http/index.ts';
import { findMapped, type ColumnMap } from '../files/columns/column-maps.ts';
import type { Format } from '../files/format.ts';
import {
  NAME_MAX_LENGTH,
  type Column,
  type ContactFile,
  type Reason,
  type Remark,
  type StartContactFile,
  type Status,
} from './schemas.ts';

/** How a run was started. */
export interface RunOptions extends StartContactFile {
  author: Author;
  /** The ids of the earlier requests that started or undid the run. The events of its rows have these ids. */
  formerRequestIds?: string[];
}

/** Replaces the author of a run by that of its undo, and keeps the id of the former request. */
export function replaceAuthor(
  { formerRequestIds = [], ...options }: RunOptions,
  author: Author,
): RunOptions {
  const { requestId } = options.author;
  const ids = requestId === null ? formerRequestIds : [...formerRequestIds, requestId];
  return { ...options, author, formerRequestIds: ids };
}

/** A file as it is stored. */
export interface StoredFile {
  id: string;
  name: string;
  /** The format that its media type names. */
  mediaFormat: Format;
  /** The encoding that its media type names. */
  encoding: string | null;
  bytes: number;
  status: Status | 'uploading';
  createdAt: Date;
  actorType: Exclude<Author['actor']['type'], 'system'>;
  actorId: string;
  version: number;
  /** Null until the file is checked, as are its rows, columns and delimiter. */
  format: Format | null;
  rowCount: number | null;
  /** The line of the header; null for the first line that is not blank. */
  headerLine: number | null;
  delimiter: string | null;
  columns: Column[] | null;
  problem: ProblemDetails | null;
  /** The options of the latest run. */
  options: RunOptions | null;
  startedAt: Date | null;
  endedAt: Date | null;
  created: number;
  merged: number;
  refused: number;
  /** Rows that are marked as deleted. */
  deleted: number;
  /** All rows on the lines before this one are done. */
  nextLine: number;
  /** The lowest number that an event of the run, or of its undo, can have. */
  firstSequence: number | null;
  /** Why rows of the latest run were refused; null until it has ended. */
  reasons: Reason[] | null;
  /**
   * The values that the latest dry run would change or leave out. An import with the same options right after it keeps them. Null
   * for other runs.
   */
  remarks: Remark[] | null;
  /** How many contacts the undo removed: 0 from its start, and null when there was none. */
  removed: number | null;
  kept: number | null;
}

/** A file with the name of the person or API key that sent it; null when it has none any more. */
export interface NamedFile extends StoredFile {
  actorName: string | null;
}

/** Whether the latest run of a file is a dry run. */
export const isDryRun = ({ options }: Pick<StoredFile, 'options'>): boolean =>
  options?.dryRun === true;

/** The fields of a stored file that a step of its work changes. */
export type FileChanges = Partial<Omit<StoredFile, 'id' | 'version'>>;

/** Presents a file as the API shows it. */
export function presentFile(file: NamedFile): ContactFile {
  const { id, name, bytes, rowCount, format, problem, columns, removed, kept } = file;
  const hasUndo = removed !== null && (file.status === 'undone' || file.status === 'failed');
  return {
    id,
    name,
    bytes,
    rows: rowCount,
    format,
    // No answer shows a file whose bytes are still arriving.
    status: file.status as Status,
    problem,
    columns: columns ?? [],
    run: presentRun(file),
    undo: hasUndo ? { removed, kept: kept ?? 0 } : null,
    createdAt: file.createdAt.toISOString(),
    actor: { type: file.actorType, id: file.actorId, name: file.actorName ?? '' },
    etag: formatEtag(file.version),
  };
}

function presentRun(file: StoredFile): ContactFile['run'] {
  const { options, created, merged, refused, deleted, reasons, remarks, startedAt, endedAt } = file;
  if (options === null) return null;
  return {
    dryRun: isDryRun(file),
    options: pickShown(options),
    rowsRead: created + merged + refused + deleted,
    created,
    merged,
    refused,
    reasons: reasons ?? [],
    remarks: remarks ?? [],
    startedAt: startedAt?.toISOString() ?? null,
    endedAt: endedAt?.toISOString() ?? null,
  };
}

/** Picks the options that the API shows: those of the request, without what the service adds to them. */
function pickShown({ mapping, set, dateOrder, nameOrder }: RunOptions) {
  return {
    ...(mapping && { mapping }),
    ...(set && { set }),
    ...(dateOrder && { dateOrder }),
    ...(nameOrder && { nameOrder }),
  };
}

/** Reads the name of a file: the last part of its path, without characters that could do harm where it is shown. */
export function readFileName(text: string | undefined, format: StoredFile['mediaFormat']): string {
  const last = text?.split(/[/\\]/).at(-1) ?? '';
  const name = last
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .trim();
  const end = Array.from(name).slice(-NAME_MAX_LENGTH).join('');
  return end === '' ? `contacts.${format}` : end;
}

/** The values of a new run. */
const NEW_RUN = {
  problem: null,
  startedAt: null,
  endedAt: null,
  created: 0,
  merged: 0,
  refused: 0,
  deleted: 0,
  nextLine: 1,
  firstSequence: null,
  reasons: null,
  remarks: null,
} as const;

/** Plans the start of a run. Throws when the status of the file does not allow it, and when no column is the email. */
export function planStart(file: StoredFile, options: RunOptions): FileChanges {
  const { columns, delimiter, status } = file;
  const mapping = Object.entries(options.mapping ?? {});
  if (columns !== null && delimiter !== null) checkMapping(columns, toColumnMaps(mapping));
  if (columns !== null && delimiter === null && mapping.length > 0)
    throw invalidRequest([
      {
        pointer: '/mapping',
        detail: 'mapping is for columns; an object of NDJSON names its fields itself.',
      },
    ]);
  if (status !== 'ready')
    throw new Problem(
      'file_not_ready',
      `The file is ${status}; only one that is ready can be started.`,
    );
  const { options: before, remarks } = file;
  const isAsInDryRun =
    before !== null &&
    isDryRun(file) &&
    !options.dryRun &&
    isDeepStrictEqual(pickChoices(before), pickChoices(options));
  return { ...NEW_RUN, remarks: isAsInDryRun ? remarks : null, status: 'queued', options };
}

/** Picks the options that decide what an import does with a row. */
function pickChoices({ dryRun: _dryRun, author: _author, ...choices }: RunOptions): object {
  return choices;
}

/** Converts the fields that a client assigns to columns. */
export function toColumnMaps(mapping: [string, ColumnMap['field']][]): ColumnMap[] {
  return mapping.map(([header, field]) => ({ header: header.trim(), field }));
}

function checkMapping(columns: NonNullable<StoredFile['columns']>, maps: ColumnMap[]): void {
  const headers = columns.map(({ header }) => header);
  const places = maps.map((map) => findMapped(headers, map));
  const faults = maps.flatMap(({ header }, index): Fault[] => {
    if (places[index] !== -1) return [];
    const name = header.slice(0, NAME_MAX_LENGTH).toWellFormed();
    return [
      {
        pointer: '/mapping',
        detail: `mapping names "${name}", which is not a header of the file.`,
      },
    ];
  });
  if (faults.length > 0) throw invalidRequest(faults);
  const fields = columns.map(({ field }) => field);
  for (const [index, { field }] of maps.entries()) fields[places[index] ?? -1] = field;
  if (!fields.includes('email')) throw emailMissing();
}

/** Makes the problem of a file in which no column is recognized as the email: the start must name it. Null when one is. */
export function findEmailProblem({
  columns,
  delimiter,
}: Pick<StoredFile, 'columns' | 'delimiter'>): ProblemDetails | null {
  if (columns === null || delimiter === null) return null;
  return columns.some(({ field }) => field === 'email') ? null : problemDetails(emailMissing());
}

const emailMissing = () => mappingIncomplete('No column is the email; say which in mapping.');

export function mappingIncomplete(detail: string, pointer = '/mapping'): Problem {
  return new Problem('mapping_incomplete', detail, { errors: [{ pointer, detail }] });
}

/** Plans the stop of a run. Returns null when nothing changes. Throws when there is no run. */
export function planStop(file: StoredFile, now: Date): FileChanges | null {
  const { status } = file;
  if (status === 'queued') return { status: isDryRun(file) ? 'ready' : 'stopped', endedAt: now };
  if (status === 'running') return { status: 'stopping' };
  if (status === 'stopping' || status === 'stopped') return null;
  throw invalidTransition(`The file is ${status}; nothing runs that could be stopped.`);
}

/** Plans to continue a run. Returns null when it runs already. Throws when it cannot be continued. */
export function planContinue({ status, removed }: StoredFile): FileChanges | null {
  if (status === 'failed' && removed !== null)
    throw invalidTransition('The undo of the file has failed; it can only be undone again.');
  if (status === 'stopped' || status === 'failed')
    return { status: 'queued', problem: null, endedAt: null };
  if (status === 'queued' || status === 'running') return null;
  throw invalidTransition(`The file is ${status}; only a run that has stopped can be continued.`);
}

/** Plans the undo of a run. Returns null when it is, or was, undone. Throws when nothing can be undone. */
export function planUndo({ status, removed, firstSequence }: StoredFile): FileChanges | null {
  if (status === 'undoing' || status === 'undone') return null;
  if (status === 'completed' || status === 'stopped' || status === 'failed')
    return {
      status: 'undoing',
      problem: null,
      removed: 0,
      // The events of an undo that failed are among those of the next one.
      firstSequence: removed === null ? null : firstSequence,
    };
  throw invalidTransition(`The file is ${status}; only a run that has ended can be undone.`);
}

const BUSY = new Set<string>(['queued', 'running', 'stopping', 'undoing']);

/** Throws while a process works on the file. */
export function requireIdle({ status }: StoredFile): void {
  if (BUSY.has(status)) throw invalidTransition(`The file is ${status}; stop it first.`);
}

function invalidTransition(detail: string): Problem {
  return new Problem('invalid_transition', detail);
}

/** Removes the sample values of the columns. They are personal data, and nobody needs them once the run has ended. */
export function removeSamples({ columns }: StoredFile): StoredFile['columns'] {
  return columns && columns.map((column) => ({ ...column, samples: [] }));
}
