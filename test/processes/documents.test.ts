import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { createDatabase, databaseUrl } from '../support/harness.ts';
import { BIN, offplan, serving } from '../support/process.ts';

/** The commands of the documents. A request that is refused ends the script. */
const COMMANDS = `set -euo pipefail
npm() { shift 4; node ${BIN} "$@"; }
curl() { command curl -sS --fail-with-body "$@"; }
`;

interface Page {
  folder: string;
  url: string;
  /** The environment in which the commands of a document run. */
  env: NodeJS.ProcessEnv;
}

/** Serves the demo account, with a key and a folder for the commands of a document. */
async function serveDemo(t: TestContext): Promise<Page> {
  const folder = await mkdtemp(join(tmpdir(), 'offplan-documents-'));
  t.after(() => rm(folder, { recursive: true }));
  const environment = {
    DATABASE_URL: await databaseUrl(await createDatabase(t)),
    OFFPLAN_SECRET_KEY: Buffer.alloc(32).toString('base64'),
    LOG_LEVEL: 'warn',
  };
  const { url, stop } = await serving(environment, '--demo');
  t.after(() => stop());
  // api.md goes on with the variables of the README.
  const key = ['keys', 'create', 'kowhai-lane', '--access', 'read-write', '--name', 'website'];
  const WRITE = (await offplan(key, environment)).stdout.trim();
  const own = { API: `${url}/api/v1`, READ: WRITE, WRITE, TMPDIR: folder };
  return { folder, url, env: { ...process.env, ...environment, ...own } };
}

/** Runs commands of a document. Returns what they print. */
async function runScript(script: string, { folder, url, env }: Page): Promise<string> {
  const text = script.replace(/http:\/\/(localhost|127\.0\.0\.1):3000/g, url);
  const run = promisify(execFile)('bash', ['-c', text], { cwd: folder, env });
  const { stdout } = await run.catch(({ stdout, stderr }: { stdout: string; stderr: string }) =>
    assert.fail(`${script}\n${stdout}\n${stderr}`),
  );
  return stdout;
}

const readDocument = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const listScripts = (text: string): string[] =>
  [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, script = '']) => script);

for (const name of ['api.md', 'management.md'])
  test(`the requests of ${name} work when they are pasted`, async (t) => {
    const page = await serveDemo(t);
    const scripts = listScripts(readDocument(`docs/${name}`));
    assert.ok(scripts.length > 1);
    for (const script of scripts) await runScript(COMMANDS + script, page);
  });

test('the tour of the README ends with the counts that it shows', async (t) => {
  const page = await serveDemo(t);
  const [, tour = ''] = /^## A tour$(.*?)^## /ms.exec(readDocument('README.md')) ?? [];
  // The first commands set the keys, and one of the requests is refused.
  const [, ...scripts] = listScripts(tour);
  const printed = [];
  for (const script of scripts)
    printed.push(await runScript(`npm() { shift 4; node ${BIN} "$@"; }\n${script}`, page));
  const shown = [...tour.matchAll(/^```\w*\n(.*?)^```$/gms)].map(([, text = '']) => text).at(-1);
  assert.equal(printed.at(-1), shown);
});
