import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readdirSync, rmSync, statSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { ensureBinaries, findPackage } from './binaries.ts';
import { findServerUser } from './user.ts';

const isRoot = process.geteuid?.() === 0;

/** Makes a copy of the installed package, as npm installs it with --ignore-scripts, and an empty data folder. */
async function installWithoutScripts(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'offplan-binaries-'));
  t.after(() => {
    execFileSync('chmod', ['-R', 'u+w', folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  const [packageFolder, dataDir] = [join(folder, 'package'), join(folder, 'data')];
  const isNoLink = (path: string) => !/\/lib[^/]*\.(so|dylib)(\.\d+)?$/.test(path) || isFile(path);
  chmodSync(folder, 0o755);
  mkdirSync(dataDir);
  cpSync(findPackage(), packageFolder, { recursive: true, filter: isNoLink });
  return { packageFolder, data: { dataDir, user: await findServerUser(dataDir) } };
}

const isFile = (path: string) =>
  execFileSync('sh', ['-c', 'test -L "$0" || echo', path]).length > 0;

test('a platform without binaries gets an error that names DATABASE_URL', () => {
  assert.throws(
    () => findPackage('sunos', 'sparc'),
    /sunos-sparc .* is not installed: reinstall without --omit=optional .*, or set DATABASE_URL/,
  );
});

test('a package that was installed with --ignore-scripts gets its links', async (t) => {
  const { packageFolder, data } = await installWithoutScripts(t);
  const { bin, majorVersion } = await ensureBinaries(data, packageFolder);
  assert.equal(bin, join(packageFolder, 'native', 'bin'));
  assert.equal(majorVersion, '18');
});

test('a package that the user cannot run is copied once, with modes that let everybody run it', async (t) => {
  const { packageFolder, data } = await installWithoutScripts(t);
  // The user for root's server cannot enter it. An ordinary user cannot make the links.
  chmodSync(isRoot ? packageFolder : join(packageFolder, 'native', 'lib'), isRoot ? 0o700 : 0o555);
  const umask = process.umask(0o077);
  t.after(() => process.umask(umask));
  const found = await Promise.all([1, 2].map(() => ensureBinaries(data, packageFolder)));
  assert.deepEqual(found[0], found[1]);
  const bin = found[0]?.bin ?? '';
  assert.match(bin, /data\/binaries-18\..*\/native\/bin$/);
  assert.equal(readdirSync(data.dataDir).length, 1);
  assert.equal(statSync(join(bin, '../share/postgresql/postgres.bki')).mode & 0o777, 0o644);
});
