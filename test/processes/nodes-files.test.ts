import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { readConfig } from '../../src/platform/config/index.ts';

const ROOT = new URL('../../', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, ROOT), 'utf8');

interface ComposeService {
  environment?: Record<string, string>;
  extends?: { file: string; service: string };
  volumes?: string[];
  user?: string;
  cap_drop?: string[];
}

// Compose removes these values; the YAML library knows no such tag.
const { services } = parse(read('deploy/compose.nodes.yaml').replaceAll('!reset ', '')) as {
  services: Record<string, ComposeService>;
};

test('compose.nodes.yaml gives both nodes the settings of compose.yaml, and the same others', () => {
  const { offplan, 'offplan-2': second } = services;
  // Compose reads the paths of both files from the folder of the first one.
  assert.deepEqual(second?.extends, { file: 'compose.yaml', service: 'offplan' });
  assert.deepEqual(second?.environment, offplan?.environment);
  const { redisUrl } = readConfig({}, { REDIS_URL: offplan?.environment?.['REDIS_URL'] ?? '' });
  assert.equal(redisUrl, 'redis://valkey:6379/0');
  assert.ok('valkey' in services);
});

test('compose.nodes.yaml starts Valkey as its user, since root without capabilities cannot change to it', () => {
  const { user, cap_drop } = services['valkey'] ?? {};
  assert.deepEqual({ user, cap_drop }, { user: 'valkey', cap_drop: ['ALL'] });
});

test('the proxy of compose.nodes.yaml leads to both nodes, and differs from haproxy.cfg in its addresses alone', () => {
  const [, file = ''] = /^\.\/(\S+):\/usr/.exec(services['proxy']?.volumes?.[0] ?? '') ?? [];
  assert.ok(existsSync(new URL(file, ROOT)), file);
  const names = (text: string) =>
    [...text.matchAll(/^ {2}server \S+ (\S+):/gm)].map(([, host]) => host);
  assert.deepEqual(names(read(file)), ['offplan', 'offplan-2']);
  const choices = (text: string) =>
    text
      .split('\n')
      .filter((line) => /^ {2}(?!server|bind|nameserver)\w/.test(line))
      .map((line) => line.replace(' resolvers compose init-addr last,libc,none', ''));
  assert.deepEqual(choices(read(file)), choices(read('deploy/haproxy.cfg')));
});

const HAPROXY = '/usr/sbin/haproxy';
const skip = spawnSync(HAPROXY, ['-v']).error !== undefined && 'haproxy is not there';

test('HAProxy takes both configurations', { skip }, () => {
  for (const name of ['haproxy.cfg', 'haproxy.compose.cfg']) {
    const file = fileURLToPath(new URL(`deploy/${name}`, ROOT));
    const { status, stderr } = spawnSync(HAPROXY, ['-c', '-f', file], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  }
});
