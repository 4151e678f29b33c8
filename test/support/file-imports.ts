import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { developersOf, type Developer } from './developer.ts';
import { build, databaseUrl, type Cleaner } from './harness.ts';
import { createCommand, type Ended } from './process.ts';

/** Builds a service, and makes the command on its database, a folder for files, and functions that import files with the command. */
export async function buildWithCommand(t: Cleaner) {
  const service = await build(t);
  const { db } = service;
  const environment = { DATABASE_URL: await databaseUrl(db), LOG_LEVEL: 'error' };
  const offplan = createCommand(environment);
  const folder = mkdtempSync(join(tmpdir(), 'offplan-imports-'));
  t.after(async () => rmSync(folder, { recursive: true, force: true }));
  let files = 0;

  /** Writes a text, bytes or lines to a new file, and returns its path. */
  function fileOf(content: string | Buffer | string[], extension = 'csv'): string {
    const path = join(folder, `file-${(files += 1)}.${extension}`);
    writeFileSync(
      path,
      Array.isArray(content) ? content.map((line) => `${line}\n`).join('') : content,
    );
    return path;
  }

  const importFile = (to: Developer, path: string, ...flags: string[]): Promise<Ended> =>
    offplan('import', to.slug, path, ...flags);

  return {
    service,
    db,
    makeDeveloper: developersOf(service),
    environment,
    offplan,
    folder,
    fileOf,
    importFile,
    /** Imports a text, bytes or lines as a new CSV file. */
    importing: (to: Developer, content: string | Buffer | string[], ...flags: string[]) =>
      importFile(to, fileOf(content), ...flags),
  };
}
