import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

// test/openapi.test.ts compares this document with the one that is served.
const document = readFileSync(new URL('../docs/openapi.json', import.meta.url), 'utf8');
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema({ ...(JSON.parse(document) as object), $id: 'document' });

type Name =
  | 'StocklistResponse'
  | 'ProjectResponse'
  | 'ContactImportResult'
  | 'Problem'
  | `${string}Event`;

/** Holds an answer against a named schema of the document. */
export function assertConforms(name: Name, body: unknown): void {
  ajv.validate(`document#/components/schemas/${name}`, body);
  assert.deepEqual(ajv.errors ?? [], []);
}
