import assert from 'node:assert/strict';
import type { Scope } from '../../src/access/index.ts';
import { issueKey } from '../../src/keys/index.ts';
import type { Answer, TestApp } from './harness.ts';
import type { TestAccount } from './test-accounts.ts';
import { until } from './until.ts';

export const FILES = '/api/v1/contact-files';

const SCOPES: Scope[] = ['contacts:manage', 'contacts:read', 'contacts:write', 'events:read'];

/** The requests of a program that imports files of contacts. */
export async function importerOf(
  service: TestApp,
  { accountId }: Pick<TestAccount, 'accountId'>,
  scopes = SCOPES,
) {
  const key = await issueKey(service.db, accountId, { name: 'importer', scopes });

  const upload = (
    payload: string | Buffer,
    { name = 'leads.csv', type = 'text/csv' } = {},
  ): Promise<Answer> =>
    service.send({
      method: 'POST',
      url: `${FILES}?name=${encodeURIComponent(name)}`,
      headers: { 'content-type': type },
      payload,
      key,
    });

  const get = (path: string): Promise<Answer> => service.send({ url: `/api/v1${path}`, key });
  const post = (path: string, payload: object = {}, headers = {}): Promise<Answer> =>
    service.send({ method: 'POST', url: `/api/v1${path}`, headers, payload, key });
  const remove = (path: string): Promise<Answer> =>
    service.send({ method: 'DELETE', url: `/api/v1${path}`, key });

  const show = async (id: string): Promise<Answer['body']> => {
    const { status, body, text } = await get(`/contact-files/${id}`);
    assert.equal(status, 200, text);
    return body;
  };

  /** Waits until a file has one of these statuses, and returns it. */
  async function waitFor(id: string, ...statuses: string[]): Promise<Answer['body']> {
    let file = await show(id);
    await until(async () => {
      file = await show(id);
      return statuses.includes(file.status);
    });
    return file;
  }

  /** Uploads a file, and waits until it is checked. */
  async function uploadReady(...file: Parameters<typeof upload>): Promise<Answer['body']> {
    const { status, body, text } = await upload(...file);
    assert.equal(status, 201, text);
    return waitFor(body.id, 'ready', 'refused');
  }

  const act = async (id: string, action: string, body: object = {}): Promise<Answer['body']> => {
    const { status, body: file, text } = await post(`/contact-files/${id}/${action}`, body);
    assert.equal(status, 202, text);
    return file;
  };

  /** Imports an uploaded file to its end. */
  async function importAll(id: string, options: object = {}): Promise<Answer['body']> {
    await act(id, 'start', options);
    return waitFor(id, 'completed', 'ready', 'failed');
  }

  return { key, upload, uploadReady, get, post, remove, show, waitFor, act, importAll };
}

/** Makes a CSV file with an email column and this many rows. */
export function makeRows(count: number, prefix = 'lead'): string {
  const rows = Array.from({ length: count }, (_, n) => `Lead ${n},${prefix}${n}@example.com\n`);
  return `name,email\n${rows.join('')}`;
}
