import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { createDatabase, databaseUrl } from '../harness.ts';
import { BIN, offplan, serving } from '../process.ts';

/** The commands of the documents. A request that is refused ends the script. */
const COMMANDS = `set -euo pipefail
npm() { shift 4; node ${BIN} "$@"; }
curl() { command curl -sS --fail-with-body "$@"; }
`;

for (const name of ['api.md', 'management.md'])
  test(`the requests of ${name} work when they are pasted`, async (t) => {
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
    const env = { ...process.env, ...environment, API: `${url}/api/v1`, READ: WRITE, WRITE };

    const document = readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
    const scripts = [...document.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text = '']) => text);
    assert.ok(scripts.length > 1);
    for (const script of scripts) {
      const text = script.replace(/http:\/\/(localhost|127\.0\.0\.1):3000/g, url);
      await promisify(execFile)('bash', ['-c', COMMANDS + text], { cwd: folder, env }).catch(
        ({ stdout, stderr }: { stdout: string; stderr: string }) =>
          assert.fail(`${script}\n${stdout}\n${stderr}`),
      );
    }
  });
