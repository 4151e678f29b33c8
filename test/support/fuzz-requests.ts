import { METHODS } from 'node:http';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { Document } from './document.ts';
import { valuesOf, WILD, type Schema } from './fuzz-values.ts';

/** A request to send. */
export interface FuzzRequest {
  method: string;
  /** Path and query, as they stand in the request line. */
  target: string;
  headers: Headers;
  body: Buffer;
  /** Sent in chunks, without a Content-Length. */
  isChunked: boolean;
}

export type Headers = Record<string, string | string[]>;

interface Parameter {
  in: 'path' | 'query' | 'header';
  name: string;
  schema: Schema;
}

interface Operation {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

/** The accounts that the requests are for. */
export interface TestAccounts {
  /** Headers that say who sends a request, and from which page. */
  callers: fc.Arbitrary<Headers>;
  /** Values that name something in the account, by the name of their field. */
  known: Record<string, unknown[]>;
}

const BASE = '/api/v1';

/** Requests for each operation of a document. Most are as the document says; each part is sometimes not. */
export function requestsOf(document: Document, accounts: TestAccounts): fc.Arbitrary<FuzzRequest> {
  const schemas = document.components.schemas as Record<string, Schema>;
  const resolve = (reference: string) => schemas[reference.split('/').at(-1) ?? ''] ?? {};
  const values = (schema: Schema, name?: string) =>
    valuesOf(schema, { resolve, known: accounts.known }, name);
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      requestOf(path, method.toUpperCase(), operation as Operation, values, accounts),
    ),
  );
  return fc.oneof(...operations);
}

type Values = (schema: Schema, name?: string) => fc.Arbitrary<unknown>;

function requestOf(
  path: string,
  method: string,
  { parameters = [], requestBody }: Operation,
  values: Values,
  { callers }: TestAccounts,
): fc.Arbitrary<FuzzRequest> {
  const of = (place: Parameter['in']) => parameters.filter((each) => each.in === place);
  const [[type, { schema }] = ['', { schema: {} }]] = Object.entries(requestBody?.content ?? {});
  return fc.record({
    method: mostly(
      method,
      fc.constantFrom(...METHODS, 'FOO', 'get').filter((each) => each !== 'CONNECT'),
    ),
    target: targets(path, of('path'), of('query'), values),
    headers: fc
      .tuple(headersOf(of('header'), values), typeHeaders(type), ODD_HEADERS, callers)
      .map(([named, typed, odd, caller]) => ({
        ...named,
        ...typed,
        ...odd,
        ...caller,
      })),
    body:
      type === ''
        ? mostly(Buffer.alloc(0), fc.constant(Buffer.from('{}')))
        : bodies(values(schema)),
    isChunked: mostly(false, fc.constant(true), 6),
  });
}

function mostly<T>(usual: T, others: fc.Arbitrary<NoInfer<T>>, times = 30): fc.Arbitrary<T> {
  return fc.oneof(
    { arbitrary: fc.constant(usual), weight: times },
    { arbitrary: others, weight: 1 },
  );
}

/** Texts that `encodeURIComponent` never returns. */
const RAW = fc.constantFrom(
  '%',
  '%zz',
  '%00',
  '%ff%fe',
  '%ED%A0%80',
  '%F4%90%80%80',
  '\u00E9',
  '\u00FF',
  '%2F',
  '%5C',
  '+',
  '..',
  '..',
  '%2e%2e',
  '"<>{}|^`',
  '[]',
  '=',
  '&&',
  ';',
  '//',
  'x'.repeat(3_000),
);

const encoded = (value: fc.Arbitrary<unknown>): fc.Arbitrary<string> =>
  fc.oneof(
    { arbitrary: value.map((each) => encodeURIComponent(textOf(each).toWellFormed())), weight: 15 },
    { arbitrary: RAW, weight: 1 },
  );

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

function targets(path: string, inPath: Parameter[], inQuery: Parameter[], values: Values) {
  const places = inPath.map(({ name, schema }) => encoded(values(schema, name)));
  const paths = fc
    .tuple(...places)
    .map((each) => BASE + path.replace(/\{\w+\}/g, () => each.shift() ?? ''));
  const odd = fc
    .tuple(
      paths,
      fc.constantFrom('/', '//', '/..', '/%2e%2e', '%00', '/x', ';a=b', '%', '\u00E9'),
      fc.nat(),
    )
    .map(
      ([each, insert, at]) =>
        each.slice(0, at % (each.length + 1)) + insert + each.slice(at % (each.length + 1)),
    );
  const queries = fc
    .tuple(
      ...inQuery.map(({ name, schema }) => pairs(name, encoded(values(schema, name)))),
      ODD_QUERY,
    )
    .map((each) => each.flat().join('&'));
  return fc
    .tuple(fc.oneof({ arbitrary: paths, weight: 20 }, { arbitrary: odd, weight: 1 }), queries)
    .map(([each, query]) => (query === '' ? each : `${each}?${query}`).replace(/^(?!\/)/, '/'));
}

/** Mostly no pair, else one, rarely two or three. */
function pairs(name: string, value: fc.Arbitrary<string>): fc.Arbitrary<string[]> {
  const pair = value.map((each) => `${name}=${each}`);
  return fc.oneof(
    { arbitrary: fc.constant<string[]>([]), weight: 30 },
    { arbitrary: fc.array(pair, { minLength: 1, maxLength: 1 }), weight: 4 },
    { arbitrary: fc.array(pair, { minLength: 2, maxLength: 3 }), weight: 1 },
  );
}

