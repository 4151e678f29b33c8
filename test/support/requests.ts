import assert from 'node:assert/strict';
import { until } from './until.ts';

/** A time that is longer than the service caches an API key. After it, even a cached page needs the database. */
export const KEY_REMEMBERED_MS = 300;

/** An answer, as tests of failures compare it. `code` is that of a problem. */
export interface Answered {
  what: string;
  status: number;
  code: string | undefined;
  retryAfter: string | null;
  tookMs: number;
}

export type Send = () => Promise<Answered>;

/** Sends a GET, or a POST when there is a body. */
export async function send(
  url: string,
  key: string,
  path: string,
  body?: object,
): Promise<Answered> {
  const startMs = performance.now();
  const response = await fetch(url + path, {
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json');
  return {
    what: path,
    status: response.status,
    code: isProblem === true ? (JSON.parse(text) as { code: string }).code : undefined,
    retryAfter: response.headers.get('retry-after'),
    tookMs: performance.now() - startMs,
  };
}

let count = 0;
/** Makes the body of a lead with an email that no other lead has. */
export const lead = () => ({ email: `lead-${(count += 1)}@example.com`, notes: 'Hi', tag: 'Hot' });

/** Makes one request of each kind that needs the database, each different from earlier ones. */
export function oneOfEachKind(url: string, key: string): Send[] {
  return [
    ...reads(url, key),
    () => send(url, key, '/api/v1/contacts', lead()),
    () => send(url, key, '/api/v1/contacts/batch', { contacts: [lead(), lead()] }),
  ];
}

/** The kinds of requests that bring no lead. */
export function reads(url: string, key: string): Send[] {
  return [
    () => send(url, key, '/api/v1/stocklist'),
    () => send(url, key, `/api/v1/projects/none-${(count += 1)}`),
    () => send(url, key, '/readyz'),
  ];
}

/** Whether the answer is a 503 that says when to try again. */
export function isUnavailable({ status, code, retryAfter }: Answered): boolean {
  return status === 503 && code === 'unavailable' && /^[1-9]\d*$/.test(retryAfter ?? '');
}

export function assertUnavailable(answers: Answered[]): void {
  for (const each of answers) assert.ok(isUnavailable(each), JSON.stringify(each));
}

export const all = (sends: Send[]): Promise<Answered[]> => Promise.all(sends.map((each) => each()));

/** Waits until each kind of request gets a normal answer. */
export async function untilNormal(sends: Send[]): Promise<void> {
  for (const each of sends)
    await until(async () => {
      const answered = await each();
      assert.ok(answered.status < 500 || isUnavailable(answered), JSON.stringify(answered));
      return answered.status < 500;
    });
}
