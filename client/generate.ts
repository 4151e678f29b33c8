/*
 * Writes src/schema.ts, the types of the routes, from docs/openapi.json; `npm run documents` runs it. With `--check` it
 * writes nothing, and fails when the file is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString, UNKNOWN, type OpenAPI3 } from 'openapi-typescript';

interface Operation {
  parameters?: { name: string }[];
  responses: Record<string, { headers?: object; content?: Record<string, { example?: unknown }> }>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
}

const FILE = new URL('src/schema.ts', import.meta.url);
const source = new URL('../docs/openapi.json', import.meta.url);
const document = JSON.parse(readFileSync(source, 'utf8')) as Document;

/** Drops the problems, since the client throws them all, and the headers, which `Headers` has without types. */
function trimResponses({ responses }: Operation): void {
  for (const [status, response] of Object.entries(responses))
    if (status.startsWith('2')) {
      delete response.headers;
      for (const content of Object.values(response.content ?? {})) delete content.example;
    } else delete responses[status];
}

for (const operations of Object.values(document.paths))
  for (const operation of Object.values(operations)) trimResponses(operation);

const takesKey = ({ parameters = [] }: Operation) =>
  parameters.some(({ name }) => name === 'Idempotency-Key');
const repeatable = Object.entries(document.paths)
  .filter(([, { post }]) => post !== undefined && takesKey(post))
  .map(([path]) => path);

const types = await openapiTS(document as OpenAPI3 & Document, {
  // A field with a default need not be sent.
  defaultNonNullable: false,
  // A file can be anything that `fetch` sends.
  transform: ({ format }) => (format === 'binary' ? UNKNOWN : undefined),
});
const text = `// Generated from docs/openapi.json by \`npm run documents\`.

/** The routes whose POST takes an Idempotency-Key. */
export const REPEATABLE_POSTS: readonly string[] = ${JSON.stringify(repeatable, null, 2)};

${astToString(types)}`;

if (!process.argv.includes('--check')) writeFileSync(FILE, text);
else if (readFileSync(FILE, 'utf8') !== text) {
  console.error('client/src/schema.ts is out of date: run `npm run documents`.');
  process.exitCode = 1;
}
