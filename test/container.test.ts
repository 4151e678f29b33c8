import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { build, databaseUrl } from './harness.ts';
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
