import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Pool } from '../src/platform/database/index.ts';
import { makeAccount, makeKey, run, type Account } from './data.ts';

const EVENT_TYPE = 'contact.created';

/** An account with a key that can create webhooks. */
export interface WebhookAccount extends Account {
  key: string;
}

export async function makeWebhookAccount(db: Pool, slug: string): Promise<WebhookAccount> {
  const account = await makeAccount(db, slug);
  const key = await makeKey(db, account, [
    'webhooks:write',
    'leads:import',
    'contacts:read',
    'events:read',
  ]);
  return { ...account, key };
}

/** Sends a request of an account to the service. */
export async function post(
  service: { url: string },
  { key }: WebhookAccount,
  path: string,
  body: object,
): Promise<{ id: string }> {
  const response = await fetch(`${service.url}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as { id: string };
}

/** Creates a webhook of an account. It gets one event for each contact. */
export const makeWebhook = (service: { url: string }, account: WebhookAccount, url: string) =>
  post(service, account, '/webhooks', { url, types: [EVENT_TYPE] });

/** Commits events of an account, as a writer does. */
export async function commitEvents(db: Pool, { id }: Account, count: number): Promise<void> {
  await run(
    db,
    `with raised as (
       update account_revisions set sequence = sequence + $2::int,
         revision = greatest($4, (revision at time zone 'UTC' + interval '1 millisecond') at time zone 'UTC')
       where account_id = $1 returning sequence, revision
     )
     insert into events (account_id, sequence, at, actor_type, type, subject, data)
     select $1, sequence - $2::int + n, revision, 'system', $3, gen_random_uuid(),
       '{"changed":["email","firstName","lastName","name","mobilePhone","source","stage"]}'
     from raised, generate_series(1, $2::int) as n`,
    [id, count, EVENT_TYPE, new Date()],
  );
}

/** Starts a server in this process that receives the events of all webhooks. */
export async function startReceiver() {
  const counts = new Map<string, number>();
  const firstBytes = new Map<string, (ms: number) => void>();
  let example = '';
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://receiver');
    firstBytes.get(pathname)?.(performance.now());
    counts.set(pathname, (counts.get(pathname) ?? 0) + 1);
    // Never answer this path.
    if (pathname.startsWith('/hung')) return;
    void text(request).then((body) => {
      example = body;
      response.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    /** Returns the number of requests to a path. */
    count: (path: string): number => counts.get(path) ?? 0,
    /** Waits for the next request to a path, and returns the time of its first byte. */
    nextFirstByte: (path: string): Promise<number> =>
      new Promise((resolve) => firstBytes.set(path, resolve)),
    /** Returns the body of a request. */
    example: (): string => example,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
