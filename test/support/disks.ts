import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** Mounts a disk of this size; null when this machine does not let the test mount one. */
export function mountDisk(t: TestContext, size: string): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'offplan-disk-'));
  const { status } = spawnSync('mount', [
    '-t',
    'tmpfs',
    '-o',
    `size=${size},mode=755`,
    'x',
    folder,
  ]);
  t.after(() => {
    if (status === 0) execFileSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  return status === 0 ? folder : null;
}
