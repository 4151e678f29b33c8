import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { issueKey } from '../../src/keys/index.ts';
import { accountIdOf } from './accounts.ts';
import { buildApp } from './internals.ts';
import { readConfig, type Config } from '../../src/platform/config/index.ts';
import { openPool, type Pool } from '../../src/platform/database/index.ts';
import type { Server, Shutdown } from '../../src/platform/http/index.ts';
import { SCOPES, type Access } from '../../src/access/index.ts';
import { exportAccount, loadAccount } from '../../src/portability/index.ts';
import { cloneDatabase, dropDatabase, isCitus, urlOf } from './databases.ts';
import { watchShards } from './one-shard.ts';
import { checkDocumented, readBody } from './document.ts';

export const MEDIA_BASE_URL = 'https://media.example.com/offplan';

/** The settings of a service under test. */
export const SETTINGS = readConfig({}, { MEDIA_BASE_URL });

/** The key that secrets are encrypted with. */
export const SECRET_KEY = randomBytes(32);

/** Cleans up after a test: a test's context, or `{ after }` of node:test for a whole file. */
export interface Cleaner {
  after: (clean: () => Promise<void>) => void;
}

/** Creates a migrated, empty database and opens a pool on it. It is dropped after the test. */
export async function createDatabase(t: Cleaner, template?: string): Promise<Pool> {
  const name = await cloneDatabase(template);
  const db = openPool(urlOf(name), () => undefined);
  const requireOneShard = isCitus() && watchShards(db);
  t.after(async () => {
    try {
      if (requireOneShard) await requireOneShard(urlOf(name));
    } finally {
      await db.end();
      await dropDatabase(name);
    }
  });
  return db;
}

/** Returns the DATABASE_URL of a pool's database. */
export async function databaseUrl(db: Pool): Promise<string> {
  const { rows } = await db.query<{ name: string }>({
    name: 'database_name',
    text: 'select current_database() as name',
    values: [],
  });
  return urlOf(String(rows[0]?.name));
}

/** The parsed answer to a request. */
export interface Answer {
  status: number;
  headers: Record<string, unknown>;
  text: string;
  // Tests look into answers of every shape; each is checked against its schema where that is promised.
  // eslint-disable-next-line typescript/no-explicit-any
  body: any;
}

export interface TestApp {
  app: Server;
  db: Pool;
  /** The folder of the pictures. */
  mediaDir: string;
  /** The log lines written so far. */
  log: string[];
  /** Loads an account file. Fields that are left out have a default. */
  load: (file: object) => ReturnType<typeof loadAccount>;
  /** Exports an account and parses its file. */
  // eslint-disable-next-line typescript/no-explicit-any
  exported: (slug: string) => Promise<any>;
  /** Makes a key with this access, or with all scopes. */
  key: (slug: string, access: Access | 'all') => Promise<string>;
  /** Sends a request without a socket. */
  inject: (request: InjectOptions) => Promise<LightMyRequestResponse>;
  /**
   * Sends a request without a socket, with this API key, and checks the answer against the OpenAPI document.
   */
  send: (request: InjectOptions & { url: string; key?: string }) => Promise<Answer>;
}

/** Builds the service on a new database. */
export async function build(
  t: Cleaner,
  settings: Partial<Config> = {},
  shutdown?: Shutdown,
  secretKey: Buffer | null = SECRET_KEY,
): Promise<TestApp> {
  const db = await createDatabase(t);
  const log: string[] = [];
  const logger = pino(
    { level: 'trace', base: null },
    { write: (line: string) => void log.push(line) },
  );
  const mediaDir = join(tmpdir(), `offplan-media-${randomBytes(8).toString('hex')}`);
  t.after(() => rm(mediaDir, { recursive: true, force: true }));
  const config = { ...SETTINGS, mediaDir, ...settings };
  const app = await buildApp({
    config,
    secretKey,
    db,
    logger,
    ...(shutdown && { shutdown }),
  });
  await app.ready();
  t.after(async () => app.close());
  return {
    app,
    db,
    mediaDir: config.mediaDir,
    log,
    load: (file) => loadAccount(db, file),
    exported: (slug) => exportedAccount(db, slug),
    key: (slug, access) => createKey(db, slug, access),
    inject: (request) => app.inject(request),
    send: async ({ key, ...request }) => {
      const headers = {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...request.headers,
      };
      const response = await app.inject({ ...request, headers });
      const { statusCode: status, payload: text } = response;
      const contentType = response.headers['content-type']?.toString() ?? '';
      const body = readBody(contentType, text);
      checkDocumented({
        method: request.method ?? 'GET',
        path: request.url.split('?')[0] ?? '',
        status,
        contentType,
        body,
      });
      return { status, headers: response.headers, text, body };
    },
  };
}

async function exportedAccount(db: Pool, slug: string): Promise<unknown> {
  let text = '';
  await exportAccount(db, slug, (chunk) => void (text += chunk));
  return JSON.parse(text);
}

async function createKey(db: Pool, slug: string, access: Access | 'all'): Promise<string> {
  const rights = access === 'all' ? { scopes: SCOPES } : { access };
  return issueKey(db, await accountIdOf(db, { slug }), { name: 'test', ...rights });
}
