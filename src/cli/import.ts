import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import {
  checkFile,
  FileError,
  FORMATS,
  type Format,
  importFile,
  type FileResult,
  type FileOptions,
  type Layout,
  toMaps,
  openFile,
  readRows,
  type ContactsFile,
  type FileShape,
} from '../imports/index.ts';
import { findAccount } from './account.ts';
import { CommandError, UsageError, type Arguments, type Command } from './command.ts';
import { SIGNAL_EXIT_CODES, withDatabase } from './database.ts';
import { collectEarly } from './heap.ts';
import { createReport } from './import-report.ts';
import { cannotRead } from './input.ts';
import { describe } from './import-summary.ts';
import { print, progressBar, say, sayToPeople } from './output.ts';

export const importCommand: Command = {
  usage:
    'import ACCOUNT FILE [--dry-run] [--report FILE] [--map HEADER=FIELD]... [--from-line N] [--format F]',
  summary: 'Imports the contacts of a CSV, TSV or NDJSON file. FILE can be -.',
  options: {
    'dry-run': { type: 'boolean', help: 'Tells what would happen, and stores nothing.' },
    report: {
      type: 'string',
      help: 'Writes the refused rows to this file, with line and reason, to be corrected and imported.',
    },
    map: {
      type: 'string',
      multiple: true,
      help: 'What a column is: "Their header=field". Can be given several times; "Their header=" leaves it out.',
    },
    format: { type: 'string', help: `${FORMATS.join(', ')}; found out when it is not given.` },
    'from-line': { type: 'string', help: 'Goes on at this line of the file.' },
  },
  async run(args) {
    const job = toJob(args);
    collectEarly();
    const { layout, rows, total } = await open(job).catch((error: unknown) => {
      throw named(error, job);
    });
    if (layout.format === 'csv' && layout.ignored.length > 0)
      say(`Not imported: ${layout.ignored.join(', ')}.`);
    const stop = new AbortController();
    const startMs = performance.now();
    const onProgress = progressBar();
    const result = await withDatabase(
      args.config,
      async ({ lookups: db }) => {
        const accountId = await findAccount(db, job.slug);
        const report = createReport(job.reportFile, layout);
        return importFile(db, accountId, {
          shape: shapeOf(job.file, layout),
          rows,
          dryRun: job.dryRun,
          stop: stop.signal,
          onProgress: (done) => onProgress?.(done, total),
          onRefused: report,
        });
      },
      { onStop: () => stop.abort() },
    );
    // The bar stands where it was stopped.
    if (result.nextLine !== null) sayToPeople('');
    const seconds = (performance.now() - startMs) / 1000;
    await print(describe(result, { ...job, seconds }));
    end(result, job);
  },
};

interface Job {
  slug: string;
  file: string;
  dryRun: boolean;
  reportFile: string | null;
  format: Format | null;
  maps: string[];
  fromLine: number;
}

function toJob({ words: [slug = '', file = ''], flags, lists }: Arguments): Job {
  return {
    slug,
    file,
    dryRun: flags['dry-run'] === true,
    reportFile: flags['report'] === undefined ? null : String(flags['report']),
    format: toFormat(flags['format']),
    maps: toMapFlags(lists['map'] ?? []),
    fromLine: toLine(flags['from-line']),
  };
}

type Flag = string | boolean | undefined;

function toFormat(flag: Flag): Format | null {
  const format = FORMATS.find((each) => each === flag);
  if (flag === undefined || format !== undefined) return format ?? null;
  throw new UsageError(`--format must be one of ${FORMATS.join(', ')}`);
}

// Whether the file has such columns is known later.
function toMapFlags(flags: string[]): string[] {
  try {
    toMaps(flags);
    return flags;
  } catch (error) {
    throw error instanceof FileError ? new UsageError(error.message) : error;
  }
}

function toLine(flag: Flag): number {
  const line = Number(flag ?? 1);
  if (/^\d{1,15}$/.test(String(flag ?? 1)) && line >= 1) return line;
  throw new UsageError('--from-line must be the number of a line, from 1');
}

interface Opened {
  layout: Layout;
  rows: ReturnType<typeof readRows>;
  /** How many rows there are; null where that cannot be known beforehand. */
  total: number | null;
}

// A regular file is looked through before anything is imported, so that a file that breaks off is none by halves.
async function open({ file, fromLine, ...options }: Job): Promise<Opened> {
  const canBeReadTwice = file !== '-' && (await isRegular(file));
  const checked = canBeReadTwice
    ? await checkFile(await openInput(file, options), fromLine)
    : { rows: null };
  const opened = await openInput(file, options);
  return { layout: opened.layout, rows: readRows(opened, fromLine), total: checked.rows };
}

async function isRegular(file: string): Promise<boolean> {
  try {
    return (await stat(file)).isFile();
  } catch (error) {
    throw cannotRead(file, error as NodeJS.ErrnoException);
  }
}

async function openInput(
  file: string,
  { format, maps }: Pick<FileOptions, 'format' | 'maps'>,
): Promise<ContactsFile> {
  const name = file === '-' ? null : file;
  const chunks = name === null ? process.stdin : createReadStream(name);
  return openFile(chunks, { name, format, maps }).catch((error: unknown) => {
    throw (error as NodeJS.ErrnoException).syscall === undefined
      ? error
      : cannotRead(file, error as NodeJS.ErrnoException);
  });
}

function shapeOf(file: string, layout: Layout): FileShape {
  const name = file === '-' ? 'stdin' : basename(file);
  if (layout.format === 'ndjson') return { name, delimiter: null, fields: [] };
  return { name, delimiter: layout.delimiter, fields: layout.fields };
}

// What is wrong with a file is told with its name.
function named(error: unknown, { file }: Job): unknown {
  return error instanceof FileError ? new CommandError(`${file}: ${error.message}`) : error;
}

function end({ nextLine, failure, ...result }: FileResult, job: Job): void {
  const rows = result.created + result.merged + result.refused;
  if (rows === 0 && nextLine === null && job.fromLine > 1)
    say(`${job.file} has no row on line ${job.fromLine} or after it.`);
  if (nextLine !== null)
    say(`Not all of ${job.file} was imported. Go on with --from-line ${nextLine}.`);
  if (failure !== null) throw named(failure, job);
  if (nextLine !== null) process.exitCode = SIGNAL_EXIT_CODES.SIGINT;
}
