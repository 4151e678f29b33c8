import { InvalidArgumentError } from 'commander';
import { open, type FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import {
  FileError,
  type Format,
  importFile,
  leaveOutForeignIds,
  makeShape,
  type FileResult,
  type Layout,
  toMaps,
  openFile,
  readRows,
  decideSpelling,
  surveyRows,
  type DateOrder,
  type NameOrder,
  type Spelling,
  type Survey,
  type ContactsFile,
} from '../../imports/index.ts';
import type { Pool } from '../../platform/database/index.ts';
import { createReadError, CommandError } from '../command-error.ts';
import { withAccount } from '../database.ts';
import { printLines, say, sayOnTerminal } from '../output.ts';
import { createProgressBar } from '../progress.ts';
import { toExitCode } from '../signals.ts';
import { printColumns } from './import-columns.ts';
import { createReport } from './import-report.ts';
import { describeImport } from './import-summary.ts';
import { spool } from './spool.ts';

const READ_BYTES = 64 * 1024;

interface ImportOptions {
  dryRun?: boolean;
  report?: string;
  map?: string[];
  format?: Format;
  encoding?: string;
  headerLine?: number;
  dateOrder?: DateOrder;
  nameOrder?: NameOrder;
  fromLine?: number;
}

/** Runs `offplan import`: imports the contacts of a file. The name `-` means stdin. */
export async function importContacts(
  slug: string,
  file: string,
  options: ImportOptions,
): Promise<void> {
  checkMaps(options.map ?? []);
  await using input = await openInput(file);
  const opened = await checkFile(input, file, options).catch((error: unknown) => {
    throw addFileName(error, file);
  });
  const startMs = performance.now();
  const { result, layout, stop } = await importOpenedFile(slug, file, opened, options);
  // After a stop, end the line of the progress bar.
  if (result.nextLine !== null) sayOnTerminal('');
  const { dryRun = false, report: reportFile } = options;
  const seconds = (performance.now() - startMs) / 1000;
  await printLines(
    describeImport(result, {
      slug,
      dryRun,
      reportFile,
      seconds,
      layout,
      spelling: opened.spelling,
    }),
  );
  reportEnd(result, file, options);
  if (result.nextLine !== null) process.exitCode = toExitCode(stop.reason as NodeJS.Signals);
}

interface OpenedFile {
  contacts: ContactsFile;
  survey: Survey;
  spelling: Spelling;
}

interface ImportedFile {
  result: FileResult;
  layout: Layout;
  /** Aborted with the signal that stopped the import. */
  stop: AbortSignal;
}

async function importOpenedFile(
  slug: string,
  file: string,
  { contacts, survey, spelling }: OpenedFile,
  { dryRun = false, report, fromLine }: ImportOptions,
): Promise<ImportedFile> {
  const stop = new AbortController();
  const importInto = async (db: Pool, accountId: string): Promise<ImportedFile> => {
    const layout = await leaveOutForeignIds(db, accountId, contacts.layout, survey);
    if (layout.ignored.length > 0) say(`Not imported: ${layout.ignored.join(', ')}.`);
    if (dryRun) await printColumns(layout, survey);
    const reported = createReport(report, file, layout);
    const onProgress = createProgressBar();
    const result = await importFile(db, accountId, {
      shape: makeShape(file === '-' ? 'stdin' : basename(file), layout, { spelling }),
      rows: readRows({ ...contacts, layout }, fromLine),
      dryRun,
      stop: stop.signal,
      onProgress: ({ created, merged, refused }) =>
        onProgress?.(created + merged + refused, survey.rows),
      onRefused: reported.write,
    });
    reported.close();
    return { result, layout, stop: stop.signal };
  };
  return withAccount(slug, ({ lookups }, accountId) => importInto(lookups, accountId), {
    onStop: (signal) => stop.abort(signal),
  });
}

// Check only the syntax here: `openFile` reports a column that the file does not have.
function checkMaps(maps: string[]): void {
  try {
    toMaps(maps);
  } catch (error) {
    throw error instanceof FileError ? new InvalidArgumentError(error.message) : error;
  }
}

/** Opens the input so that it can be read twice. It first copies stdin or a pipe. */
async function openInput(file: string): Promise<FileHandle> {
  if (file === '-') return spool(process.stdin);
  try {
    const input = await open(file);
    const status = await input.stat();
    if (status.isFile() || status.isDirectory()) return input;
    return await spool(input.createReadStream());
  } catch (error) {
    throw toReadError(error, file);
  }
}

// Read the input to its end before importing the first row, so that a truncated file imports nothing.
async function checkFile(
  input: FileHandle,
  file: string,
  options: ImportOptions,
): Promise<OpenedFile> {
  const { fromLine = 1, dateOrder, nameOrder } = options;
  const checked = await openContacts(input, file, options);
  const survey = await surveyRows(checked, { fromLine, now: new Date() });
  const spelling = decideSpelling(checked.layout, survey, { dateOrder, nameOrder });
  return { contacts: await openContacts(input, file, options), survey, spelling };
}

async function openContacts(
  input: FileHandle,
  file: string,
  { format, encoding, headerLine, map: maps = [] }: ImportOptions,
): Promise<ContactsFile> {
  const fileOptions = {
    name: file === '-' ? null : file,
    format: format ?? null,
    encoding: encoding ?? null,
    headerLine: headerLine ?? null,
    maps: toMaps(maps),
  };
  return openFile(Readable.from(readFromStart(input)), fileOptions).catch((error: unknown) => {
    throw toReadError(error, file);
  });
}

// Read with the handle: a stream would close the file at its end.
async function* readFromStart(file: FileHandle): AsyncGenerator<Buffer> {
  for (let position = 0; ;) {
    const buffer = Buffer.allocUnsafe(READ_BYTES);
    const { bytesRead } = await file.read({ buffer, position });
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
  }
}

function toReadError(error: unknown, file: string): unknown {
  const isOfSystem = (error as NodeJS.ErrnoException).syscall !== undefined;
  return isOfSystem ? createReadError(file, error as NodeJS.ErrnoException) : error;
}

/** Adds the name of the file to an error about the file. */
function addFileName(error: unknown, file: string): unknown {
  return error instanceof FileError
    ? new CommandError(`${describeInput(file)}: ${error.message}`)
    : error;
}

function describeInput(file: string): string {
  return file === '-' ? 'stdin' : file;
}

function reportEnd(result: FileResult, file: string, { fromLine = 1 }: ImportOptions): void {
  const { created, merged, refused, nextLine, failure } = result;
  if (created + merged + refused === 0 && nextLine === null && fromLine > 1)
    say(`${describeInput(file)} has no row on line ${fromLine} or after it.`);
  if (nextLine !== null)
    say(
      `Not all of ${describeInput(file)} was imported. Go on with --from-line ${Math.max(nextLine, fromLine)}.`,
    );
  if (failure !== null) throw addFileName(failure, file);
}
