import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { PassThrough, Readable } from 'node:stream';
import { after, describe, test } from 'node:test';
import sharp from 'sharp';
import { testAccountsOf, type Api } from './support/test-accounts.ts';
import { issueKey, listKeys, revokeKey } from '../src/keys/index.ts';
import { sweepPictures } from '../src/media/index.ts';
import { MEDIA_HEADERS, type Fault } from '../src/platform/http/index.ts';
import { runInTransaction } from '../src/platform/database/index.ts';
import { deleteAccount } from '../src/portability/index.ts';
import { expireLookUps } from './support/clock.ts';
import { LIVE, UNIT } from './support/developer.ts';
import { build, MEDIA_BASE_URL, type Answer } from './support/harness.ts';
import { someoneWaits } from './support/locks.ts';
import { until } from './support/until.ts';
import {
  drawFile,
  drawPicture,
  makeBomb,
  readPixel,
  TYPES,
  type PictureType,
} from './support/pictures.ts';
import { assertProblem } from './support/problem.ts';

const service = await build({ after });
const makeAccount = testAccountsOf(service);
const MEDIA = '/api/v1/media';
const PUBLIC = 'http://127.0.0.1:3000';

async function openStudio() {
  const account = await makeAccount();
  return { ...account, api: await account.program('projects:write', 'settings:write') };
}

const upload = (api: Api, file: Buffer | Readable, type = 'image/jpeg') =>
  api.post('/media', file, { 'content-type': type });

async function store(api: Api, file?: Buffer, type: PictureType = 'image/jpeg') {
  const answer = await upload(api, file ?? (await drawFile(type)), type);
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

/** Reads a picture as a website does. */
async function read(url: string, headers = {}, method: 'GET' | 'HEAD' = 'GET') {
  const path = url.replace(PUBLIC, '');
  const {
    statusCode: status,
    headers: fields,
    rawPayload: bytes,
  } = await service.inject({ method, url: path, headers });
  return { status, headers: fields, bytes };
}

const ascending = (a: number, b: number) => a - b;

const sizeOf = async (file: Buffer) => {
  const { width, height } = await sharp(file).metadata();
  return [width, height];
};

const SVG = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>',
);
const jpeg = await drawFile('image/jpeg', 400, 300);
const noise = await sharp({
  create: {
    width: 300,
    height: 200,
    channels: 3,
    background: '#888',
    noise: { type: 'gaussian', mean: 128, sigma: 40 },
  },
})
  .png()
  .toBuffer();
const damaged = Buffer.from(noise);
damaged.fill(0, damaged.length >> 1, (damaged.length >> 1) + 20);
const gif = await drawPicture().gif().toBuffer();
const cut = (file: Buffer) => file.subarray(0, Math.floor(file.length * 0.6));
const hostile: [string, Buffer, string][] = [
  ['an SVG', SVG, 'image/png'],
  ['an SVG that is said to be AVIF', SVG, 'image/avif'],
  ['a GIF', gif, 'image/webp'],
  ['HTML', Buffer.from('<!doctype html><script>1</script>'), 'image/jpeg'],
  ['nothing', Buffer.alloc(0), 'image/jpeg'],
  ['a PNG that is said to be a JPEG', await drawFile('image/png'), 'image/jpeg'],
  ['a JPEG that is said to be a PNG', jpeg, 'image/png'],
  ['a JPEG without its end', cut(jpeg), 'image/jpeg'],
  ['a PNG without its end', cut(noise), 'image/png'],
  ['a WebP without its end', cut(await drawFile('image/webp', 400, 300)), 'image/webp'],
  ['an AVIF without its end', cut(await drawFile('image/avif', 400, 300)), 'image/avif'],
  ['a damaged PNG', damaged, 'image/png'],
  ['a PNG of 100,020,001 pixels', makeBomb(10_001), 'image/png'],
  ['a PNG of 65,536 pixels in each line', makeBomb(65_536, 2), 'image/png'],
];

