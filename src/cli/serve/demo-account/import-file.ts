import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { requireFile, startRun, uploadFile, workOnDueFiles } from '../../../imports/index.ts';
import { ROOT } from '../../../platform/config/index.ts';
import type { Pool } from '../../../platform/database/index.ts';
import { makeAuthor } from './origins.ts';

interface FileImport {
  accountId: string;
  /** The person who imports the file. */
  person: { id: string; name: string };
  projectId: string;
}

/** Imports the list of visitors of an open home, as the console does. Some rows are refused. */
export async function importDemoFile(
  db: Pool,
  { accountId, person, projectId }: FileImport,
): Promise<void> {
  const bytes = readFileSync(new URL('demo/open-home-lakefold.csv', ROOT));
  const principal = { accountId, actor: { type: 'user', ...person } } as const;
  const file = await uploadFile(db, principal, {
    name: 'open-home-lakefold.csv',
    mediaFormat: 'csv',
    encoding: null,
    body: (async function* () {
      yield bytes;
    })(),
    checkAgain: () => {},
  });
  const work = () => workOnDueFiles({ db, leaseMs: LEASE_MS, onError: fail });
  await work();
  // Another server on this database may be processing the file, so wait for it.
  while ((await requireFile(db, accountId, file.id)).status === 'checking') {
    await sleep(100);
    await work();
  }
  const start = { principal, author: makeAuthor(person.id), fileId: file.id, claim: null };
  await startRun(db, start, {
    set: { source: 'Open Home', tags: ['Open home Lakefold'], projectId },
  });
  await work();
}

const LEASE_MS = 60_000;

function fail(error: unknown): never {
  throw error;
}
