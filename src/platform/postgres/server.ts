import type { Binaries } from './binaries.ts';
import type { ServerUser } from './user.ts';

/** A cluster with all that is needed to run and reach its server. */
export interface Server {
  /** The real path of the data directory. */
  cluster: string;
  socketFolder: string;
  user: ServerUser;
  binaries: Binaries;
}
