import { InvalidArgumentError } from 'commander';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import {
  countRows,
  FileError,
  type Format,
  importFile,
  type FileResult,
  type Layout,
  toMaps,
  openFile,
  readRows,
  type ContactsFile,
} from '../imports/index.ts';
import { createReadError, CommandError } from './command-error.ts';
import { withAccount } from './database.ts';
import { createReport } from './import-report.ts';
import { describeImport } from './import-summary.ts';
import { print, say, sayOnTerminal } from './output.ts';
import { createProgressBar } from './progress.ts';
import { SIGNAL_EXIT_CODES } from './signals.ts';

interface ImportOptions {
  dryRun?: boolean;
  report?: string;
  map?: string[];
  format?: Format;
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
  const { layout } = opened;
  if (layout.ignored.length > 0) say(`Not imported: ${layout.ignored.join(', ')}.`);
  const startMs = performance.now();
  const result = await importOpenedFile(slug, file, opened, options);
  // After a stop, end the line of the progress bar.
  if (result.nextLine !== null) sayOnTerminal('');
  const { dryRun = false, report: reportFile } = options;
  const seconds = (performance.now() - startMs) / 1000;
  await print(describeImport(result, { slug, dryRun, reportFile, seconds }));
  reportEnd(result, file, options);
}

interface OpenedFile {
  layout: Layout;
  rows: ReturnType<typeof readRows>;
  /** The number of rows; null for a file that can be read only once, such as a pipe. */
  total: number | null;
}

function importOpenedFile(
  slug: string,
  file: string,
  { layout, rows, total }: OpenedFile,
  { dryRun = false, report }: ImportOptions,
): Promise<FileResult> {
  const stop = new AbortController();
  const onProgress = createProgressBar();
  return withAccount(
    slug,
    ({ lookups }, accountId) =>
      importFile(lookups, accountId, {
        shape: {
          name: file === '-' ? 'stdin' : basename(file),
          delimiter: layout.delimiter,
          fields: layout.fields,
        },
        rows,
        dryRun,
        stop: stop.signal,
        onProgress: (done) => onProgress?.(done, total),
        onRefused: createReport(report, layout),
      }),
    { onStop: () => stop.abort() },
  );
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
  const { fromLine = 1 } = options;
  const canBeReadTwice = file !== '-' && (await isRegularFile(file));
  const total = canBeReadTwice ? await countRows(await openInput(file, options), fromLine) : null;
  const opened = await openInput(file, options);
  return { layout: opened.layout, rows: readRows(opened, fromLine), total };
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
  { format, map: maps = [] }: Pick<ImportOptions, 'format' | 'map'>,
): Promise<ContactsFile> {
  const name = file === '-' ? null : file;
  const chunks = name === null ? process.stdin : createReadStream(name);
  return openFile(chunks, { name, format: format ?? null, maps }).catch((error: unknown) => {
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
    say(`Not all of ${file} was imported. Go on with --from-line ${nextLine}.`);
  if (failure !== null) throw addFileName(failure, file);
  if (nextLine !== null) process.exitCode = SIGNAL_EXIT_CODES.SIGINT;
}