describe('POST /media', () => {
  for (const type of Object.keys(TYPES) as PictureType[])
    test(`stores ${type}, which everybody can read under its key`, async () => {
      const { api, accountId } = await openStudio();
      const file = await drawFile(type);
      const { status, body, headers } = await upload(api, file, type);
      assert.equal(status, 201);
      const sha256 = createHash('sha256').update(file).digest('hex');
      const { bytes, createdAt: _time, ...picture } = body;
      const extension = type === 'image/jpeg' ? 'jpg' : type.slice('image/'.length);
      const key = `${accountId}/${sha256}.${extension}`;
      const url = `${PUBLIC}/media/${key}`;
      assert.deepEqual(picture, { key, url, contentType: type, width: 64, height: 48, sha256 });
      assert.equal(headers['location'], url);
      const served = await read(url);
      assert.deepEqual([served.status, served.headers['content-type']], [200, type]);
      assert.equal(served.bytes.length, bytes);
      assert.deepEqual(await sizeOf(served.bytes), [64, 48]);
      assert.equal(await readPixel(served.bytes, 30, 5), 'red');
      assert.equal(await readPixel(served.bytes, 30, 40), 'blue');
    });

  test('answers 200 to a picture that the account has, and keeps it once', async () => {
    const { api } = await openStudio();
    const file = await drawFile();
    const first = await store(api, file);
    const again = await upload(api, file);
    assert.deepEqual([again.status, again.body], [200, first]);
    const other = await drawFile();
    const answers = await Promise.all([upload(api, other), upload(api, other)]);
    assert.deepEqual(answers.map(({ status }) => status).toSorted(ascending), [200, 201]);
    assert.deepEqual(answers[0]?.body, answers[1]?.body);
    assert.equal((await api.get('/media')).body.data.length, 2);
  });

  test('stores a picture again whose files were lost', async () => {
    const { api, accountId } = await openStudio();
    const file = await drawFile('image/png', 700, 500);
    const { key, url } = await store(api, file, 'image/png');
    rmSync(`${service.mediaDir}/${accountId}`, { recursive: true });
    assert.equal((await read(url)).status, 404);
    const again = await upload(api, file, 'image/png');
    assert.deepEqual([again.status, again.body.key], [200, key]);
    for (const size of ['', '?w=320', '?w=640']) assert.equal((await read(url + size)).status, 200);
  });

  test('removes metadata, such as where a picture was taken, and turns it upright first', async () => {
    const { api } = await openStudio();
    const file = await drawPicture(64, 48)
      .withExif({
        IFD0: { Copyright: 'Hana Parata' },
        IFD3: { GPSLatitudeRef: 'S', GPSLatitude: '36/1 50/1 0/1' },
      })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const sent = await sharp(file).metadata();
    assert.ok(sent.exif);
    assert.equal(sent.orientation, 6);
    assert.ok(file.includes('Hana Parata'));
    const { url, width, height } = await store(api, file);
    assert.deepEqual([width, height], [48, 64]);
    const { bytes } = await read(url);
    const { exif, icc, xmp, iptc, orientation } = await sharp(bytes).metadata();
    assert.deepEqual(
      [exif, icc, xmp, iptc, orientation],
      [undefined, undefined, undefined, undefined, undefined],
    );
    assert.ok(!bytes.includes('Hana'));
    // A camera that was turned has its upper side on the right.
    assert.deepEqual(
      [await readPixel(bytes, 40, 30), await readPixel(bytes, 5, 30)],
      ['red', 'blue'],
    );
  });

  test('drops what hides behind a picture', async () => {
    const { api } = await openStudio();
    const html = '<script>alert(1)</script>';
    for (const type of ['image/jpeg', 'image/png'] as const) {
      const file = Buffer.concat([await drawFile(type), Buffer.from(html)]);
      const { url } = await store(api, file, type);
      const { bytes, headers } = await read(url);
      assert.ok(!bytes.includes('script'));
      assert.equal(headers['content-type'], type);
    }
  });

  test('takes the JPEG of cameras that write a wrong scan header', async () => {
    const { api } = await openStudio();
    const file = await drawFile();
    // Behind the marker: its length, the number of components, two bytes for each, and the last frequency.
    const scan = file.indexOf(Buffer.from('ffda', 'hex'));
    file.writeUInt8(0, scan + 5 + 2 * file.readUInt8(scan + 4) + 1);
    await assert.rejects(sharp(file).toBuffer(), /SOS/);
    await store(api, file);
  });

  test('answers 415 to every type that is no picture', async () => {
    const { api } = await openStudio();
    const file = await drawFile();
    const types = ['image/svg+xml', 'image/gif', 'text/html', 'application/json', 'image/*', ''];
    const picture = { 'content-type': 'image/jpeg' };
    const wrong = [
      ...types.map((type) => ({ 'content-type': type })),
      { ...picture, 'content-encoding': 'gzip' },
    ];
    for (const headers of wrong) {
      const { status, body } = await api.post('/media', file, headers);
      assert.deepEqual(
        [status, body.code],
        [415, 'unsupported_media_type'],
        JSON.stringify(headers),
      );
    }
  });

  test('answers 413 to more than 20 MiB, known by its length or not', async () => {
    const { api, accountId } = await openStudio();
    const large = Buffer.alloc(20 * 2 ** 20 + 1);
    assertProblem(await upload(api, large), 'body_too_large', MEDIA);
    assertProblem(await upload(api, Readable.from([large])), 'body_too_large', MEDIA);
    assert.deepEqual(filesOf(accountId), []);
  });

  test('answers 403 before it reads the body of somebody who may not upload', async () => {
    const { accountId, person, program } = await openStudio();
    for (const api of [await person('agent'), await program('projects:read')]) {
      const { status, body } = await upload(api, await drawFile());
      assert.deepEqual([status, body.requiredScope], [403, 'projects:write']);
    }
    const type = { 'content-type': 'image/jpeg' };
    const anonymous = await service.send({
      method: 'POST',
      url: MEDIA,
      headers: type,
      payload: 'x',
    });
    assertProblem(anonymous, 'missing_api_key', MEDIA);
    assert.deepEqual(filesOf(accountId), []);
  });

  test('answers 401 when the key is revoked while the picture arrives, and stores nothing', async () => {
    const { developer, accountId } = await openStudio();
    const key = await issueKey(service.db, accountId, { name: 'crm', scopes: ['projects:write'] });
    const file = await drawFile();
    async function* parts() {
      yield file.subarray(0, 100);
      const revoked = (await listKeys(service.db, accountId)).at(-1);
      await revokeKey(service.db, accountId, revoked?.id ?? '');
      expireLookUps();
      yield file.subarray(100);
    }
    const headers = { 'content-type': 'image/jpeg' };
    const payload = Readable.from(parts());
    const answer = await service.send({ method: 'POST', url: MEDIA, key, headers, payload });
    assertProblem(answer, 'invalid_api_key', MEDIA);
    assert.deepEqual(filesOf(accountId), []);
    assert.ok(developer);
  });

  test('takes four pictures of an account at once, and answers 429 to a fifth', async () => {
    const { api } = await openStudio();
    const file = await drawFile();
    const bodies = Array.from({ length: 4 }, () => new PassThrough());
    const answers = bodies.map((body) => upload(api, body));
    await until(() => globSync('.drafts/*', { cwd: service.mediaDir }).length === 4);
    assertProblem(await upload(api, file), 'rate_limited', MEDIA);
    for (const body of bodies) body.end(file);
    assert.deepEqual(
      (await Promise.all(answers)).map(({ status }) => status).toSorted(ascending),
      [200, 200, 200, 201],
    );
    assert.equal((await upload(api, file)).status, 200);
  });

  test('answers 503 when the folder cannot be written', async () => {
    const broken = await build({ after }, { mediaDir: '/dev/null/media' });
    const { program } = await testAccountsOf(broken)();
    const refused = await upload(await program('projects:write'), await drawFile());
    assertProblem(refused, 'unavailable', MEDIA);
  });

  for (const [what, file, type] of hostile)
    test(`answers 422 to ${what}, and stores nothing`, async () => {
      const { api, accountId } = await openStudio();
      const refused = await upload(api, file, type);
      assertProblem(refused, 'media_unreadable', MEDIA);
      assert.deepEqual((await api.get('/media')).body.data, []);
      assert.deepEqual(filesOf(accountId), []);
    });
});

