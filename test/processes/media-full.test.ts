import assert from 'node:assert/strict';
import { readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { developersOf } from '../support/developer.ts';
import { mountDisk } from '../support/disks.ts';
import { build, databaseUrl } from '../support/harness.ts';
import { drawPicture } from '../support/pictures.ts';
import { serving } from '../support/process.ts';
import { until } from '../support/until.ts';

test('an upload that fills the disk is a 503 whose line in the log names ENOSPC; it leaves no file, and works when there is room', async (t) => {
  const disk = mountDisk(t, '4m');
  if (disk === null) return t.skip('this machine lets no test mount a disk');
  const folder = join(disk, 'media');
  const service = await build(t);
  const { slug } = await developersOf(service)();
  const key = await service.key(slug, 'all');
  const settings = { OFFPLAN_MEDIA_DIR: folder, LOG_LEVEL: 'info' };
  const server = await serving({ DATABASE_URL: await databaseUrl(service.db), ...settings });
  t.after(() => server.stop());
  const upload = (body: Buffer) =>
    fetch(`${server.url}/api/v1/media`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'image/jpeg' },
      body: new Uint8Array(body),
    });
  const list = () => readdirSync(folder, { recursive: true }).map(String).toSorted();
  assert.equal((await upload(await drawPicture().jpeg().toBuffer())).status, 201);
  const before = list();
  const picture = await drawPicture(1_500, 1_000).jpeg({ quality: 50 }).toBuffer();
  const { bavail, bsize } = statfsSync(disk);
  // Room for the bytes that arrive, and not for the sizes that are made of them.
  writeFileSync(join(disk, 'film'), Buffer.alloc(bavail * bsize - picture.length - 2 * bsize));
  assert.equal((await upload(picture)).status, 503);
  assert.deepEqual(list(), before);
  await until(() => /"status":503,.*"cause":"ENOSPC"/.test(server.logged()));
  rmSync(join(disk, 'film'));
  assert.equal((await upload(picture)).status, 201);
});
