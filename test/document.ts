import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

interface Media {
  schema: object;
}
interface Operation {
  responses: Record<string, { content?: Record<string, Media> }>;
  security?: object[];
}
/** An OpenAPI document, as far as the tests look into it. */
export interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
}

/** A request of a test and its answer. */
export interface Exchange {
  method: string;
  /** Without the query. */
  path: string;
  status: number;
  contentType: string;
  body: unknown;
}

/** Reads the body of an answer: JSON as its value, another type as its text. */
export function readBody(contentType: string, text: string): unknown {
  const [type = ''] = contentType.split(';');
  if (/^text\/|ndjson$/.test(type) && text !== '') return text;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const BASE = '/api/v1';
const PROBLEM_TYPE = 'application/problem+json';

// test/openapi.test.ts compares this document with the one that is served.
const file = new URL('../docs/openapi.json', import.meta.url);
const { paths, components } = JSON.parse(readFileSync(file, 'utf8')) as Document;

// `/imports/retry` is not an `/imports/{importId}`.
const templates = Object.keys(paths)
  .toSorted((one, other) => one.split('{').length - other.split('{').length)
  .map((template) => {
    const pattern = new RegExp(`^${BASE}${template.replace(/\{\w+\}/g, '[^/]+')}$`);
    return { template, pattern };
  });

// test/openapi.test.ts holds the schemas to their own schema, too: with each start of a test file it would take a second.
const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
formats.default(ajv);
ajv.addSchema({ $id: 'document', components, answers: listAnswers() });

/** Lists the schemas of the answers by their names. Ajv looks at all that it gets, and examples are most of the document. */
function listAnswers(): Record<string, object> {
  const answers: Record<string, object> = {};
  for (const [template, operations] of Object.entries(paths))
    for (const [verb, { responses }] of Object.entries(operations))
      for (const [status, { content = {} }] of Object.entries(responses))
        for (const [type, { schema }] of Object.entries(content))
          answers[nameAnswer(verb, template, status, type)] = schema;
  return answers;
}

/** Names an answer so that a JSON pointer can hold the name as it is. */
function nameAnswer(...parts: string[]): string {
  return parts.join(' ').replace(/[^\w. +-]/g, '_');
}

/**
 * Checks that an answer is one which the document describes; a problem outside its paths is only a problem.
 * Returns the operation that the document knows the exchange by: `post /contacts`.
 */
export function checkDocumented({
  method,
  path,
  status,
  contentType,
  body,
}: Exchange): string | undefined {
  const [type = ''] = contentType.split(';');
  const template = templates.find(({ pattern }) => pattern.test(path))?.template;
  // A HEAD is answered as the GET, without the body.
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
  const operation = template === undefined ? undefined : paths[template]?.[verb];
  if (template === undefined || operation === undefined) {
    if (type === PROBLEM_TYPE && body !== undefined) check('components/schemas/Problem', body);
    return undefined;
  }
  const response = operation.responses[String(status)];
  assert.ok(response, `${method} ${path}: ${status} is not in the document`);
  if (method === 'HEAD' || response.content === undefined) {
    assert.equal(body, undefined, `${method} ${path}: ${status} has a body`);
    return `${verb} ${template}`;
  }
  assert.ok(response.content[type], `${method} ${path}: ${status} ${type} is not in the document`);
  check(`answers/${nameAnswer(verb, template, String(status), type)}`, body);
  return `${verb} ${template}`;
}

type Name =
  | 'StocklistResponse'
  | 'ProjectResponse'
  | 'ContactImportResult'
  | 'Problem'
  | `${string}Event`;

/** Holds an answer against a named schema of the document. */
export function assertConforms(name: Name, body: unknown): void {
  check(`components/schemas/${name}`, body);
}

function check(pointer: string, body: unknown): void {
  const validate = ajv.getSchema(`document#/${encodeURI(pointer)}`);
  assert.ok(validate, `${pointer} is not in the document`);
  assert.ok(validate(body), `${pointer}: ${ajv.errorsText(validate.errors)}`);
}
