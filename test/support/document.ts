import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

interface Media {
  schema: { $ref?: string };
}
interface Operation {
  description?: string;
  tags?: string[];
  parameters?: { in: string; name: string; schema: { format?: string } }[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
  responses: Record<string, { headers?: Record<string, Media>; content?: Record<string, Media> }>;
  security?: object[];
}
/** An OpenAPI document, as far as the tests look into it. */
export interface Document {
  openapi: string;
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; examples: Record<string, { value?: unknown }> };
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

const file = new URL('../../docs/openapi.json', import.meta.url);
/** The committed document. test/openapi.test.ts compares it with that of a service, which takes half a second to make. */
export const document = JSON.parse(readFileSync(file, 'utf8')) as Document;
const { paths, components } = document;

// Paths with fewer parameters come first, so that `/imports/retry` does not match `/imports/{importId}`.
const templates = Object.keys(paths)
  .toSorted((one, other) => one.split('{').length - other.split('{').length)
  .map((template) => {
    const pattern = new RegExp(`^${BASE}${template.replace(/\{\w+\}/g, '[^/]+')}$`);
    return { template, pattern };
  });

// Do not check the schemas against the meta-schema: test/openapi.test.ts does, and it takes a second.
const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
formats.default(ajv);
ajv.addSchema({ $id: 'document', components, answers: listAnswers() });

/**
 * Lists the schemas of the answers by their names. Ajv gets these alone, because it walks through all that it gets, and most of
 * the document is examples.
 */
function listAnswers(): Record<string, object> {
  const answers: Record<string, object> = {};
  for (const [template, operations] of Object.entries(paths))
    for (const [verb, { responses }] of Object.entries(operations))
      for (const [status, { content = {} }] of Object.entries(responses))
        for (const [type, { schema }] of Object.entries(content))
          answers[nameAnswer(verb, template, status, type)] = schema;
  return answers;
}

/** Names an answer, without the characters that a JSON pointer would escape. */
function nameAnswer(...parts: string[]): string {
  return parts.join(' ').replace(/[^\w. +-]/g, '_');
}

/**
 * Asserts that the document describes an answer. For a path that is not in the document, it only checks the body of a problem.
 * Returns the operation, such as `post /contacts`.
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
  const media = response.content[type];
  assert.ok(media, `${method} ${path}: ${status} ${type} is not in the document`);
  check(locate(media.schema, nameAnswer(verb, template, String(status), type)), body);
  return `${verb} ${template}`;
}

/**
 * Returns the pointer to the schema of an answer. That of a named schema is the name: Ajv would compile it again for each answer
 * that refers to it.
 */
function locate({ $ref, ...others }: Media['schema'], answer: string): string {
  const isNamed = $ref !== undefined && Object.keys(others).length === 0;
  return isNamed ? $ref.slice('#/'.length) : `answers/${answer}`;
}

type Name =
  | 'StocklistResponse'
  | 'ProjectResponse'
  | 'ContactImportResult'
  | 'Problem'
  | `${string}Event`;

/** Asserts that a body matches a named schema of the document. */
export function assertConforms(name: Name, body: unknown): void {
  check(`components/schemas/${name}`, body);
}

function check(pointer: string, body: unknown): void {
  const validate = ajv.getSchema(`document#/${encodeURI(pointer)}`);
  assert.ok(validate, `${pointer} is not in the document`);
  assert.ok(validate(body), `${pointer}: ${ajv.errorsText(validate.errors)}`);
}
