import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { ContactImportResult } from '../src/imports/index.ts';
import { ProblemBody } from '../src/platform/http/problems.ts';
import { STOCKLIST_SCHEMAS } from '../src/stocklist/schemas.ts';

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
for (const schema of [...STOCKLIST_SCHEMAS, ContactImportResult, ProblemBody])
  ajv.addSchema(schema);

type Name = 'StocklistResponse' | 'ProjectResponse' | 'ContactImportResult' | 'Problem';

/** Holds an answer against a named schema of the document. */
export function assertConforms(name: Name, body: unknown): void {
  ajv.validate(name, body);
  assert.deepEqual(ajv.errors ?? [], []);
}
