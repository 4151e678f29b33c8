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
import { cannotRead, CommandError } from './command-error.ts';
import { SIGNAL_EXIT_CODES, withAccount } from './database.ts';
import { createReport } from './import-report.ts';
import { describeImport } from './import-summary.ts';

import { print, say, sayToPeople } from './output.ts';
import { progressBar } from './progress.ts';

interface ImportOptions {
  dryRun?: boolean;
  report?: string;
  map?: string[];
  format?: Format;
  fromLine?: number;
}

/** Imports a file; `-` is stdin. */
export async function importContacts(
  slug: string,
  file: string,
  options: ImportOptions,
): Promise<void> {
  checkMaps(options.map ?? []);
  const opened = await openChecked(file, options).catch((error: unknown) => {
    throw nameFile(error, file);
  });
  const { layout } = opened;
  if (layout.ignored.length > 0) say(`Not imported: ${layout.ignored.join(', ')}.`);
  const startMs = performance.now();
  const result = await importOpened(slug, file, opened, options);
  // After a stop, the progress bar stays above the summary.
  if (result.nextLine !== null) sayToPeople('');
  const { dryRun = false, report: reportFile } = options;
  const seconds = (performance.now() - startMs) / 1000;
  await print(describeImport(result, { slug, dryRun, reportFile, seconds }));
  reportEnd(result, file, options);
}

interface OpenedFile {
  layout: Layout;
  rows: ReturnType<typeof readRows>;
  /** The number of rows, or null when it cannot be known beforehand. */
  total: number | null;
}

function importOpened(
  slug: string,
  file: string,
  { layout, rows, total }: OpenedFile,
  { dryRun = false, report }: ImportOptions,
): Promise<FileResult> {
  const stop = new AbortController();
  const onProgress = progressBar();
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

// Whether the file has such columns shows only when it is opened.
function checkMaps(maps: string[]): void {
  try {
    toMaps(maps);
  } catch (error) {
    throw error instanceof FileError ? new InvalidArgumentError(error.message) : error;
  }
}

// A regular file is checked to its end before the first row is imported, so that a truncated one imports nothing.
async function openChecked(file: string, options: ImportOptions): Promise<OpenedFile> {
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
    throw cannotRead(file, error as NodeJS.ErrnoException);
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
      : cannotRead(file, error as NodeJS.ErrnoException);
  });
}

/** Puts the file's name in front of a fault of the file. */
function nameFile(error: unknown, file: string): unknown {
  return error instanceof FileError ? new CommandError(`${file}: ${error.message}`) : error;
}

function reportEnd(result: FileResult, file: string, { fromLine = 1 }: ImportOptions): void {
  const { created, merged, refused, nextLine, failure } = result;
  if (created + merged + refused === 0 && nextLine === null && fromLine > 1)
    say(`${file} has no row on line ${fromLine} or after it.`);
  if (nextLine !== null)
    say(`Not all of ${file} was imported. Go on with --from-line ${nextLine}.`);
  if (failure !== null) throw nameFile(failure, file);
  if (nextLine !== null) process.exitCode = SIGNAL_EXIT_CODES.SIGINT;
}
