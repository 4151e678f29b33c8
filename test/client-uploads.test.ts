import assert from 'node:assert/strict';
import { after, test, type TestContext } from 'node:test';
import {
  createClient,
  followContactFile,
  ProblemError,
  uploadContactFile,
  uploadPicture,
  type ContactFile,
} from '../client/src/index.ts';
import { makeRows } from './support/contact-files.ts';
import { developersOf } from './support/developer.ts';
import { build } from './support/harness.ts';
import { startLossyProxy } from './support/lossy-proxy.ts';
import { drawFile } from './support/pictures.ts';
import { run } from './support/sql.ts';
import { until } from './support/until.ts';

const service = await build({ after });
const address = await service.app.listen({ host: '127.0.0.1', port: 0 });
const makeDeveloper = developersOf(service);

async function connect(t: TestContext) {
  const { slug } = await makeDeveloper();
  const proxy = await startLossyProxy(t, address);
  const key = await service.key(slug, 'all');
  const client = createClient({ baseUrl: `${proxy.url}/api/v1`, key, wait: async () => {} });
  const upload = (body: string, contentType = 'text/csv') =>
    uploadContactFile(client, { name: 'expo.csv', body, contentType });
  const start = (fileId: string) =>
    client.POST('/contact-files/{fileId}/start', { params: { path: { fileId } }, body: {} });
  return { client, proxy, upload, start };
}

async function collect(files: AsyncIterable<ContactFile>): Promise<ContactFile[]> {
  const collected = [];
  for await (const file of files) collected.push(file);
  return collected;
}

test('uploadContactFile uploads the bytes as they are, and followContactFile shows a file until it is ready', async (t) => {
  const { client, upload } = await connect(t);
  const { id, name, bytes, status } = await upload(makeRows(3));
  assert.deepEqual([name, bytes, status], ['expo.csv', makeRows(3).length, 'checking']);
  const states = await collect(followContactFile(client, id));
  const last = states.at(-1);
  assert.deepEqual([last?.status, last?.rows], ['ready', 3]);
  assert.equal(new Set(states.map(({ etag }) => etag)).size, states.length);

  const blob = new Blob(['email\tname\na@example.com\tAnn\n']);
  const contentType = 'text/tab-separated-values';
  const other = await uploadContactFile(client, { body: blob, contentType });
  const ready = (await collect(followContactFile(client, other.id))).at(-1);
  assert.deepEqual([ready?.name, ready?.format, ready?.rows], ['contacts.tsv', 'tsv', 1]);
});

test('followContactFile shows the progress of a run, and goes on after more lost answers than a request may have', async (t) => {
  const { client, upload, start, proxy } = await connect(t);
  const { id } = await upload(makeRows(500));
  await collect(followContactFile(client, id));
  await start(id);
  const states: ContactFile[] = [];
  for await (const file of followContactFile(client, id)) {
    if (states.length === 0) proxy.faults.push('lost', 'cut', 'replaced', 'lost', 'lost', 'lost');
    states.push(file);
  }
  assert.deepEqual(proxy.faults, []);
  assert.equal(states.at(-1)?.status, 'completed');
  assert.equal(states.at(-1)?.run?.created, 500);
  assert.ok(['queued', 'running'].includes(states[0]?.status ?? ''), states[0]?.status);
});

test('followContactFile shows a file once while nothing changes', async (t) => {
  const { client, upload, proxy } = await connect(t);
  const { id } = await upload(makeRows(3));
  await collect(followContactFile(client, id));
  // Another process works on it.
  const text = `update contact_files set status = 'running', lease = id, lease_until = now() + interval '1 hour' where id = $1`;
  await run(service.db, text, [id]);
  const controller = new AbortController();
  const { signal } = controller;
  const following = collect(followContactFile(client, id, { signal }));
  const before = proxy.count();
  await until(() => proxy.count() >= before + 3);
  controller.abort();
  assert.deepEqual(
    (await following).map(({ status }) => status),
    ['running'],
  );
});

test('followContactFile ends with an error for an unknown file, and without one when the signal aborts', async (t) => {
  const { client, upload, proxy } = await connect(t);
  await assert.rejects(collect(followContactFile(client, 'none')), {
    code: 'contact_file_not_found',
  });

  const { id } = await upload(makeRows(3));
  const controller = new AbortController();
  const { signal } = controller;
  proxy.faults.push('held');
  const ended = collect(followContactFile(client, id, { signal }));
  const before = proxy.count();
  await until(() => proxy.count() > before);
  controller.abort();
  assert.deepEqual(await ended, []);
});

test('an upload of another type is refused with its problem', async (t) => {
  const { upload } = await connect(t);
  await assert.rejects(upload('PK', 'application/zip'), (error) => {
    assert.ok(error instanceof ProblemError);
    assert.deepEqual([error.status, error.code], [415, 'unsupported_media_type']);
    return true;
  });
});

test('uploadPicture uploads bytes, or a file that somebody chose in a page, whose type it knows', async (t) => {
  const { client } = await connect(t);
  const body = await drawFile('image/png', 20, 10);
  const picture = await uploadPicture(client, { body, contentType: 'image/png' });
  assert.deepEqual([picture.contentType, picture.width, picture.height], ['image/png', 20, 10]);
  const chosen = new File([new Uint8Array(body)], 'house.png', { type: 'image/png' });
  assert.equal((await uploadPicture(client, { body: chosen })).key, picture.key);
});