/** The files of an account, and all drafts. */
function filesOf(accountId: string): string[] {
  const namesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder) : []);
  return [accountId, '.drafts'].flatMap((name) => namesIn(`${service.mediaDir}/${name}`));
}

describe('GET /media/<key>', () => {
  test('is cached for ever, has an ETag, and answers HEAD', async () => {
    const { api } = await openStudio();
    const { url, bytes } = await store(api);
    const { headers } = await read(url);
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
    for (const [name, value] of Object.entries(MEDIA_HEADERS)) assert.equal(headers[name], value);
    const etag = { 'if-none-match': String(headers['etag']) };
    assert.equal((await read(url, etag)).status, 304);
    assert.equal((await read(url, { ...etag, 'cache-control': 'no-cache' })).status, 304);
    const head = await read(url, {}, 'HEAD');
    assert.deepEqual([head.status, head.bytes.length], [200, 0]);
    assert.equal(head.headers['content-length'], String(bytes));
    assert.equal(head.headers['etag'], headers['etag']);
    assert.equal(headers['access-control-allow-origin'], undefined);
  });

  for (const type of Object.keys(TYPES) as PictureType[])
    test(`has smaller sizes of ${type}, and never a larger one`, async () => {
      const { api } = await openStudio();
      const { url } = await store(api, await drawFile(type, 700, 350), type);
      for (const [width, expected] of [
        [320, [320, 160]],
        [640, [640, 320]],
        [1280, [700, 350]],
        [1920, [700, 350]],
      ] as const) {
        const { status, headers, bytes } = await read(`${url}?w=${width}`);
        assert.deepEqual([status, headers['content-type']], [200, type]);
        assert.deepEqual(await sizeOf(bytes), expected);
        assert.equal(await readPixel(bytes, 10, 10), 'red');
        assert.equal(await readPixel(bytes, 10, (expected[1] ?? 0) - 10), 'blue');
      }
    });

  test('makes each size once, with the picture', async () => {
    const { api, accountId } = await openStudio();
    const { url, sha256 } = await store(api, await drawFile('image/jpeg', 2000, 10));
    const names = filesOf(accountId).toSorted();
    const widths = [1280, 1920, 320, 640];
    assert.deepEqual(names, [...widths.map((width) => `${sha256}-${width}.jpg`), `${sha256}.jpg`]);
    const times = () =>
      names.map((name) => statSync(`${service.mediaDir}/${accountId}/${name}`).mtimeMs);
    const before = times();
    await Promise.all(widths.map((width) => read(`${url}?w=${width}`)));
    assert.deepEqual([times(), filesOf(accountId).toSorted()], [before, names]);
  });

  test('answers 400 to any other width or parameter', async () => {
    const { api } = await openStudio();
    const { url } = await store(api);
    for (const query of ['w=', 'w=321', 'w=0320', 'w=320.0', 'w=320&w=320', 'h=320', 'w=320&x']) {
      const { status, headers, bytes } = await read(`${url}?${query}`);
      assert.equal(status, 400, query);
      assert.equal(headers['cache-control'], 'no-store');
      const { code, errors } = JSON.parse(bytes.toString());
      assert.deepEqual([code, typeof errors[0].parameter], ['invalid_request', 'string']);
    }
  });

  test('answers 404 to all that is no picture, and leads out of no folder', async () => {
    const { api, accountId } = await openStudio();
    const { key, sha256 } = await store(api);
    const none = '0'.repeat(64);
    const paths = [
      `${accountId}/${none}.jpg`,
      `${accountId}/${sha256}.png`,
      `${accountId}/${sha256}-320.jpg`,
      accountId,
      `${accountId}/`,
      `.drafts/${none}`,
      `x%2f..%2f${key}`,
      `${accountId}/..%2f${key}`,
      `${accountId}%2f..%2f.drafts%2f`,
      `${key}%00.svg`,
      `${accountId}%2f..%2f..%2f..%2fetc%2fpasswd`,
      `${key.toUpperCase()}`,
    ];
    for (const path of paths) {
      const { status } = await read(`/media/${path}`);
      assert.equal(status, 404, path);
    }
  });

  test('serves the pictures of the demo as before, whatever the parameters', async () => {
    const { status, headers } = await read('/media/logo.svg?w=1');
    assert.deepEqual([status, headers['cache-control']], [200, 'public, max-age=3600']);
  });
});

