import { attach } from './attach.ts';
import { ensureBinaries, findPackage } from './binaries.ts';
import { ensureCluster } from './cluster.ts';
import { EmbeddedPostgresError, errorText } from './error.ts';
import { keepPresence } from './keep.ts';
import { choosePlace, systemFolder } from './place.ts';
import { connectionTo } from './presence.ts';
import type { Server } from './server.ts';
import { ensureSocketFolder } from './socket.ts';

/** A hold on the running server. */
export interface EmbeddedPostgres {
  /**
   * Options for a `pg` Pool or Client. The port and `ssl` are there so that PGPORT and PGSSLMODE of
   * the environment do not apply.
   */
  connection: { host: string; port: number; ssl: false; user: string; database: string };
  /** Lets go of the server; the last process to let go stops it. Idempotent. */
  release(): Promise<void>;
}

/** What to start, and where. */
export interface EmbeddedOptions {
  /** An absolute path: OFFPLAN_DATA_DIR, or `.offplan` in the working folder. */
  dataDir: string;
  /** Whether the user did not name it. */
  dataDirIsDefault: boolean;
  /** Takes one line of progress for people. */
  note?: (text: string) => void;
}

/**
 * Gives a running PostgreSQL on the data folder: the one that runs already, or one started now, on a
 * cluster that is made at the first start. Throws an EmbeddedPostgresError when that cannot be.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { note = () => {} } = options;
  try {
    const server = await prepare({ ...options, note, systemFolder, packageFolder: findPackage() });
    const presence = await attach(server, new AbortController().signal);
    const { release } = keepPresence(server, presence, note);
    return { connection: connectionTo(server, 'offplan'), release };
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw error;
    // A disk that is full, a folder of someone else …: the operating system's own words.
    const text = `The embedded PostgreSQL in ${options.dataDir} cannot be used: ${errorText(error)}`;
    throw new EmbeddedPostgresError(text, { cause: error });
  }
}

/** All that has to be there before a server can run. */
async function prepare(options: {
  dataDir: string;
  dataDirIsDefault: boolean;
  note: (text: string) => void;
  systemFolder: string;
  packageFolder: string;
}): Promise<Server> {
  const place = await choosePlace(options);
  const { user } = place;
  const copiesFolder = user.isSwitched ? options.systemFolder : place.dataDir;
  const { packageFolder, note } = options;
  const binaries = await ensureBinaries({ packageFolder, copiesFolder, user });
  const cluster = await ensureCluster(place, binaries, note);
  const socketFolder = await ensureSocketFolder(place);
  return { cluster, socketFolder, user, binaries };
}
