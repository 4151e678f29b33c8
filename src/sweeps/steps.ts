import { finishRenames } from '../contacts/index.ts';
import { deleteOldEvents } from '../events/index.ts';
import { deleteOldFiles, deleteOldRecords, recountRefusedBytes } from '../imports/index.ts';
import { sweepPictures } from '../media/index.ts';
import type { Config } from '../platform/config/index.ts';
import type { Pool } from '../platform/database/index.ts';
import { deleteOldKeys } from '../platform/idempotency/index.ts';
import { DAY_MS } from '../platform/text/index.ts';
import { deleteOldDeliveries } from '../webhooks/index.ts';

/** A part of the sweep of one account. */
export interface SweepStep {
  /** The name in the log, such as "import log". */
  name: string;
  /** Sweeps at the time `now`. When `signal` aborts, a step of many statements ends after the one under way. */
  run: (accountId: string, now: Date, signal?: AbortSignal) => Promise<void>;
}

/** The settings that say how long rows and files are kept. */
export type Retention = Pick<
  Config,
  | 'importLogDays'
  | 'eventDays'
  | 'contactFileDays'
  | 'webhookDeliveryDays'
  | 'unusedPictureDays'
  | 'mediaDir'
>;

/**
 * Lists the steps of a sweep. A step that deletes rows does so in small transactions that skip locked rows, so that imports go
 * on and several servers can sweep at once.
 */
export function listSteps(
  db: Pool,
  {
    importLogDays,
    eventDays,
    contactFileDays,
    webhookDeliveryDays,
    unusedPictureDays,
    mediaDir,
  }: Retention,
): SweepStep[] {
  return [
    {
      name: 'import log',
      run: (accountId, now, signal) =>
        repeat(() => deleteOldRecords(db, accountId, subtractDays(now, importLogDays)), signal),
    },
    {
      name: 'size of the import log',
      run: (accountId) => recountRefusedBytes(db, accountId),
    },
    {
      name: 'idempotency keys',
      run: (accountId, now, signal) => repeat(() => deleteOldKeys(db, accountId, now), signal),
    },
    {
      name: 'events',
      run: (accountId, now, signal) =>
        repeat(() => deleteOldEvents(db, accountId, subtractDays(now, eventDays)), signal),
    },
    {
      name: 'contact files',
      async run(accountId, now, signal) {
        const filesBefore = subtractDays(now, contactFileDays);
        const recordsBefore = subtractDays(now, importLogDays);
        await repeat(
          () => deleteOldFiles(db, accountId, { now, filesBefore, recordsBefore }),
          signal,
        );
      },
    },
    { name: 'renamed tags', run: (accountId) => finishRenames(db, accountId) },
    {
      name: 'deliveries of webhooks',
      run: (accountId, now, signal) =>
        repeat(
          () => deleteOldDeliveries(db, accountId, subtractDays(now, webhookDeliveryDays)),
          signal,
        ),
    },
    {
      name: 'pictures',
      run: (accountId, now) =>
        sweepPictures({ db, mediaDir }, accountId, {
          now,
          unusedBefore: subtractDays(now, unusedPictureDays),
          leftBefore: subtractDays(now, 1),
        }),
    },
  ];
}

const subtractDays = (time: Date, days: number): Date => new Date(time.getTime() - days * DAY_MS);

/** Deletes a chunk of rows until there are no more. */
async function repeat(
  deleteChunk: () => Promise<boolean>,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (;;) if (signal?.aborted || !(await deleteChunk())) return;
}