describe('GET /media', () => {
  test('lists the pictures in pages, the newest first, and counts them', async () => {
    const { api } = await openStudio();
    const made = [await store(api), await store(api), await store(api)];
    const page = (await api.get('/media?limit=2&count=true')).body;
    assert.deepEqual(page.data, [made[2], made[1]]);
    assert.deepEqual([page.pagination.hasNextPage, page.pagination.totalCount], [true, 3]);
    const next = await api.get(`/media?limit=2&cursor=${page.pagination.nextCursor}`);
    assert.deepEqual(next.body.data, [made[0]]);
    assert.deepEqual((await api.get('/media?sort=createdAt')).body.data, made);
    const [own, value, id] = JSON.parse(
      Buffer.from(page.pagination.nextCursor, 'base64url').toString(),
    );
    const forged = [`${value}\0`, value.replace(/^\d+/, '0000')].map(
      (each) => `cursor=${Buffer.from(JSON.stringify([own, each, id])).toString('base64url')}`,
    );
    for (const query of ['unused=1', 'sort=width', 'w=320', 'cursor=x', ...forged])
      assert.equal((await api.get(`/media?${query}`)).status, 400, query);
  });

  test('tells used pictures from unused ones', async () => {
    const { api, developer } = await openStudio();
    const [logo, hero, gallery, plan, none] = [
      await store(api),
      await store(api),
      await store(api),
      await store(api),
      await store(api),
    ];
    const picture = ({ key }: { key: string }) => ({ key });
    await service.load({
      format: 'offplan-account/1',
      account: { slug: developer.slug, organization: { logoImage: picture(logo) } },
      projects: [
        {
          id: LIVE,
          heroImage: picture(hero),
          galleryImages: [{ key: 'elsewhere.jpg' }, picture(gallery)],
          units: [{ id: UNIT, floorPlanImage: picture(plan) }],
        },
      ],
    });
    const keysOf = async (query: string) =>
      (await api.get(`/media?sort=createdAt&count=true&${query}`)).body.data.map(picture);
    assert.deepEqual(await keysOf('unused=true'), [picture(none)]);
    assert.deepEqual(await keysOf('unused=false'), [logo, hero, gallery, plan].map(picture));
    for (const [{ sha256 }, references] of [
      [logo, { organizations: 1, projects: 0, units: 0 }],
      [hero, { organizations: 0, projects: 1, units: 0 }],
      [gallery, { organizations: 0, projects: 1, units: 0 }],
      [plan, { organizations: 0, projects: 0, units: 1 }],
    ]) {
      const refused = await api.remove(`/media/${sha256}`);
      assertProblem(refused, 'in_use', `${MEDIA}/${sha256}`);
      assert.deepEqual(refused.body.references, references);
    }
    const key = await service.key(developer.slug, 'read');
    const { project } = (await service.send({ url: '/api/v1/projects/harbourlight', key })).body;
    assert.deepEqual(project.heroImage, { key: hero.key, url: hero.url });
    assert.deepEqual(project.galleryImages, [
      { key: 'elsewhere.jpg', url: `${MEDIA_BASE_URL}/elsewhere.jpg` },
      { key: gallery.key, url: gallery.url },
    ]);
    assert.equal(project.units[0].floorPlanImage.url, plan.url);
    const { organization } = (await service.send({ url: '/api/v1/stocklist', key })).body;
    assert.deepEqual(organization.logoImage, { key: logo.key, url: logo.url });
  });
});

