import { formatCount } from '../platform/text/index.ts';
import { ok, unknown, warning, type Finding } from './findings.ts';
import { formatBytes } from './format.ts';

export interface Replication {
  isStandby: boolean;
  /** The setting `synchronous_standby_names`. */
  wanted: string;
  /** `isHidden`: the role may not see the state of the standby. */
  standbys: { name: string; isHidden: boolean; isSynchronous: boolean; lagBytes: number }[];
  inactiveSlots: string[];
  isArchiveFailing: boolean;
}

const LAG_MAX_BYTES = 64 * 1024 ** 2;

/** Warns of a standby in place of the primary, of missing standbys, of unused slots, and of an archive that fails. */
export function judgeReplication(replication: Replication): Finding {
  const { isStandby, wanted, standbys, inactiveSlots, isArchiveFailing } = replication;
  if (isStandby)
    return warning(
      'the server is a standby, which takes no writes',
      'Let DATABASE_URL, or the coordinator of a Citus, follow the primary: see docs/high-availability.md.',
    );
  const isHidden = standbys.some((standby) => standby.isHidden);
  if (wanted !== '' && !isHidden && !standbys.some(({ isSynchronous }) => isSynchronous))
    return warning(
      'synchronous_standby_names is set, and no synchronous standby is connected',
      'Start the standby again: until then every write waits.',
    );
  if (inactiveSlots.length > 0)
    return warning(
      `nobody reads the replication slot ${inactiveSlots.join(', ')}, so that the WAL fills the disk`,
      `Start its standby again, or remove it: select pg_drop_replication_slot('${inactiveSlots[0]}');`,
    );
  if (isArchiveFailing)
    return warning(
      'the last WAL file could not be archived',
      'Fix archive_command: look at pg_stat_archiver and the log of PostgreSQL.',
    );
  if (isHidden) return unknown('the role of DATABASE_URL needs pg_monitor to see the standbys');
  const late = standbys.find(({ lagBytes }) => lagBytes > LAG_MAX_BYTES);
  if (late !== undefined)
    return warning(
      `the standby ${late.name} is ${formatBytes(late.lagBytes)} behind`,
      'Look at the network and the disk of the standby: a failover to it would take long or lose leads.',
    );
  if (standbys.length === 0) return ok('there is no standby; a backup is the only copy');
  const count = standbys.filter(({ isSynchronous }) => isSynchronous).length;
  return ok(
    `${formatCount(standbys.length)} ${standbys.length === 1 ? 'standby is' : 'standbys are'} connected, ${formatCount(count)} of them synchronous`,
  );
}

/** Judges a PostgreSQL that did not answer. */
export function judgeNoAnswer(problem: string): Finding {
  return warning(
    `the PostgreSQL of DATABASE_URL does not answer: ${problem}`,
    'Start PostgreSQL, let it accept this machine, or correct DATABASE_URL: until then every request gets a 503. Then run the doctor again.',
  );
}

/** Judges a worker of Citus that did not answer. */
export function judgeUnreachable(problem: string): Finding {
  return warning(
    `this machine cannot reach the worker: ${problem}`,
    'Start the worker, or let its standby take over: until then the accounts whose rows it has get a 503. When it runs, let this machine reach it, so that leads need not go through the coordinator.',
  );
}

/** Judges whether a pooler drops time-outs. `problem` names them; null when it drops none. */
export function judgePooler(problem: string | null): Finding {
  if (problem === null) return ok('connections have the limits of requests');
  return warning('a pooler drops the limits of requests', problem);
}

const CLOCK_MAX_MS = 5_000;

/** Warns when the clocks of this machine and of PostgreSQL differ too much. */
export function judgeClock(differenceMs: number): Finding {
  const found = `the clocks of this machine and of PostgreSQL differ by ${formatCount(Math.abs(differenceMs))} ms`;
  if (Math.abs(differenceMs) <= CLOCK_MAX_MS) return ok(found);
  return warning(found, 'Run NTP on both: keys and sessions end by the clock of this machine.');
}

export interface Disk {
  folder: string;
  freeBytes: number;
  totalBytes: number;
}

const FREE_MIN_BYTES = 1024 ** 3;
const FREE_MIN_SHARE = 0.1;

/** Warns of a disk with little space, in bytes or as a share. */
export function judgeDisks(disks: Disk[]): Finding {
  const describe = ({ folder, freeBytes, totalBytes }: Disk): string =>
    `${folder} has ${formatBytes(freeBytes)} of ${formatBytes(totalBytes)} free`;
  const full = disks.filter(
    ({ freeBytes, totalBytes }) =>
      freeBytes < FREE_MIN_BYTES || freeBytes < totalBytes * FREE_MIN_SHARE,
  );
  if (full.length > 0)
    return warning(
      full.map(describe).join('; '),
      'Free space or grow the disk: on a full one PostgreSQL stops, and pictures cannot be uploaded.',
    );
  return ok(disks.map(describe).join('; '));
}
