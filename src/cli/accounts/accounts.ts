import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { getHeapStatistics } from 'node:v8';
import {
  findAccountBySlug,
  listAccounts,
  renameAccount,
  SlugTakenError,
} from '../../accounts/index.ts';
import {
  deleteAccount,
  exportAccount,
  loadAccount,
  measureAccount,
  type DeletionStep,
  type LoadOptions,
} from '../../portability/index.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Pools } from '../../platform/database/index.ts';
import { CommandError, createReadError, createWriteError } from '../command-error.ts';
import { createNoAccountError, withAccount, withDatabase } from '../database.ts';
import { readLine } from '../input.ts';
import { describeLoad } from './load-report.ts';
import { formatAmount, print, printJson, printLines, printTable, say } from '../output.ts';
import { reportPictures } from '../pictures.ts';
import { createProgressBar } from '../progress.ts';

export async function printAccounts({ json }: { json?: true }): Promise<void> {
  const accounts = await withDatabase(({ lists }) => listAccounts(lists));
  if (json) return printJson(accounts);
  if (accounts.length === 0)
    return say('There is no account yet; offplan accounts create makes one.');
  await printTable(
    ['SLUG', 'COMPANY', 'CREATED'],
    accounts.map(({ slug, companyName, createdAt }) => [
      slug,
      companyName,
      createdAt.toISOString(),
    ]),
  );
}

export async function printAccount(slug: string, { only }: { only?: 'stock' }): Promise<void> {
  const found = await withDatabase(({ lists }) =>
    exportAccount(lists, slug, print, only && { only }),
  );
  if (!found) throw createNoAccountError(slug);
}

export async function loadFile(file: string, options: LoadOptions): Promise<void> {
  const document = await readDocument(file);
  const onProgress = createProgressBar();
  let isLoaded = false;
  const load = async (pools: Pools, config: Config): Promise<void> => {
    const report = await loadAccount(pools.lookups, document, {
      ...options,
      ...(onProgress && { onProgress }),
    });
    isLoaded = true;
    await printLines(describeLoad(report, options));
    const accountId = await findAccountBySlug(pools.lookups, report.slug);
    if (accountId !== undefined) await reportPictures(config, pools, accountId, report.slug);
  };
  // A load is one transaction, which PostgreSQL rolls back when the connection closes.
  const describeStop = () => (isLoaded ? undefined : 'Stopped; nothing was loaded. Load it again.');
  await withDatabase(load, { describeStop });
}

async function readDocument(file: string): Promise<string> {
  const bytes = await (file === '-' ? buffer(process.stdin) : readFile(file)).catch(
    (error: NodeJS.ErrnoException) => {
      throw createReadError(file, error);
    },
  );
  warnOfMemory(file, bytes.length);
  // Refuse other encodings: decoding would replace bytes that are not UTF-8, and so change the content.
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new CommandError(`${file} is not in UTF-8; save it as that`);
}

/** A load needs up to this many times the bytes of its file as memory. */
const MEMORY_FACTOR = 20;
const MB = 1_000_000;
/** V8 adds this to --max-old-space-size, for young objects, on a machine with much memory. */
const YOUNG_BYTES = 192 * 1024 * 1024;

/** Says beforehand how to get more memory: when it runs out, Node.js aborts. */
function warnOfMemory(file: string, bytes: number): void {
  const needed = bytes * MEMORY_FACTOR;
  const limit = getHeapStatistics().heap_size_limit - YOUNG_BYTES;
  if (needed < limit) return;
  const [ofFile, ofLoad, allowed] = [bytes, needed, limit].map((each) => Math.round(each / MB));
  say(
    `${file} has ${ofFile} MB. A load of it can need ${ofLoad} MB of memory, and Node.js takes at most ${allowed} MB here. ` +
      `If it ends because memory is out, nothing is stored: load it with NODE_OPTIONS=--max-old-space-size=${ofLoad}.`,
  );
}

export async function renameAccountTo(slug: string, newSlug: string): Promise<void> {
  const isRenamed = await withAccount(slug, ({ lookups }, accountId) =>
    renameAccount(lookups, accountId, { from: slug, to: newSlug }),
  ).catch((error: unknown) => {
    throw error instanceof SlugTakenError
      ? new CommandError(`there is an account "${newSlug}" already; nothing was changed`)
      : error;
  });
  if (!isRenamed) throw createNoAccountError(slug);
  await print(`Account "${slug}" is now "${newSlug}". Its API keys stay valid.\n`);
}

export async function deleteWholeAccount(slug: string): Promise<void> {
  let step: DeletionStep | undefined;
  const askAndDelete = async ({ lookups }: Pools, accountId: string, { mediaDir }: Config) => {
    const { companyName, contacts, projects } = await measureAccount(lookups, accountId);
    say(
      `This deletes account "${slug}" (${companyName}) with ${formatAmount(contacts, 'contact')}, ` +
        `${formatAmount(projects, 'project')}, its users, keys, pictures and import log. There is no way back.`,
    );
    say(`To go on, enter the slug of the account again:`);
    if ((await readLine()) !== slug)
      throw new CommandError('the slug was not entered again; nothing was deleted');
    const failure = await deleteAccount(
      { db: lookups, mediaDir },
      accountId,
      (done) => (step = done),
    );
    if (failure === null) return;
    const { message } = createWriteError(join(mediaDir, accountId), failure);
    throw new CommandError(
      `account "${slug}" is deleted, but its pictures are not: ${message}; remove that folder`,
    );
  };
  await withAccount(slug, askAndDelete, {
    describeStop: () => describeStoppedDeletion(slug, step),
  });
  await print(`Account "${slug}" deleted.\n`);
}

function describeStoppedDeletion(slug: string, step: DeletionStep | undefined): string {
  if (step === undefined) return 'Stopped; nothing was deleted.';
  return step === 'revoked'
    ? `Stopped; account "${slug}" is still there, but its API keys are revoked. Delete it again.`
    : `Stopped; account "${slug}" is deleted, but files of its pictures may be left.`;
}