describe('DELETE /media/:sha256', () => {
  test('deletes a picture and its sizes, once', async () => {
    const { api, accountId } = await openStudio();
    const file = await drawFile('image/jpeg', 400, 300);
    const { url, sha256 } = await store(api, file);
    assert.equal((await api.remove(`/media/${sha256}`)).status, 204);
    assertProblem(await api.remove(`/media/${sha256}`), 'picture_not_found', `${MEDIA}/${sha256}`);
    assert.equal((await read(url)).status, 404);
    assert.equal((await read(`${url}?w=320`)).status, 404);
    assert.deepEqual(filesOf(accountId), []);
    await store(api, file);
    assert.equal((await read(url)).status, 200);
  });

  test('answers 404 to a picture of another account as to an unknown one', async () => {
    const { api } = await openStudio();
    const theirs = await openStudio();
    const { sha256, url, key } = await store(theirs.api);
    const path = `${MEDIA}/${sha256}`;
    assertProblem(await api.remove(`/media/${sha256}`), 'picture_not_found', path);
    assert.deepEqual((await api.get('/media')).body.data, []);
    assert.equal((await read(url)).status, 200);
    const refused = await api.patch('/organization', { logoImage: { key } });
    assertProblem(refused, 'media_not_found', '/api/v1/organization');
    assert.deepEqual(
      refused.body.errors.map(({ pointer }: Fault) => pointer),
      ['/logoImage/key'],
    );
  });

  test('and a change that begins to use the picture at the same moment: one of them is refused', async () => {
    const { api } = await openStudio();
    for (let round = 0; round < 4; round += 1) {
      const { sha256, key, url } = await store(api);
      const [removed, changed] = await Promise.all([
        api.remove(`/media/${sha256}`),
        api.patch('/organization', { logoImage: { key } }),
      ]);
      const isKept = changed.status === 200;
      assert.deepEqual([removed.status, changed.status], isKept ? [409, 200] : [204, 422]);
      assert.equal((await read(url)).status, isKept ? 200 : 404);
    }
  });
});

