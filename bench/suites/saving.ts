import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { makeAccount, makeContacts, makeStock } from '../data.ts';
import { atMost, figure, type Comparison, type Sample } from '../measure.ts';
import { runToEnd } from '../process.ts';

/** The number of contacts, each with a note, two tags and an import. */
const CONTACTS = 100_000;

/** Measures `offplan backup` and `offplan restore` of a large account, in processes of their own. The times include the start. */
export async function saving(bench: Bench): Promise<Comparison[]> {
  const account = await makeAccount(bench.db, 'saving');
  await makeStock(bench.db, account, { projects: 20, units: 40, images: 5 });
  await makeContacts(bench.db, account, CONTACTS);
  const file = join(bench.folder, 'saved.backup');
  const backups: Sample[] = [];
  const restores: Sample[] = [];
  for (let round = 0; round < Math.min(bench.rounds, 3); round += 1) {
    await rm(file, { force: true });
    backups.push(await runCommand(bench, ['backup', file], bench.databaseUrl));
    const { databaseUrl } = await bench.createDatabase();
    restores.push(await runCommand(bench, ['restore', file], databaseUrl));
  }
  const [backup, restore] = [figure('backup', backups), figure('restore', restores)];
  return [
    {
      work: `a database of ${CONTACTS} contacts`,
      figures: [{ ...backup, bytes: statSync(file).size }, restore],
      verdicts: [
        atMost((backup.p50Ms ?? NaN) / 1_000, 30, 's to back up'),
        atMost((restore.p50Ms ?? NaN) / 1_000, 120, 's to restore'),
      ],
    },
  ];
}

async function runCommand({ offplan }: Bench, args: string[], url: string): Promise<Sample> {
  const { seconds, memoryMb } = await runToEnd([...offplan, ...args], { DATABASE_URL: url });
  return { perSecond: CONTACTS / seconds, p50Ms: seconds * 1_000, memoryMb };
}
