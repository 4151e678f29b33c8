import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build, createDatabase, databaseUrl } from './harness.ts';
import { serving } from './process.ts';

const read = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
const dockerfile = read('Dockerfile');
const [image = ''] = dockerfile.split(/^FROM /m).slice(-1);

test('every stage of the image has the Node.js that the tests run on', () => {
  const { devDependencies } = JSON.parse(read('package.json'));
  const stages = [...dockerfile.matchAll(/^FROM node:([\d.]+)-/gm)].map(([, version]) => version);
  assert.deepEqual(new Set(stages), new Set([devDependencies.node]));
  assert.equal(process.versions.node, devDependencies.node);
});

test('the image runs as a user who is not root, with what is needed to run alone', () => {
  assert.match(image, /^USER node$/m);
  assert.doesNotMatch(image.slice(image.indexOf('USER node')), /^(RUN|COPY|ADD|USER root)/m);
  assert.match(dockerfile, /npm ci --ignore-scripts --omit=dev --omit=optional/);
});

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const WORKDIR = '/offplan/';

/** What the image is built from: what .dockerignore lets through, with files that nobody but their owner may read. */
function buildContext(folder: string): string {
  const context = join(folder, 'context');
  mkdirSync(context);
  for (const [, name = ''] of read('.dockerignore').matchAll(/^!(.+)$/gm))
    execFileSync('cp', ['-R', join(ROOT, name), join(context, name)]);
  execFileSync('chmod', ['-R', 'go-rwx', context]);
  return context;
}

/** Follows the Dockerfile in folders, but for `npm ci`, which brings what is here already. Gives that of the image. */
function followed(folder: string): string {
  const context = buildContext(folder);
  const stages = new Map<string, string>();
  let stage = '';
  const instructions: Record<string, (words: string[], line: string) => void> = {
    FROM(words) {
      stage = join(folder, `stage-${stages.size}`);
      mkdirSync(stage);
      stages.set(words[2] ?? 'image', stage);
    },
    COPY(words) {
      const [, from] = /^--from=(.+)$/.exec(words[0] ?? '') ?? [];
      const paths = from === undefined ? words : words.slice(1);
      const source = from === undefined ? context : (stages.get(from) ?? '');
      const target = join(stage, paths.at(-1) ?? '');
      for (const path of paths.slice(0, -1)) {
        const copied = join(source, path.replace(WORKDIR, ''));
        // Of a folder what is in it is copied, of a link the link.
        const isFolder = statSync(copied).isDirectory() && !copied.endsWith('node_modules');
        execFileSync('cp', isFolder ? ['-a', `${copied}/.`, made(target)] : ['-a', copied, target]);
      }
    },
    RUN(_words, line) {
      if (line.startsWith('npm ci'))
        symlinkSync(join(ROOT, 'node_modules'), join(stage, 'node_modules'));
      else execFileSync('sh', ['-c', `umask 022 && ${line}`], { cwd: stage });
    },
  };
  for (const [, name = '', line = ''] of dockerfile.matchAll(/^([A-Z]+) (.*)$/gm))
    instructions[name]?.(line.split(' '), line);
  return stage;
}

function made(folder: string): string {
  if (!existsSync(folder)) mkdirSync(folder);
  return folder;
}

test('what the Dockerfile makes of a clone that only its owner may read can be read by all, migrates and loads', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'offplan-image-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const built = followed(folder);
  for (const entry of readdirSync(built, { recursive: true, withFileTypes: true }).filter(
    (each) => !each.isSymbolicLink(),
  )) {
    const path = join(entry.parentPath, entry.name);
    const wanted = entry.isDirectory() ? 0o005 : 0o004;
    assert.equal(statSync(path).mode & wanted, wanted, `others cannot read ${path}`);
  }

  const env = { ...process.env, DATABASE_URL: await databaseUrl(await createDatabase(t)) };
  const [, entrypoint = '[]'] = /^ENTRYPOINT (.*)$/m.exec(image) ?? [];
  const [program = '', ...words] = JSON.parse(entrypoint) as string[];
  const path = join(built, program.replace(WORKDIR, ''));
  const offplan = (...args: string[]) =>
    execFileSync(path, [...words, ...args], { cwd: built, env, encoding: 'utf8' });
  assert.equal(statSync(path).mode & 0o005, 0o005, 'others cannot run it');
  offplan('migrate');
  offplan('load', 'demo/account.json');
  assert.match(offplan('accounts', 'list'), /kowhai-lane/);
});

test('compose.yaml starts the service behind the migration behind PostgreSQL, published on this machine alone, with nothing that it needs not', () => {
  const compose = read('compose.yaml');
  for (const line of [
    // Twice, and newer releases of Compose export both at once, of which one fails.
    'build: .',
    'pull_policy: never',
    'read_only: true',
    'cap_drop: [ALL]',
    'security_opt: [no-new-privileges:true]',
    'image: postgres:18',
    '- postgres:/var/lib/postgresql',
    'condition: service_healthy',
    'condition: service_completed_successfully',
    '- ${OFFPLAN_PUBLISH:-127.0.0.1:3000}:3000',
  ])
    assert.equal(compose.split('\n').filter((each) => each.trim() === line).length, 1, line);
  assert.equal(compose.match(/^ {4}restart: unless-stopped$/gm)?.length, 2);
  assert.equal(compose.match(/^ {4}ports:$/gm)?.length, 1);
  assert.equal(compose.match(/^ {4}<<: \*offplan$/gm)?.length, 2);
});

test('the health check of the image succeeds while the service answers, and fails when it does not', async (t) => {
  const { db } = await build({ after });
  const server = await serving({ DATABASE_URL: await databaseUrl(db), LOG_LEVEL: 'silent' });
  t.after(() => server.stop());
  const [, check = '[]'] = /HEALTHCHECK[^[]*CMD (\[.*\])$/m.exec(image) ?? [];
  const [command = '', ...args] = JSON.parse(check) as string[];
  assert.equal(command, 'node');
  const healthy = async () => {
    const env = { ...process.env, PORT: new URL(server.url).port };
    const child = spawn(process.execPath, args, { env, stdio: 'ignore' });
    const [code] = await once(child, 'exit');
    return code as number;
  };
  assert.equal(await healthy(), 0);
  await server.stop();
  assert.equal(await healthy(), 1);
});

test('.env.example has every setting of compose.yaml, and no other', () => {
  const used = [...read('compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
  const listed = [...read('.env.example').matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name);
  assert.deepEqual(new Set(listed), new Set(used));
});