describe('the organization', () => {
  test('takes the key of a stored picture, or any of the operator, and refuses one that is not there', async () => {
    const { api, accountId } = await openStudio();
    const { key, url } = await store(api);
    const changed = await api.patch('/organization', { logoImage: { key } });
    assert.deepEqual(changed.body.logoImage, { key, url });
    const missing = `${accountId}/${'0'.repeat(64)}.jpg`;
    for (const wrong of [missing, key.replace('.jpg', '.png')]) {
      const refused = await api.patch('/organization', { logoImage: { key: wrong } });
      assertProblem(refused, 'media_not_found', '/api/v1/organization');
      assert.deepEqual(
        refused.body.errors.map(({ pointer }: Fault) => pointer),
        ['/logoImage/key'],
      );
    }
    const own = await api.patch('/organization', { logoImage: { key: 'logos/own.svg' } });
    assert.equal(own.body.logoImage.url, `${MEDIA_BASE_URL}/logos/own.svg`);
  });
});

describe('an account that is deleted', () => {
  test('takes its pictures with it, and no others', async () => {
    const [gone, other] = [await openStudio(), await openStudio()];
    const [picture, kept] = [await store(gone.api), await store(other.api)];
    await deleteAccount({ db: service.db, mediaDir: service.mediaDir }, gone.accountId);
    assert.equal((await read(picture.url)).status, 404);
    assert.deepEqual(filesOf(gone.accountId), []);
    assert.equal((await read(kept.url)).status, 200);
  });
});

