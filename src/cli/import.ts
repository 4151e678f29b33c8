import { InvalidArgumentError } from 'commander';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import {
  FileError,
  type Format,
  importFile,
  leaveOutForeignIds,
  type FileResult,
  type FileShape,
  type Layout,
  toMaps,
  openFile,
  readRows,
  surveyRows,
  type Survey,
  type ContactsFile,
} from '../imports/index.ts';
import type { Pool } from '../platform/database/index.ts';
import { createReadError, CommandError } from './command-error.ts';
import { withAccount } from './database.ts';
import { printColumns } from './import-columns.ts';
import { createReport } from './import-report.ts';
import { describeImport } from './import-summary.ts';
import { printLines, say, sayOnTerminal } from './output.ts';
import { createProgressBar } from './progress.ts';
import { SIGNAL_EXIT_CODES } from './signals.ts';

interface ImportOptions {
  dryRun?: boolean;
  report?: string;
  map?: string[];
  format?: Format;
  encoding?: string;
  headerLine?: number;
  fromLine?: number;
}

/** Runs `offplan import`: imports the contacts of a file. The name `-` means stdin. */
export async function importContacts(
  slug: string,
  file: string,
  options: ImportOptions,
): Promise<void> {
  checkMaps(options.map ?? []);
  const opened = await openCheckedFile(file, options).catch((error: unknown) => {
    throw addFileName(error, file);
  });
  const startMs = performance.now();
  const { result, layout } = await importOpenedFile(slug, file, opened, options);
  // After a stop, end the line of the progress bar.
  if (result.nextLine !== null) sayOnTerminal('');
  const { dryRun = false, report: reportFile } = options;
  const seconds = (performance.now() - startMs) / 1000;
  await printLines(describeImport(result, { slug, dryRun, reportFile, seconds, layout }));
  reportEnd(result, file, options);
}

interface OpenedFile {
  contacts: ContactsFile;
  /** null for a file that can be read only once, such as a pipe. */
  survey: Survey | null;
}

interface ImportedFile {
  result: FileResult;
  layout: Layout;
}

async function importOpenedFile(
  slug: string,
  file: string,
  { contacts, survey }: OpenedFile,
  { dryRun = false, report, fromLine }: ImportOptions,
): Promise<ImportedFile> {
  const stop = new AbortController();
  const importInto = async (db: Pool, accountId: string): Promise<ImportedFile> => {
    const layout =
      survey === null
        ? contacts.layout
        : await leaveOutForeignIds(db, accountId, contacts.layout, survey);
    if (layout.ignored.length > 0) say(`Not imported: ${layout.ignored.join(', ')}.`);
    if (dryRun && survey !== null) await printColumns(layout, survey);
    const reported = createReport(report, file, layout);
    const onProgress = createProgressBar();
    const result = await importFile(db, accountId, {
      shape: toShape(file, layout),
      rows: readRows({ ...contacts, layout }, fromLine),
      dryRun,
      stop: stop.signal,
      onProgress: (done) => onProgress?.(done, survey?.rows ?? null),
      onRefused: reported.write,
    });
    reported.close();
    return { result, layout };
  };
  return withAccount(slug, ({ lookups }, accountId) => importInto(lookups, accountId), {
    onStop: () => stop.abort(),
  });
}

function toShape(file: string, { delimiter, fields, shared, isReport }: Layout): FileShape {
  return {
    name: file === '-' ? 'stdin' : basename(file),
    delimiter,
    fields,
    ...(shared.length > 0 && { shared }),
    ...(isReport && { isReport }),
  };
}

// Checks only the syntax: `openFile` finds a column that the file does not have.
function checkMaps(maps: string[]): void {
  try {
    toMaps(maps);
  } catch (error) {
    throw error instanceof FileError ? new InvalidArgumentError(error.message) : error;
  }
}

// Reads a regular file to its end before it imports the first row, so that a truncated file imports nothing.
async function openCheckedFile(file: string, options: ImportOptions): Promise<OpenedFile> {
  const canBeReadTwice = file !== '-' && (await isRegularFile(file));
  const survey = canBeReadTwice
    ? await surveyRows(await openInput(file, options), options.fromLine)
    : null;
  return { contacts: await openInput(file, options), survey };
}

async function isRegularFile(file: string): Promise<boolean> {
  try {
    return (await stat(file)).isFile();
  } catch (error) {
    throw createReadError(file, error as NodeJS.ErrnoException);
  }
}

async function openInput(
  file: string,
  { format, encoding, headerLine, map: maps = [] }: ImportOptions,
): Promise<ContactsFile> {
  const fileOptions = {
    name: file === '-' ? null : file,
    format: format ?? null,
    encoding: encoding ?? null,
    headerLine: headerLine ?? null,
    maps,
  };
  const chunks = file === '-' ? process.stdin : createReadStream(file);
  return openFile(chunks, fileOptions).catch((error: unknown) => {
    throw (error as NodeJS.ErrnoException).syscall === undefined
      ? error
      : createReadError(file, error as NodeJS.ErrnoException);
  });
}

/** Adds the name of the file to an error about the file. */
function addFileName(error: unknown, file: string): unknown {
  return error instanceof FileError ? new CommandError(`${file}: ${error.message}`) : error;
}

function reportEnd(result: FileResult, file: string, { fromLine = 1 }: ImportOptions): void {
  const { created, merged, refused, nextLine, failure } = result;
  if (created + merged + refused === 0 && nextLine === null && fromLine > 1)
    say(`${file} has no row on line ${fromLine} or after it.`);
  if (nextLine !== null)
    say(`Not all of ${file} was imported. Go on with --from-line ${Math.max(nextLine, fromLine)}.`);
  if (failure !== null) throw addFileName(failure, file);
  if (nextLine !== null) process.exitCode = SIGNAL_EXIT_CODES.SIGINT;
}
