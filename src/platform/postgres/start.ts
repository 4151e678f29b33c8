import { attach, connectionTo, stayAttached } from './attach.ts';
import { ensureBinaries, findPackage } from './binaries.ts';
import { ensureCluster } from './cluster.ts';
import { openDataFolder, type DataFolderOptions } from './data-folder.ts';
import { EmbeddedPostgresError, getErrorText } from './error.ts';
import { createFailure } from './failure.ts';

/** A running server, and this process as one of its users. */
export interface EmbeddedPostgres {
  /** Options for a `pg` Pool or Client. */
  connection: ReturnType<typeof connectionTo>;
  /** The folder that holds the database, an absolute path. */
  dataDir: string;
  /** Ends the use of the server; the last user stops it. Idempotent. */
  release: () => Promise<void>;
}

/**
 * Starts PostgreSQL on the data folder, or attaches to the one that runs there. The first start creates the database. Throws an
 * EmbeddedPostgresError when that fails.
 */
export async function startEmbedded(options: DataFolderOptions): Promise<EmbeddedPostgres> {
  const { note = () => undefined } = options;
  try {
    // Look for the package first: an image without it has no data folder either, and the error must name the package.
    const packageFolder = findPackage();
    const folder = await openDataFolder(options);
    const server = { ...folder, ...(await ensureBinaries(folder, packageFolder)) };
    await ensureCluster(server, note);
    const releasing = new AbortController();
    const connection = await attach(server, releasing.signal);
    const stayed = stayAttached(server, connection, releasing.signal, note);
    const release = () => {
      releasing.abort();
      return stayed;
    };
    const { dataDir } = folder;
    return { connection: connectionTo(server, 'offplan'), dataDir, release };
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw error;
    const { dataDir } = options;
    const failure = `The embedded PostgreSQL in ${dataDir} cannot be used`;
    throw await createFailure(dataDir, failure, getErrorText(error));
  }
}