describe('projects and units', () => {
  test('show the size of a stored picture, and refuse one that is not there', async () => {
    const { api, accountId } = await openStudio();
    const { key, url, sha256 } = await store(api, await drawFile('image/jpeg', 70, 50));
    const missing = `${accountId}/${'0'.repeat(64)}.jpg`;
    const project = '/stock/projects';
    const pictures = {
      heroImage: { key, alt: 'The river' },
      galleryImages: [{ key: 'elsewhere.jpg' }, { key }],
    };
    const created = await api.post(project, { name: 'Rātā', slug: 'rata', ...pictures });
    assert.equal(created.status, 201, created.text);
    const { id, heroImage, galleryImages } = created.body;
    const size = { width: 70, height: 50 };
    assert.deepEqual(heroImage, { key, url, alt: 'The river', ...size });
    assert.deepEqual(
      galleryImages.map(({ width, height }: typeof size) => [width, height]),
      [
        [null, null],
        [70, 50],
      ],
    );
    const listed = (await api.get(project)).body.data.find(
      (each: { id: string }) => each.id === id,
    );
    assert.deepEqual(listed, created.body);
    assert.equal((await api.remove(`/media/${sha256}`)).body.code, 'in_use');

    const pointersOf = ({ body }: Answer) => body.errors.map(({ pointer }: Fault) => pointer);
    const wrong = { galleryImages: [{ key }, { key: missing }] };
    const refused = await api.patch(`${project}/${id}`, wrong);
    assertProblem(refused, 'media_not_found', `/api/v1${project}/${id}`);
    assert.deepEqual(pointersOf(refused), ['/galleryImages/1/key']);
    // The documented order of errors: a 422 comes before a 409.
    const { slug } = (await api.get(`${project}/${id}`)).body;
    const taken = await api.post(project, { name: 'Another', slug, heroImage: { key: missing } });
    assertProblem(taken, 'media_not_found', `/api/v1${project}`);
    const plan = (each: string) => ({
      name: '1A',
      status: 'Available',
      floorPlanImage: { key: each },
    });
    const units = `${project}/${id}/units`;
    for (const [last, list] of [[plan(missing)], [plan(key), plan(missing)]].entries()) {
      const answer = await api.post(units, { units: list });
      const pointers = [`/units/${last}/floorPlanImage/key`];
      assert.deepEqual([answer.status, pointersOf(answer)], [422, pointers]);
    }
    const unit = await api.post(units, plan(key));
    assert.equal(unit.status, 201, unit.text);
    const changes = [{ id: unit.body.id, set: { floorPlanImage: { key: missing } } }];
    for (const query of ['', '?dryRun=true']) {
      const batch = await api.post(`/stock/units/batch${query}`, { atomic: false, changes });
      assert.deepEqual(batch.body.summary, { changed: 0, unchanged: 0, refused: 1 }, batch.text);
      assert.equal(batch.body.results[0].problem.code, 'media_not_found');
    }
    assert.deepEqual((await api.get(`/stock/units/${unit.body.id}`)).body, unit.body);
  });
});

