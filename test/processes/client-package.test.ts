import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { Webhook } from 'standardwebhooks';
import { makeRows } from '../support/contact-files.ts';
import { build } from '../support/harness.ts';
import { drawFile } from '../support/pictures.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SIZE_MAX_BYTES = 6_000;
const readme = readFileSync(join(ROOT, 'client/README.md'), 'utf8');

/** The programs of the README. A block that creates no client gets the lines of the first block that create one. */
const blocks = [...readme.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, block = '']) => block);
const [setup = ''] = /^[\s\S]*?\}\);\n/.exec(blocks[0] ?? '') ?? [];
const programs = blocks.map((block) => (block.includes('createClient(') ? block : setup + block));

/** A folder with the package in node_modules, unpacked from the archive that `npm pack` makes. */
const folder = mkdtempSync(join(tmpdir(), 'offplan-client-'));
const modules = join(folder, 'node_modules');
const installed = join(modules, '@offplan/client');
after(() => rmSync(folder, { recursive: true }));

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const EVENT = { type: 'contact.stage_changed', data: { id: 'c1', from: null, to: 'Warm' } };

/** A delivery as the library of Standard Webhooks signs it. */
function signEvent() {
  const [body, now] = [JSON.stringify(EVENT), new Date()];
  const headers = {
    'webhook-id': 'e1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': new Webhook(SECRET).sign('e1', now, body),
  };
  return { headers, body };
}

const programFile = (n: number): string => join(folder, `program-${n}.ts`);

before(async () => {
  mkdirSync(installed, { recursive: true });
  const npm = (...args: string[]) => execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8' });
  npm('pack', '-s', '-w', 'client', '--pack-destination', folder);
  const file = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  execFileSync('tar', ['-xzf', join(folder, file), '-C', installed, '--strip-components=1']);
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers', '@types', 'undici-types'])
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (const [n, program] of programs.entries()) writeFileSync(programFile(n), program);
  writeFileSync(join(folder, 'expo-2026.csv'), makeRows(2));
  writeFileSync(join(folder, 'kitchen.jpg'), await drawFile('image/jpeg', 40, 30));
});

describe('the package of the client', { timeout: 120_000 }, () => {
  test('has the built modules, their types, the README, the license and nothing else', () => {
    const files = readdirSync(installed, { recursive: true }).map(String);
    const others = files.filter((name) => !/^dist(\/[\w-]+\.(d\.ts|js))?$/.test(name));
    assert.deepEqual(others.toSorted(), ['LICENSE', 'README.md', 'package.json']);
    const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    assert.deepEqual(Object.keys(dependencies), ['openapi-fetch']);
  });

  test('takes less than 6 KB in a page, with its dependency', async () => {
    const input = join(installed, 'dist/index.js');
    const bundle = await rolldown({ input, platform: 'browser' });
    const { output } = await bundle.generate({ format: 'esm', minify: true });
    await bundle.close();
    assert.deepEqual(output[0].imports, []);
    const bytes = gzipSync(output[0].code).length;
    assert.ok(bytes < SIZE_MAX_BYTES, `${bytes} bytes`);
  });

  // The client's own TypeScript 5, and the one that checks this repository.
  for (const path of ['client/node_modules/typescript', 'node_modules/typescript'])
    test(`has types that the README's programs pass with ${path}`, () => {
      const options = {
        target: 'es2022',
        module: 'nodenext',
        types: ['node'],
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        noEmit: true,
      };
      const tsconfig = { compilerOptions: options, include: ['program-*.ts'] };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
      const tsc = join(ROOT, path, 'bin/tsc');
      const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
      assert.equal(stdout, '');
    });

  test('verifies a delivery with nothing but what an edge runtime has', async () => {
    const input = join(folder, 'edge.js');
    writeFileSync(input, "export { verifyWebhook } from '@offplan/client';\n");
    const bundle = await rolldown({ input, platform: 'browser' });
    const { output } = await bundle.generate({ format: 'iife', name: 'offplan' });
    await bundle.close();
    const edge = { crypto, TextEncoder, TextDecoder, atob, Headers };
    const { verifyWebhook } = runInNewContext(`${output[0].code};offplan`, edge);
    const { headers, body } = signEvent();
    assert.deepEqual({ ...(await verifyWebhook(SECRET, headers, body)) }.type, EVENT.type);
    await assert.rejects(verifyWebhook(SECRET, headers, `${body} `), {
      code: 'signature_mismatch',
    });
  });

  test('answers 204 to a delivery, and 400 to a forged one, with the handler of the README', async () => {
    const n = programs.findIndex((program) => program.includes('verifyWebhook'));
    process.env['OFFPLAN_WEBHOOK_SECRET'] = SECRET;
    const { POST } = await import(programFile(n));
    const { headers, body } = signEvent();
    const post = (sent: string) =>
      new Request('https://a.test', { method: 'POST', headers, body: sent });
    assert.equal((await POST(post(body))).status, 204);
    const refusal: Response = await POST(post(`${body} `));
    assert.deepEqual([refusal.status, await refusal.text()], [400, 'signature_mismatch']);
  });

  test('runs the programs of the README against the service', async (t) => {
    const service = await build(t);
    await service.load(JSON.parse(readFileSync(join(ROOT, 'demo/account.json'), 'utf8')));
    const url = await service.app.listen({ host: '127.0.0.1', port: 0 });
    const env = {
      ...process.env,
      OFFPLAN_URL: `${url}/api/v1`,
      OFFPLAN_KEY: await service.key('kowhai-lane', 'all'),
    };
    const run = async (n: number) => {
      const child = spawn(process.execPath, [programFile(n)], { cwd: folder, env });
      // One that follows the events goes on until it is stopped.
      if (programs[n]?.includes('followEvents'))
        child.stdout.once('data', () => child.kill('SIGTERM'));
      const [stdout, stderr] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'exit'),
      ]);
      assert.equal(child.exitCode, 0, `${programs[n]}\n${stderr}`);
      return stdout;
    };
    const expected = [
      /^.+ \d+\n.+ \d+\n\w+\n$/,
      /^created [0-9a-f-]{36}\n$/,
      /^400 invalid_request .+\n\/email .+\n$/,
      /^test\n$/,
      /^\S+Z .*email.*\n$/,
      /^(\S+ \d+\n)+$/,
      /^(write \S+\n)+$/,
      /^(contact\.\w+ [0-9a-f-]{36}\n)+$/,
      /^(?:\S+\.\w+ (?:null|\{[^]*\})\n)+$/,
      /^$/,
      /^(checking\n)*ready\n((queued|running) \d of 2\n)*completed 2 of 2\n$/,
      /^[0-9a-f-]{36}\/[0-9a-f]{64}\.jpg 40 30\n$/,
    ];
    assert.equal(expected.length, programs.length);
    for (const [n, output] of expected.entries()) assert.match(await run(n), output);
    assert.equal(await run(programs.findIndex((text) => text.includes('syncStock'))), '');
  });
});
