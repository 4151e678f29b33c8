import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { developersOf } from '../support/developer.ts';
import { build, databaseUrl } from '../support/harness.ts';
import { serving } from '../support/process.ts';

test('while the folder of the pictures hangs, a picture is a 503, websites and people are served, and the service stops', async (t) => {
  const service = await build(t);
  const { slug } = await developersOf(service)();
  const key = await service.key(slug, 'read');
  const folder = mkdtempSync(join(tmpdir(), 'offplan-media-'));
  const server = await serving({
    DATABASE_URL: await databaseUrl(service.db),
    OFFPLAN_MEDIA_DIR: folder,
  });
  // A named pipe without a writer opens as late as a file on a server that is away.
  const path = join(randomUUID(), `${'0'.repeat(64)}.jpg`);
  mkdirSync(join(folder, dirname(path)));
  execFileSync('mkfifo', [join(folder, path)]);
  t.after(async () => {
    server.child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });
  const pictures = Array.from({ length: 40 }, () =>
    fetch(`${server.url}/media/${path}`, { signal: AbortSignal.timeout(30_000) }),
  );
  for (let limit = 1; limit <= 8; limit += 1) {
    const { status, headers } = await fetch(`${server.url}/api/v1/stocklist?limit=${limit}`, {
      headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'br' },
      signal: AbortSignal.timeout(8_000),
    });
    assert.deepEqual([status, headers.get('content-encoding')], [200, 'br']);
  }
  for (const picture of await Promise.all(pictures)) {
    assert.equal(picture.status, 503);
    assert.equal(picture.headers.get('retry-after'), '1');
    const { detail } = (await picture.json()) as { detail: string };
    assert.match(detail, /^The folder of the pictures does not answer\./);
  }
  assert.equal(await server.stop('SIGTERM'), null);
});
