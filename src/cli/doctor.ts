import { examine, type CheckResult } from '../doctor/index.ts';
import { REQUEST_TIMEOUTS } from '../platform/database/index.ts';
import { withDatabase } from './database.ts';
import { loadSecretKey } from './secret-key.ts';
import { printJson, printLines } from './output.ts';

/** Runs `offplan doctor`: looks at the installation and says what to do next. The exit code is 1 when there is something to do. */
export async function examineInstallation({ json }: { json?: boolean }): Promise<void> {
  const results = await withDatabase(
    async ({ lookups, openWorkers }, config, dataDir) => {
      const { workerCount, mediaDir } = config;
      // The check of the network says why the database could not be asked.
      const citusWorkers = await openWorkers().catch(() => []);
      await using resources = new AsyncDisposableStack();
      for (const { pool } of citusWorkers) resources.defer(() => pool.end());
      return await examine({
        db: lookups,
        citusWorkers,
        secretKey: await loadSecretKey(config, dataDir),
        workers: workerCount,
        isEmbedded: dataDir !== null,
        folders: dataDir === null ? [mediaDir] : [dataDir, mediaDir],
        now: () => new Date(),
      });
    },
    // Connect with the time-outs of requests, so that a check finds a pooler that drops them.
    { anySchema: true, timeouts: REQUEST_TIMEOUTS },
  );
  await (json ? printJson(results) : printLines(results.flatMap(describe)));
  if (results.some(({ status }) => status === 'warning')) process.exitCode = 1;
}

const describe = ({ name, server, status, found, advice }: CheckResult): string[] => [
  `${status.padEnd(8)} ${server === undefined ? '' : `worker ${server}, `}${name}: ${found}.`,
  ...(advice === undefined ? [] : [`         ${advice}`]),
];