const ODD_QUERY = mostly<string[]>(
  [],
  fc.array(
    fc.constantFrom('__proto__=1', 'constructor', '&', '=', '%', '%00=%00', '?', '\u00E9=1', 'a=b'),
    {
      maxLength: 3,
    },
  ),
  15,
);

function headersOf(parameters: Parameter[], values: Values) {
  const each = parameters.map(({ name, schema }) =>
    fc
      .option(values(schema, name).map(headerText), { freq: 3, nil: null })
      .map((text) => (text === null ? [] : [[name, text] as const])),
  );
  return fc.tuple(...each).map((all) => Object.fromEntries(all.flat()));
}

// A header may hold any byte but the control characters, which would end it.
const headerText = (value: unknown): string =>
  Buffer.from(textOf(value))
    .toString('latin1')
    .replace(/[^\t\x20-\x7e\x80-\xff]/g, '');

function typeHeaders(type: string): fc.Arbitrary<Headers> {
  const types = fc.constantFrom(
    '',
    'text/plain',
    'application/vnd.x+json',
    'application/json; charset=utf-16',
    '*/*',
    'json',
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'multipart/form-data; boundary=x',
  );
  const header = (each: string): Headers => ({ 'content-type': each });
  if (type === '') return mostly<Headers>({}, types.map(header));
  return mostly<Headers>(header(type), fc.oneof(fc.constant({}), types.map(header)));
}

const ODD_HEADERS = mostly<Headers>(
  {},
  fc.constantFrom<Headers[]>(
    { 'content-encoding': 'gzip' },
    { 'content-encoding': 'Identity' },
    { 'content-encoding': '' },
    { 'if-none-match': '*' },
    { 'if-none-match': '"\u00E9", W/"x' },
    { 'accept-encoding': 'gzip;q=x, br;q=0, *;q=9' },
    { accept: 'image/png' },
    { expect: 'miracles' },
    { upgrade: 'websocket', connection: 'upgrade' },
    { upgrade: 'h2c', connection: 'Upgrade, HTTP2-Settings', 'http2-settings': 'AAMAAABkAAQAAP__' },
    { 'idempotency-key': ['a', 'b'] },
    { 'idempotency-key': '' },
    { 'content-type': ['application/json', 'text/plain'] },
    { host: '' },
    { host: '\u00E9 "' },
    { 'x-long': 'x'.repeat(20_000) },
    { 'x-many': Array<string>(1_000).fill('x') },
    { 'x-forwarded-for': '::1', forwarded: 'for=_x', range: 'bytes=0-1' },
  ),
  8,
);

function bodies(value: fc.Arbitrary<unknown>): fc.Arbitrary<Buffer> {
  const texts = value.map((each) => JSON.stringify(each) ?? '');
  const broken = fc.tuple(texts, fc.nat(), fc.constantFrom(...BREAKS));
  return fc.oneof(
    { arbitrary: texts.map((text) => Buffer.from(text)), weight: 12 },
    {
      arbitrary: broken.map(([text, at, break_]) => break_(text, at % (text.length + 1))),
      weight: 2,
    },
    { arbitrary: WILD.map((each) => Buffer.from(JSON.stringify(each) ?? '')), weight: 1 },
    { arbitrary: fc.uint8Array({ maxLength: 50 }).map((each) => Buffer.from(each)), weight: 1 },
  );
}

const nested = '['.repeat(50_000) + ']'.repeat(50_000);
const opened = (text: string, member: string): Buffer =>
  Buffer.from(text.replace(/^\{(?=.)/s, () => `{${member},`));

const BREAKS: ((text: string, at: number) => Buffer)[] = [
  (text, at) => Buffer.from(text.slice(0, at)),
  (text, at) => Buffer.from(text.slice(0, at) + text.slice(at + 1)),
  (text, at) =>
    Buffer.concat([
      Buffer.from(text.slice(0, at)),
      Buffer.from([0xed, 0xa0, 0x80]),
      Buffer.from(text.slice(at)),
    ]),
  (text, at) => Buffer.from(`${text.slice(0, at)}\0${text.slice(at)}`),
  (text, at) => Buffer.from(`${text.slice(0, at)}\\u0000${text.slice(at)}`),
  (text, at) => Buffer.from(`${text.slice(0, at)}\\ud800${text.slice(at)}`),
  (text) => Buffer.from(`\uFEFF${text}`),
  (text) => Buffer.from(text, 'utf16le'),
  (text) => Buffer.from(text, 'latin1'),
  (text) => Buffer.from(`[${text}]`),
  (text) => Buffer.from(text + text),
  (text) => gzipSync(text),
  (text) => opened(text, '"__proto__":{"email":"proto@example.com","contacts":[]}'),
  (text) => opened(text, '"email":1,"email":null,"contacts":[{}]'),
  (text) => opened(text, `"x":${nested}`),
  (text) => opened(text, `"notes":"${'x'.repeat(4_300_000)}"`),
  (text) => opened(text, `"tags":[${'1,'.repeat(20_000)}1]`),
  (text) => opened(text, `"budget":${'9'.repeat(400)}`),
];
