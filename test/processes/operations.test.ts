import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { dataFolder } from '../support/process.ts';

/** systemd calls up to 4 "OK", and more "medium", "exposed" or "unsafe". */
const RATING_MAX = 4;
const skip =
  spawnSync('systemd-analyze', ['--version']).error !== undefined && process.env['CI'] === undefined
    ? 'systemd-analyze is not on the PATH'
    : false;

const document = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
const [, unit = ''] = /```ini\n(\[Unit\].*?)```/s.exec(document) ?? [];

test(
  'the systemd unit of operations.md is rated below 4 by systemd-analyze security',
  { skip },
  (t) => {
    const file = join(dataFolder(t), 'offplan.service');
    writeFileSync(file, unit);
    const args = ['security', '--offline=yes', '--no-pager', file];
    const output = execFileSync('systemd-analyze', args, { encoding: 'utf8', stdio: 'pipe' });
    const [, rating] = /exposure level for offplan\.service: ([\d.]+)/.exec(output) ?? [];
    assert.ok(Number(rating) < RATING_MAX, output);
  },
);

test('the systemd unit of operations.md starts the service again as long as PostgreSQL is away', () => {
  // The limit of systemd: DefaultStartLimitBurst starts within DefaultStartLimitIntervalSec. Then a unit stays failed.
  const [burst, intervalS] = [5, 10];
  const [, restartS = '0.1'] = /^RestartSec=([\d.]+)$/m.exec(unit) ?? [];
  assert.ok(Number(restartS) * burst > intervalS, `systemd waits ${restartS} s between two starts`);
});

test('the systemd unit of operations.md goes on when memory runs out and Linux ends one of its processes', () => {
  assert.match(unit, /^OOMPolicy=continue$/m);
});