describe('the sweep of pictures', () => {
  const sweeper = { db: service.db, mediaDir: service.mediaDir };

  /** Sweeps on this day of May. A picture is kept for 30 days after the sweep that found it unused. */
  const sweepOn = (accountId: string, day: number): Promise<void> =>
    sweepPictures(sweeper, accountId, {
      now: new Date(Date.UTC(2030, 4, day)),
      unusedBefore: new Date(Date.UTC(2030, 4, day - 30)),
      leftBefore: new Date(0),
    });
  const keysOf = async (api: Awaited<ReturnType<typeof openStudio>>['api']) =>
    new Set((await api.get('/media')).body.data.map(({ key }: { key: string }) => key));

  test('deletes those that nothing has used for 30 days, and no other', async () => {
    const { api, accountId } = await openStudio();
    const [used, unused] = [await store(api), await store(api)];
    await api.patch('/organization', { logoImage: { key: used.key } });
    await sweepOn(accountId, 1);
    await sweepOn(accountId, 31);
    assert.deepEqual(await keysOf(api), new Set([used.key, unused.key]));
    await sweepOn(accountId, 32);
    assert.deepEqual((await api.get('/media')).body.data, [used]);
    assert.deepEqual(filesOf(accountId), [`${used.sha256}.jpg`]);
  });

  test('keeps for 30 days a picture that was used for long, and one that is sent again', async () => {
    const { api, accountId } = await openStudio();
    const file = await drawFile();
    const [used, sent] = [await store(api), await store(api, file)];
    await api.patch('/organization', { logoImage: { key: used.key } });
    await sweepOn(accountId, 1);
    assert.equal((await upload(api, file)).status, 200);
    await api.patch('/organization', { logoImage: null });
    await sweepOn(accountId, 32);
    await sweepOn(accountId, 62);
    assert.deepEqual(await keysOf(api), new Set([used.key, sent.key]));
    // It is used for some days between two sweeps that find it unused.
    await api.patch('/organization', { logoImage: { key: used.key } });
    await sweepOn(accountId, 62);
    await api.patch('/organization', { logoImage: null });
    await sweepOn(accountId, 63);
    assert.deepEqual(await keysOf(api), new Set([used.key]));
  });

  test('keeps for 30 days a picture that was used between two sweeps', async () => {
    const { api, accountId } = await openStudio();
    const { key } = await store(api);
    await sweepOn(accountId, 1);
    for (const logoImage of [{ key }, null]) await api.patch('/organization', { logoImage });
    await sweepOn(accountId, 32);
    assert.deepEqual(await keysOf(api), new Set([key]));
    await sweepOn(accountId, 63);
    assert.deepEqual(await keysOf(api), new Set());
  });

  test('keeps a picture that is uploaded while its files look left by a crash', async () => {
    const { api, accountId } = await openStudio();
    await store(api);
    const sha256 = '2'.repeat(64);
    writeFileSync(`${service.mediaDir}/${accountId}/${sha256}.jpg`, 'x');
    const leftBefore = new Date(Date.now() + 60_000);
    const times = { now: new Date(), unusedBefore: new Date(0), leftBefore };
    const { sweeping } = await runInTransaction(service.db, async (upload) => {
      const text = `insert into media (account_id, sha256, ext, bytes, width, height, created_at, created_by_type, created_by_id)
        values ($1, $2, 'jpg', 1, 1, 1, now(), 'user', $1)`;
      await upload.query({ name: '', text, values: [accountId, sha256] });
      const sent = sweepPictures(sweeper, accountId, times);
      await someoneWaits(service.db);
      return { sweeping: sent };
    });
    await sweeping;
    assert.ok(filesOf(accountId).includes(`${sha256}.jpg`));
    assert.equal((await api.get('/media')).body.data.length, 2);
  });

  test('deletes what a crash has left, and no picture', async () => {
    const { api, accountId } = await openStudio();
    const { sha256 } = await store(api);
    const left = [`.drafts/left`, `.drafts/left-320`, `${accountId}/${'1'.repeat(64)}-320.jpg`];
    for (const path of left) writeFileSync(`${service.mediaDir}/${path}`, 'x');
    const times = { now: new Date(), unusedBefore: new Date(0) };
    const early = { ...times, leftBefore: new Date(Date.now() - 60_000) };
    await sweepPictures(sweeper, accountId, early);
    assert.equal(filesOf(accountId).length, 4);
    const late = { ...times, leftBefore: new Date(Date.now() + 60_000) };
    await sweepPictures(sweeper, accountId, late);
    assert.deepEqual(filesOf(accountId), [`${sha256}.jpg`]);
    assert.equal((await api.get('/media')).body.data.length, 1);
  });
});
