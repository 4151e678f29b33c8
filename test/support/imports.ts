import assert from 'node:assert/strict';
import type { InjectOptions } from 'fastify';
import { PROBLEMS, type ProblemCode, type Server } from '../../src/platform/http/index.ts';
import type { Pool } from '../../src/platform/database/index.ts';
import type { Developer } from './developer.ts';
import type { Answer, TestApp } from './harness.ts';
import { run } from './sql.ts';

export const SINGLE = '/api/v1/contacts';
export const BATCH = '/api/v1/contacts/batch';

/** A body: an object to send as JSON, or the exact text to send. */
type Body = object | string;

interface Sending {
  url?: string;
  headers?: Record<string, string>;
}

function requestOf(payload: Body, { url = SINGLE, headers = {} }: Sending) {
  const typed = { 'content-type': 'application/json', ...headers };
  return { method: 'POST', url, headers: typed, payload } as const satisfies InjectOptions;
}

/** Returns a function that sends an import to this service, and checks the answer against the OpenAPI document. */
export const sender =
  (service: TestApp) =>
  ({ key }: Pick<Developer, 'key'>, payload: Body, sending: Sending = {}): Promise<Answer> =>
    service.send({ key, ...requestOf(payload, sending) });

/** Sends an import to this server, and checks nothing. */
export async function sendTo(
  app: Server,
  { key }: Pick<Developer, 'key'>,
  payload: Body,
  sending: Sending = {},
): Promise<Answer> {
  const { headers: given, ...request } = requestOf(payload, sending);
  const headers = { ...given, authorization: `Bearer ${key}` };
  const response = await app.inject({ ...request, headers });
  const { statusCode: status, headers: answered, payload: text } = response;
  return { status, headers: answered, text, body: response.json() };
}

/** The headers of a request with this Idempotency-Key. */
export const idempotencyKey = (name: string) => ({ 'idempotency-key': name });

/** Asserts that an answer refuses an Idempotency-Key with this code, and returns its body. */
export function assertKeyProblem(answer: Answer, code: ProblemCode): Answer['body'] {
  assert.deepEqual([answer.status, answer.body.code], [PROBLEMS[code].status, code], answer.text);
  assert.equal(answer.headers['content-type'], 'application/problem+json; charset=utf-8');
  assert.equal(answer.headers['cache-control'], 'no-store');
  assert.equal(answer.headers['idempotent-replayed'], undefined);
  const inUse = code === 'idempotency_key_in_use';
  assert.equal(answer.headers['retry-after'], inUse ? '1' : undefined);
  const faults = (answer.body.errors ?? []).map(({ header }: { header?: string }) => header);
  assert.deepEqual(faults, inUse ? [] : ['Idempotency-Key']);
  return answer.body;
}

const IMPORT_TABLES = [
  'contacts',
  'tags',
  'contact_tags',
  'activities',
  'contact_links',
  'email_locks',
  'imports',
  'idempotency_keys',
];

/** Reads every row of all accounts in the tables that an import writes. */
export async function readImportTables(db: Pool): Promise<Record<string, unknown[]>> {
  const tables = IMPORT_TABLES.map(
    (name) => `'${name}', (select coalesce(json_agg(t order by t::text), '[]') from ${name} t)`,
  );
  const { rows } = await run(db, `select json_build_object(${tables.join()}) as tables`);
  return (rows[0] as { tables: Record<string, unknown[]> }).tables;
}

/** Reads the same tables without the import log. A refused import changes only the log. */
export async function readImportTablesWithoutLog(db: Pool): Promise<Record<string, unknown[]>> {
  const { imports: _log, ...others } = await readImportTables(db);
  return others;
}

/** A line of the import log, as it is stored. */
export interface Row {
  id: string;
  received_at: Date;
  channel: string;
  api_key_id: string | null;
  request_id: string | null;
  position: number | null;
  file: unknown;
  payload: string;
  outcome: string;
  // eslint-disable-next-line typescript/no-explicit-any
  result: any;
  settled_at: Date | null;
  settlement: unknown;
}

/** The import log of an account, in the order of time. */
export async function logOf(db: Pool, accountId: string): Promise<Row[]> {
  const { rows } = await run(
    db,
    `select id, received_at, channel, api_key_id, request_id, position, file, payload, outcome, result,
      settled_at, settlement
      from imports where account_id = $1 order by id`,
    [accountId],
  );
  return rows as Row[];
}
