import { setTimeout as sleep } from 'node:timers/promises';
import { attach, connectionTo, detach, type Attachment } from './attach.ts';
import { ensureBinaries } from './binaries.ts';
import { ensureCluster } from './cluster.ts';
import { ensureSocketFolder, openDataFolder, type DataFolderOptions } from './data-folder.ts';
import { EmbeddedPostgresError, errorText } from './error.ts';
import type { Server } from './server-process.ts';

/** A running server, and this process as one of its users. */
export interface EmbeddedPostgres {
  /** Options for a `pg` Pool or Client. */
  connection: ReturnType<typeof connectionTo>;
  /** Ends the use of the server; the last user stops it. Idempotent. */
  release: () => Promise<void>;
}

const RETRY_MS = 5_000;

/**
 * Starts PostgreSQL on the data folder, or joins the one that runs there. The first start makes the database. Throws an
 * EmbeddedPostgresError when that is not possible.
 */
export async function startEmbedded(options: DataFolderOptions): Promise<EmbeddedPostgres> {
  const { note = () => undefined } = options;
  try {
    const folder = await openDataFolder(options);
    const binaries = await ensureBinaries(folder);
    const cluster = await ensureCluster(folder, binaries, note);
    const socketFolder = await ensureSocketFolder(folder);
    const server = { cluster, socketFolder, user: folder.user, bin: binaries.bin };
    const releasing = new AbortController();
    const attachment = await attach(server, releasing.signal);
    const stayed = stayAttached(server, attachment, releasing.signal, note);
    const release = () => {
      releasing.abort();
      return stayed;
    };
    return { connection: connectionTo(server, 'offplan'), release };
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw error;
    // For example a full disk: the operating system's own words.
    const text = `The embedded PostgreSQL in ${options.dataDir} cannot be used: ${errorText(error)}`;
    throw new EmbeddedPostgresError(text, { cause: error });
  }
}

/** Stays a user until the signal, then detaches. When the server was killed, starts it again. */
async function stayAttached(
  server: Server,
  first: Attachment,
  signal: AbortSignal,
  note: (text: string) => void,
): Promise<void> {
  const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
  for (let attachment: Attachment | null = first; ;) {
    if (attachment !== null) await Promise.race([attachment.ended, aborted]);
    if (signal.aborted) return attachment === null ? undefined : detach(server, attachment);
    if (attachment !== null)
      note('The connection to PostgreSQL was lost; starting it again if need be.');
    attachment = await attach(server, signal).catch((error: unknown) => {
      if (!signal.aborted) note(errorText(error));
      return null;
    });
    if (attachment === null) await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
  }
}
